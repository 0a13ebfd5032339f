"""The functions of JAX, by topic; `library` collects them. `traced` has the dtypes of traced values."""
