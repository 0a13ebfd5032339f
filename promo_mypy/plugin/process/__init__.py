"""How the plugin lives in mypy's process: activation, environments, digests, garbage. No type is looked at here."""
