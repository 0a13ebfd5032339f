"""mypy's errors that exist only because the plugin knows more than the library's stubs: they are hidden."""
