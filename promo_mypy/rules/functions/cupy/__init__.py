"""The functions of CuPy, by topic, where they differ from NumPy's; `library` puts them together."""
