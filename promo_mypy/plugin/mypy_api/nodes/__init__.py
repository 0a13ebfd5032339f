"""What the plugin reads and changes in mypy's syntax trees, and how it undoes that."""
