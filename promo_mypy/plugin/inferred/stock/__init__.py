"""What stock mypy infers for an expression, where the plugin knows more."""
