"""Run the plugin in mypy's process: activation, environments, fingerprints, garbage collection. No types here."""
