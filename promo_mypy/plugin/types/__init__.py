"""mypy's types to libraries, dtypes and ranks, and back. No hook and no option of the user is known here."""
