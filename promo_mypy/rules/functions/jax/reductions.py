"""Reductions, sorting, searching and statistics of jax.numpy. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import BOOL, INDEX, inexact, real_inexact, summed
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If, IfKind
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.optional_arrays import UnlessArrays
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several, with_indices
from promo_mypy.rules.functions.language.vocabulary import (
    Asked,
    Fixed,
    Python,
    Same,
    Strong,
)

_AVERAGE: Final = If("weights", Strong(inexact("a weights")), Strong(inexact("a")))
_PARTITIONED: Final = Converted(Same("a"), "bc=refused")
#: Weak sets stay weak, unless a size is given.
_BOTH: Final = If("size", Strong(Promoted("ar1 ar2")), Converted(Promoted("ar1 ar2"), "c=strong"))
_DISTINCT: Final = Converted(Same("x"), "c=strong")
_HISTOGRAM: Final = Strong(inexact("a"))


_ENDED: Final = Promoted("a prepend append")
#: Numbers before and after the array are arrays, too.
_BETWEEN: Final = If("prepend", _ENDED, If("append", _ENDED, Same("a")))
_SPREAD: Final = "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None"
_SPREAD_OF_NUMBERS: Final = "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None"


def _spread(asked: str) -> Rule:
    """A variance. `asked`: how the dtype argument is converted; that of complex numbers must be complex."""
    rule = Asked(Converted(Strong(inexact("a")), "c=real"), table=f"b=refused {asked}")
    return CheckedIfKnown(rule, IfKind("a", "c", Asked(Fixed(dt.complex64), table="buif=refused"), Fixed(dt.float32)))


ROWS: Final[Rows] = table(
    "jax",
    (
        "sum prod",
        "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True",
        If("promote_integers", summed("a"), Asked(Strong(Same("a"))), True),
    ),
    ("nansum nanprod", "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None", summed("a")),
    ("trace", "a, offset=0, axis1=0, axis2=1, dtype=None, out=None", summed("a")),
    ("cumulative_sum", "x, /, *, axis=None, dtype=None, include_initial=False", summed("x")),
    (
        "cumulative_prod",
        "x, /, *, axis=None, dtype=None, include_initial=False",
        Asked(Converted(Same("x"), "b=int", keeps_weak=False)),
    ),
    (
        "cumsum cumprod nancumsum nancumprod",
        "a, axis=None, dtype=None, out=None",
        Asked(Converted(Same("a"), "b=int", keeps_weak=False)),
    ),
    (
        "mean",
        "a, axis=None, dtype=None, out=None, keepdims=False, *, where=None",
        Asked(Strong(inexact("a")), table="b=refused"),
    ),
    (
        "nanmean",
        "a, axis=None, dtype=None, out=None, keepdims=False, where=None",
        Asked(Strong(inexact("a")), table="b=refused"),
    ),
    ("var", _SPREAD, _spread("ui=weak_float")),
    ("std", _SPREAD, _spread("ui=refused")),
    ("nanvar", _SPREAD_OF_NUMBERS, _spread("")),
    ("nanstd", _SPREAD_OF_NUMBERS, _spread("ui=refused")),
    (
        "max min amax amin nanmax nanmin",
        "a, axis=None, out=None, keepdims=False, initial=None, where=None",
        Strong(Same("a")),
    ),
    ("ptp", "a, axis=None, out=None, keepdims=False", Strong(Converted(Same("a"), "b=refused"))),
    (
        "argmax argmin nanargmax nanargmin",
        "a, axis=None, out=None, keepdims=None",
        Checked(INDEX, Converted(Same("a"), "c=refused")),
    ),
    ("any all", "a, axis=None, out=None, keepdims=False, *, where=None", BOOL),
    ("median nanmedian", "a, axis=None, out=None, overwrite_input=False, keepdims=False", Strong(real_inexact("a"))),
    (
        "quantile percentile nanquantile nanpercentile",
        "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None",
        Strong(real_inexact("a")),
    ),
    (
        "average",
        "a, axis=None, weights=None, returned=False, keepdims=False",
        If("returned", Several.of(_AVERAGE, _AVERAGE), _AVERAGE, True),
    ),
    ("count_nonzero", "a, axis=None, keepdims=False", INDEX),
    (
        "argsort",
        "a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None",
        Asked(INDEX, table="b=refused"),
    ),
    ("lexsort", "keys, axis=-1", INDEX),
    ("argpartition", "a, kth, axis=-1", Converted(_PARTITIONED, "uif=int32")),
    ("sort", "a, axis=-1, *, kind=None, order=None, stable=True, descending=False", Same("a")),
    ("partition", "a, kth, axis=-1", _PARTITIONED),
    ("diff", "a, n=1, axis=-1, prepend=None, append=None", _BETWEEN),
    (
        "unique",
        "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, "
        "size=None, fill_value=None, sorted=True",
        with_indices(Converted(Same("ar"), "c=strong"), "return_index", "return_inverse", "return_counts"),
    ),
    ("unique_values", "x, /, *, size=None, fill_value=None", _DISTINCT),
    ("unique_counts unique_inverse", "x, /, *, size=None, fill_value=None", Several.of(_DISTINCT, INDEX)),
    ("unique_all", "x, /, *, size=None, fill_value=None", Several.of(_DISTINCT, INDEX, INDEX, INDEX)),
    ("nonzero", "a, *, size=None, fill_value=None", Listed(INDEX)),
    ("flatnonzero argwhere", "a, *, size=None, fill_value=None", INDEX),
    ("searchsorted", "a, v, side='left', sorter=None, *, method='scan'", Fixed(dt.int32)),
    ("digitize", "x, bins, right=False, *, method=None", Fixed(dt.int32)),
    ("isin", "element, test_elements, assume_unique=False, invert=False, *, method='auto'", BOOL),
    (
        "bincount",
        "x, weights=None, minlength=0, *, length=None",
        Checked(If("weights", Same("weights"), INDEX), Converted(Same("x"), "fc=refused")),
    ),
    (
        "histogram",
        "a, bins=10, range=None, weights=None, density=None",
        If("weights", Python(), Several.of(_HISTOGRAM, _HISTOGRAM)),
    ),
    (
        "cov",
        "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None",
        Asked(UnlessArrays(Strong(inexact("m y")), "fweights aweights"), table="bui=refused"),
    ),
    ("corrcoef", "x, y=None, rowvar=True, dtype=None", Asked(Strong(inexact("x y")), table="bui=refused")),
    ("trapezoid", "y, x=None, dx=1.0, axis=-1", UnlessArrays(Strong(If("x", inexact("y x"), inexact("y"))), "dx")),
    (
        "intersect1d",
        "ar1, ar2, assume_unique=False, return_indices=False, *, size=None, fill_value=None",
        If("return_indices", Several.of(_BOTH, INDEX, INDEX), _BOTH, True),
    ),
    ("setxor1d", "ar1, ar2, assume_unique=False, *, size=None, fill_value=None", _BOTH),
    ("union1d", "ar1, ar2, *, size=None, fill_value=None", Converted(Promoted("ar1 ar2"), "c=strong")),
    ("setdiff1d", "ar1, ar2, assume_unique=False, *, size=None, fill_value=None", Converted(Same("ar1"), "c=strong")),
    ("gradient", "f, *varargs, axis=None, edge_order=None", Python()),
    under="numpy",
)
