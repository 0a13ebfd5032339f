"""Read the messages that mypy prints, and remove the plugin's bookkeeping from them."""
