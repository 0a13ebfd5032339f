"""Dtypes and their promotion: the only source of truth of the mypy plugin and the runtime.

Standard library only: nothing here imports mypy or an array library.
"""
