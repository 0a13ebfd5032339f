"""Suggest a cast that avoids a forbidden dtype."""

from collections.abc import Collection, Sequence

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.portability import Side, casts, under
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording.dialects import Dialect

NOTHING_FITS = "avoid it, or allow it in this module with an override of forbid"


def are_forbidden(dtypes: Collection[type[dt.Shaped] | type[dt.PythonScalar]], forbid: Collection[str]) -> bool:
    """Whether all of these dtypes are forbidden. Weak float64 counts as float64."""
    return bool(dtypes) and all(issubclass(dtype, dt.Shaped) and dtype.strong.name in forbid for dtype in dtypes)


def instead_of(dtype: type[dt.Shaped], forbid: Collection[str], dialect: Dialect) -> type[dt.Shaped] | None:
    """The widest dtype of the same kind that is suggested for the library and not forbidden."""
    alike = [other for other in dialect.suggested if other.kind == dtype.kind and other.name not in forbid]
    return max(alike, key=lambda other: other.bits, default=None)


def allowed_cast(own: PromotionSystem, operation: str, sides: Sequence[Side], forbid: Collection[str]) -> Remedy:
    """The cast after which an operation gives no forbidden dtype: to an operand's dtype, or to one of the result's
    kind.

    The promotion system confirms the cast first.
    """
    operands = {dtype for side in sides for dtype in side.dtypes if issubclass(dtype, dt.Shaped)}
    results = under(own, operation, sides).results
    likes = [instead_of(result, forbid, own.dialect) for result in results]
    wanted = sorted(operands, key=lambda dtype: (dtype.kind, -dtype.bits)) + [
        like for like in likes if like is not None
    ]
    # A float operand is better evidence of the wanted precision than an integer.
    wanted.sort(key=lambda dtype: dtype.kind not in {result.kind for result in results})
    for target in dict.fromkeys(dtype.strong for dtype in wanted):
        if target.name in forbid:
            continue
        for cast, remedy in casts(own, operation, sides, target):
            given = under(own, operation, cast).results
            if given and all(dtype.name not in forbid for dtype in given):
                return remedy
    return Remedy(NOTHING_FITS)
