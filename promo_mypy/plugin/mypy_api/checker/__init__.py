"""What the plugin asks of mypy's type checker, and where it steps in while mypy checks."""
