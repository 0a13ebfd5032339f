"""Run mypy in this process with the plugin enabled, for `port`, `infer` and `coverage`."""
