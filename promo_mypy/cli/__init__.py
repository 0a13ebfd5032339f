"""The command line `promo-mypy`: promotion systems to look at."""

from promo_mypy.cli.app import main

__all__ = ["main"]
