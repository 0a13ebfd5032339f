"""Variables that hold a number, and may be bound to a value that stock mypy infers as Any."""
