"""The texts of `promo-truncation`: a 64-bit dtype in JAX while x64 is off.

Measured with JAX 0.10: a request for such a dtype gives the 32-bit dtype and a UserWarning. Python's own types
(`float`) stand for the 32-bit dtypes without a warning. No array has a 64-bit dtype, so no array fits such an
annotation.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32

_SWITCH: Final = "set jax_enable_x64 = true in [tool.promo-mypy] if the program enables x64"


class Truncation(NamedTuple):
    """What JAX does, and what to write instead: sentences without capital and full stop."""

    problem: str
    remedy: str


def requested(dtypes: Iterable[type[dt.Shaped]]) -> Truncation:
    """A dtype argument that names a 64-bit dtype."""
    wide, narrow = _named(dtypes)
    return Truncation(
        f"JAX makes this {narrow} because it has no {wide} while x64 is off", f"ask for {narrow}, or {_SWITCH}"
    )


def annotated(dtypes: Iterable[type[dt.Shaped]]) -> Truncation:
    """An annotation that admits only JAX arrays of 64-bit dtypes."""
    wide, narrow = _named(dtypes)
    return Truncation(f"JAX has no {wide} arrays while x64 is off", f"annotate {narrow}, or {_SWITCH}")


def _named(dtypes: Iterable[type[dt.Shaped]]) -> tuple[str, str]:
    wide = sorted(dtypes, key=lambda dtype: (dtype.kind, dtype.bits))
    return " or ".join(dtype.name for dtype in wide), " or ".join(X32[dtype].name for dtype in wide)
