"""Infer the dtypes of every array expression of a program, for `promo-mypy infer` and `coverage`."""
