"""CuPy's reductions, sorting, searching and statistics. Source: running CuPy 14.2 on a GPU."""

from collections.abc import Iterator
from typing import Final

from promo_mypy.rules.functions.cupy.dtype_arguments import CastFrom
from promo_mypy.rules.functions.language.choosing import Checked, If, IfKind, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, like
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Inferred, Python
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.loops import Loop
from promo_mypy.rules.functions.numpy.reductions import MEANS
from promo_mypy.rules.functions.numpy.ufuncs import TWO

_A: Final = Inferred("a")
_INDEX: Final = Default("i")
_KEPT: Final = "axis=None, out=None, keepdims=False"
_TYPED: Final = "axis=None, dtype=None, out=None, keepdims=False"
_SPREAD: Final = "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False"
_QUANTILE: Final = (
    "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, interpolation=None"
)
_VARIANCE: Final = Converted(_A, f"{MEANS} bfloat16=float64 c=real")
_VARIANCE_ASKED: Final = Asked(_VARIANCE, table="bui=float64 bfloat16=float64 c=float64")
_DEVIATION_ASKED: Final = Asked(_VARIANCE, table="bui=refused")
# `nanvar` of floats keeps their dtype, whatever the dtype argument is. The root, `nanstd`, is cast to that argument.
_OF_FLOATS: Final = Converted(_A, "c=real")
_UNCAST: Final = "f=c c=other"

#: The dtypes of indices.
_INDICES: Final = Asked(_INDEX, table="int8=int8 int16=int16 int32=int32 int64=int64 buifc=refused")
_ONLY_INT64: Final = Asked(_INDEX, table="int64=int64 buifc=refused")

#: Quantile methods that return an element of the array.
_PICKING: Final = ("lower", "higher", "nearest")


def _quantile(between: Rule) -> Rule:
    """`between`: the rule between two elements. Complex numbers are rejected there."""
    rule: Rule = Converted(between, "c=unknown")
    for method in _PICKING:
        rule = If("method", _A, rule, method)
    return Into(If("interpolation", Python(), rule), fit=Fit.ANY)


_COUNTS: Final = If("weights", Converted(Inferred("weights"), "bui=int64 f=float64 c=complex128"), _INDEX)


#: In double precision, with the solver that rejects float16.
_FITTED: Final = Joined.of(
    Converted(Inferred("x"), "buif=float64 c=complex128"),
    Converted(Inferred("y"), "float16=refused buif=float64 c=complex128"),
)


_COVARIANCE: Final = Asked(Promoted("a y", full=True, also="float64"), table="bui=refused")


def _refusing(refused: str, *entries: Entry) -> Iterator[Entry]:
    """Functions that do not cast every array to the dtype argument."""
    for name, signature, rule in entries:
        yield name, signature, CastFrom(rule, _A, refused)


def _edges(bfloat16: str) -> Rule:
    """The edges of bins between the least and the greatest value, or within a range."""
    return Converted(Promoted("a *range"), f"bui=float64 bfloat16={bfloat16}")


ENTRIES: Final[tuple[Entry, ...]] = (
    *like(NUMPY, "sum prod mean", f"a, {_TYPED}"),
    *_refusing("c=buif", *like(NUMPY, "nansum nanprod", f"a, {_TYPED}")),
    *_refusing("c=bui f=bui", *like(NUMPY, "nanmean=mean", f"a, {_TYPED}")),
    ("var", _SPREAD, Into(_VARIANCE_ASKED, fit=Fit.ANY)),
    # The root of the variance, in the dtype argument.
    ("std", _SPREAD, Into(_DEVIATION_ASKED, fit=Fit.ANY)),
    ("nanvar", _SPREAD, Into(IfKind("a", "fc", CastFrom(_OF_FLOATS, _A, _UNCAST), _VARIANCE_ASKED), fit=Fit.ANY)),
    ("nanstd", _SPREAD, Into(IfKind("a", "fc", CastFrom(Asked(_OF_FLOATS, table="bui=refused"), _A, _UNCAST),
                                    _DEVIATION_ASKED), fit=Fit.ANY)),
    *like(NUMPY, "cumsum cumprod nancumsum nancumprod", "a, axis=None, dtype=None, out=None"),
    *like(NUMPY, "cumulative_sum cumulative_prod"),
    *like(NUMPY, "max min any all nanmax nanmin", f"a, {_KEPT}"),
    ("ptp", f"a, {_KEPT}", Into(Loop(TWO["subtract"], "a a"), fit=Fit.ANY)),
    ("argmax argmin", f"a, {_TYPED}", _INDICES),
    ("nanargmax nanargmin", f"a, {_TYPED}", IfKind("a", "fc", _ONLY_INT64, _INDICES)),
    *like(NUMPY, "median nanmedian", "a, axis=None, out=None, overwrite_input=False, keepdims=False"),
    ("quantile", _QUANTILE, _quantile(IfNumber("q", Promoted("a q"), Joined.of(_A, Inferred("q"))))),
    (
        "percentile",
        _QUANTILE,
        _quantile(IfNumber("q", Promoted("a", also="py_float"), Joined.of(_A, Converted(Inferred("q"), MEANS)))),
    ),
    *like(NUMPY, "average", "a, axis=None, weights=None, returned=False, *, keepdims=False"),
    *like(NUMPY, "count_nonzero", "a, axis=None"),
    *like(NUMPY, "sort argsort", "a, axis=-1, kind=None"),
    *like(NUMPY, "partition argpartition", "a, kth, axis=-1"),
    ("lexsort", "keys", Checked(_INDEX, Converted(Inferred("keys"), "bfloat16=refused"))),
    *like(NUMPY, "unique", "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,"
          " equal_nan=True"),
    *like(NUMPY, "unique_values unique_counts unique_inverse unique_all searchsorted digitize nonzero flatnonzero"
          " argwhere"),
    *like(NUMPY, "isin", "element, test_elements, assume_unique=False, invert=False"),
    *like(NUMPY, "intersect1d", "arr1: ar1, arr2: ar2, assume_unique=False, return_indices=False"),
    *like(NUMPY, "union1d", "arr1: ar1, arr2: ar2"),
    *like(NUMPY, "setdiff1d setxor1d", "ar1, ar2, assume_unique=False"),
    (
        "bincount",
        "x, weights=None, minlength=None",
        Checked(
            If("weights", Converted(Inferred("weights"), "buif=float64 c=refused"), _INDEX),
            Converted(Inferred("x"), "bfloat16=unknown fc=refused"),
        ),
    ),
    (
        "histogram",
        "x: a, bins=10, range=None, density=False, weights=None",
        Several.of(
            If("density", Converted(_COUNTS, "i=float64"), _COUNTS, value=True),
            IfScalar("bins", If("range", _edges("unknown"), _edges("float32")), Inferred("bins")),
        ),
    ),
    *like(NUMPY, "histogram2d", "x, y, bins=10, range=None, weights=None, density=None"),
    ("cov", "a, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None",
     If("fweights", Checked(_COVARIANCE, Converted(Inferred("fweights"), "bfc=refused")), _COVARIANCE)),
    ("corrcoef", "a, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None", _COVARIANCE),
    *like(NUMPY, "trapezoid"),
    ("polyfit", "x, y, deg, rcond=None, full=False, w=None, cov=False",
     If("full", Python(), If("cov", Python(), _FITTED, value=True), value=True)),
    ("polyval", "p, x", Promoted("p x", full=True)),
    (
        "interp",
        "x, xp, fp, left=None, right=None, period=None",
        Checked(
            Converted(Inferred("fp"), "buif=float64 c=complex128"),
            Several.of(*(Converted(Inferred(name), "b=refused c=refused") for name in ("x", "xp"))),
        ),
    ),
)  # fmt: skip
