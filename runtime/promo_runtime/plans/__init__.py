"""From the arguments of a call to the plan that later calls with the same kinds of arguments execute."""
