"""The functions of NumPy, by topic; `library` collects them."""
