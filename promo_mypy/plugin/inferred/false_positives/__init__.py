"""Suppress errors of mypy that exist only because the plugin knows more than the library's stubs."""
