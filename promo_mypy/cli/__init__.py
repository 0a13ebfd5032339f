"""The command line `promo-mypy`."""

from promo_mypy.cli.app import main

__all__ = ["main"]
