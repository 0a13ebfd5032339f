"""How mypy reports errors: their places, who watches them, and what the plugin adds to them."""
