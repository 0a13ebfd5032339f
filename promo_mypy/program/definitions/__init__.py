"""Index the functions, classes and attributes of a program by name."""
