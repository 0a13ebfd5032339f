"""The functions of CuPy, by topic, if they differ from NumPy's; `library` collects them."""
