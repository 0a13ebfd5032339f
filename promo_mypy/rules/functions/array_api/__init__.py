"""The functions of the Python array API standard; `library` puts them together."""
