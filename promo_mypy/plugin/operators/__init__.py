"""Operators on arrays, indexing and iteration, to the types of their results; functions by name are in `calls`."""
