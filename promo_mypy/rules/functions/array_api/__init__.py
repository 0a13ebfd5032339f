"""The functions of the Python array API standard; `library` collects them."""
