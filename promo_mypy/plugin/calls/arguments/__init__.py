"""The arguments of a call to what the rules ask of them: dtypes, ranks, shapes, numbers and leaves of trees."""
