"""Make a plan for a call; later calls with the same kinds of arguments execute it."""
