"""The commands, one module with one function and its examples for each; `promo_mypy.cli.app` lists them."""
