"""Array dtypes, known before the program runs: a mypy plugin and the promotion rules behind it."""
