"""Access to mypy: names, tables of hooks, and every step outside the public plugin interface, with its test."""
