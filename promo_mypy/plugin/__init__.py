"""mypy's side of the project: `plugins = ["promo_mypy.plugin"]`."""

from promo_mypy.plugin import mypy_versions

# Before anything is imported that another mypy may not have. mypy shows the message and ends.
mypy_versions.check()

from promo_mypy.plugin.hooks import plugin as plugin  # noqa: E402 -- see above

__all__ = ["plugin"]
