"""The types that mypy compares where it reports an error."""
