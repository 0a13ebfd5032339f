"""The one source of truth about dtypes and their promotion, for the mypy plugin and the runtime alike.

Standard library only: nothing here imports mypy or an array library.
"""
