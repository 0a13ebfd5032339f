"""Indexing and iteration: what an index does to the dtype and rank of an array."""
