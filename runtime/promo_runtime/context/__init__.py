"""The promotion system and backend in use if a call names none, and user-defined systems."""
