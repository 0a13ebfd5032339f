"""Translate the arguments of a call for the rules: dtypes, ranks, shapes, numbers and leaves of trees."""
