"""Infer the types of operators on arrays, of indexing and of iteration. Functions by name are in `calls`."""
