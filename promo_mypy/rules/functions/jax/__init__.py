"""The functions of JAX, by topic; `library` puts them together. What JAX makes of the values that it traces."""
