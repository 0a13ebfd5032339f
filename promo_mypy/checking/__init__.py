"""Run mypy in this process with the plugin, for the commands and the language server."""
