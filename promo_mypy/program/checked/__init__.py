"""A program that mypy has checked: its types and full names at the places of Python's expressions."""
