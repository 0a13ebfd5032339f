"""mypy's side of the project: `plugins = ["promo_mypy.plugin"]`."""

from promo_mypy.plugin.hooks import plugin as plugin

__all__ = ["plugin"]
