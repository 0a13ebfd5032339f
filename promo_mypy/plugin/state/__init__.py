"""Keep state while mypy runs: the session, the file that is being checked, and caches. Nothing is inferred here."""
