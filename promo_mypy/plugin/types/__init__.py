"""Translate mypy's types to libraries, dtypes and ranks, and back. Nothing here depends on hooks or options."""
