"""The walk from an expression back to what decides its dtype."""

from promo_mypy.plugin.diagnostics.dtype_origin import PASSED_ON, Origins, Step

__all__ = ["PASSED_ON", "Origins", "Step"]
