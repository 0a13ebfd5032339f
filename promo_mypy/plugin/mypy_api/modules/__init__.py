"""What the plugin knows, adds or keeps about a module: symbols, marks in mypy's cache, dependencies."""
