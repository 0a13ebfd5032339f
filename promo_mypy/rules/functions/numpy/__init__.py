"""The functions of NumPy, by topic; `library` puts them together."""
