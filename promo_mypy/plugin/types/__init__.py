"""Translate mypy's types to libraries, dtypes and ranks, and back. Hooks and the user's options are unknown here."""
