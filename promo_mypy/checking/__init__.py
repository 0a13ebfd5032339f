"""mypy, run in this process on a user's behalf, with our plugin on: what `port`, `infer` and `coverage` share."""
