"""NumPy's reductions, sorting, searching and statistics. Source: running NumPy 2.4."""

from collections.abc import Sequence
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, If, IfKind, IfNumber, LastWord, OrUnknown
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, Rows, table
from promo_mypy.rules.functions.language.several_results import Several, with_indices
from promo_mypy.rules.functions.language.storing import Fit, InPlace, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Inferred, Same
from promo_mypy.rules.functions.numpy.begun import Begun
from promo_mypy.rules.functions.numpy.casting import Inexact
from promo_mypy.rules.functions.numpy.loops import Loop, SinceTwo
from promo_mypy.rules.functions.numpy.ufuncs import TWO
from promo_mypy.rules.systems.numpy import Ufunc

#: Sums are accumulated at least as wide as Python's int.
SUMS: Final = "bi=int64 u=uint64"
#: Means of integers are floats.
MEANS: Final = "bui=float64"
QUANTILES: Final = "b=refused ui=float64 c=refused"


def _into(rule: Rule) -> Rule:
    """Reductions compute in the dtype of `out`, whatever it is."""
    return Into(rule, fit=Fit.ANY)


def _by_method(methods: Sequence[str], then: Rule, otherwise: Rule) -> Rule:
    """One rule where `method` is one of these, else another."""
    for method in methods:
        otherwise = If("method", then, otherwise, method)
    return otherwise


_A: Final = Inferred("a")
_INDEX: Final = Default("i")
_BOOL: Final = Fixed(dt.bool_)
_SUM: Final = Begun(_into(Asked(Converted(_A, SUMS))))
_MEAN: Final = _into(Asked(Converted(_A, MEANS)))
_VARIANCE: Final = Asked(Converted(_A, f"{MEANS} c=real"))

_MINUS: Final = TWO["subtract"]
_DEVIATIONS: Final = Loop(_MINUS, "a mean")
_SQUARED: Final = Converted(_DEVIATIONS, "c=real")
#: Around a mean that is given. The variance of floats is complex around a complex mean, but not that of bfloat16.
_COMPLEX: Final = Checked(_DEVIATIONS, Converted(_A, "bfloat16=unknown"))
_OF_FLOATS: Final = IfKind("mean", "c", IfKind("a", "c", _SQUARED, _COMPLEX), _SQUARED)
_AROUND_MEAN: Final = Asked(IfKind("a", "bui", Checked(Fixed(dt.float64), _DEVIATIONS), _OF_FLOATS))
_SPREAD_OUT: Final = If("mean", _AROUND_MEAN, _VARIANCE)

_KEPT: Final = "keepdims=..., initial=..., where=..."
_SUMMED: Final = f"a, axis=None, dtype=None, out=None, {_KEPT}"
_AVERAGED: Final = "a, axis=None, dtype=None, out=None, keepdims=..., *, where=..."
_SPREAD: Final = "a, axis=None, dtype=None, out=None, ddof=0, keepdims=..., *, where=..., mean=None, correction=..."
_PLACED: Final = "a, axis=None, out=None, *, keepdims=..."


def _beside(q: Rule) -> Rule:
    """The dtype of the array and of the numbers that positions are computed with."""
    # NumPy computes with bfloat16 and integers, although they do not promote.
    return Checked(OrUnknown(Joined.of(_A, q)), Converted(_A, "b=refused c=refused"))


def _between(of_places: str = "") -> Rule:
    """The rule between two elements. A Python number is ignored, except beside bool: there it is a NumPy scalar.

    `of_places`: how else an array `q` is converted.
    """
    return IfNumber(
        "q",
        Joined.of(
            SinceTwo(Converted(_A, QUANTILES + " bfloat16=float32"), Converted(_A, QUANTILES + " f=float64")),
            Converted(Inferred("q"), "b=float64 i=bool u=bool f=bool c=bool"),
        ),
        _beside(Converted(Inferred("q"), f"{MEANS} c=refused {of_places}")),
    )


_BETWEEN: Final = _between()
#: Some methods compute positions in the integers of `q`, where bool counts as int64; they subtract one from unsigned
#: ones.
_AT_INTEGERS: Final = IfKind(
    "q",
    "b",
    _beside(Fixed(dt.int64)),
    IfNumber("q", _BETWEEN, _beside(Converted(Inferred("q"), "u=unknown c=refused"))),
)
_PICKED: Final = Converted(_A, "c=refused")
_BY_FLOATS: Final = _between("bfloat16=float32")
_PICKING: Final = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
_COUNTING: Final = ("weibull", "interpolated_inverted_cdf")
_QUANTILE: Final = "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None"


def _quantile(linear: Rule, otherwise: Rule) -> Rule:
    """The rule of a quantile. With some methods the result is an element of the array."""
    return LastWord(_by_method(_PICKING, _PICKED, If("method", linear, otherwise, "linear")))


_AT: Final = _quantile(IfKind("q", "bui", _PICKED, _BETWEEN), _by_method(_COUNTING, _AT_INTEGERS, _BY_FLOATS))
_AT_PERCENT: Final = _quantile(_BETWEEN, _by_method(_COUNTING, _BETWEEN, _BY_FLOATS))


def _accumulated(names: str, rule: Rule) -> tuple[Entry, Entry]:
    """The methods `reduce` and `accumulate` of ufuncs."""
    reduce = " ".join(f"{name}.reduce" for name in names.split())
    accumulate = " ".join(f"{name}.accumulate" for name in names.split())
    parameters = "array, /, axis=0, dtype=None, out=None"
    return (reduce, f"{parameters}, *, {_KEPT}", Begun(rule)), (accumulate, parameters, rule)


def _of_integers(ufunc: Ufunc, refused: str) -> Rule:
    """The rule of these methods for a ufunc that has no loop for some kinds of dtype. Truth values take integers."""
    return If(
        "out",
        Checked(Converted(Same("out"), "fc=refused"), Loop(ufunc, "array out")),
        Asked(Loop(ufunc, "array array"), table=refused),
    )


_ARRAY: Final = Inferred("array")
_BITS: Final = TWO["bitwise_and bitwise_or bitwise_xor"]
_LOGICAL: Final = "logical_and logical_or logical_xor"

#: What unique may return besides the elements.
UNIQUE_FLAGS: Final = ("return_index", "return_inverse", "return_counts")
_X: Final = Inferred("x")
_BOTH: Final = Promoted("ar1 ar2", full=True)
_UNIQUE: Final = Inferred("ar")
_AVERAGE: Final = If("weights", Joined.of(Inferred("weights"), _A, Converted(_A, MEANS)), Converted(_A, MEANS))


ROWS: Final[Rows] = table(
    "numpy",
    ("sum prod nansum nanprod", _SUMMED, _SUM),
    ("cumsum cumprod nancumsum nancumprod", "a, axis=None, dtype=None, out=None", _SUM),
    (
        "cumulative_sum cumulative_prod",
        "x, /, *, axis=None, dtype=None, out=None, include_initial=False",
        _into(Asked(Converted(_X, SUMS))),
    ),
    ("mean", _AVERAGED, _MEAN),
    ("nanmean", _AVERAGED, Inexact(_MEAN)),
    ("var", _SPREAD, _into(_SPREAD_OUT)),
    ("std", _SPREAD, Into(_SPREAD_OUT)),
    ("nanvar", _SPREAD, Inexact(_into(_VARIANCE))),
    ("nanstd", _SPREAD, Inexact(Into(_VARIANCE))),
    ("max min nanmax nanmin", f"a, axis=None, out=None, {_KEPT}", Begun(_into(_A))),
    # The maxima are written to `out`, and the minima subtracted in place.
    (
        "ptp",
        "a, axis=None, out=None, keepdims=None",
        If("out", InPlace(Loop(_MINUS, "out a"), "out"), Loop(_MINUS, "a a")),
    ),
    ("argmax argmin nanargmax nanargmin", _PLACED, Into(_INDEX, fit=Fit.READ)),
    ("any all", "a, axis=None, out=None, keepdims=..., *, where=...", _into(_BOOL)),
    ("median nanmedian", "a, axis=None, out=None, overwrite_input=False, keepdims=False", _into(Converted(_A, MEANS))),
    ("quantile", _QUANTILE, Into(_AT)),
    ("nanquantile", _QUANTILE, _into(_AT)),
    ("percentile", _QUANTILE, Into(_AT_PERCENT)),
    ("nanpercentile", _QUANTILE, _into(_AT_PERCENT)),
    ("count_nonzero", "a, axis=None, *, keepdims=False", _INDEX),
    ("sort", "a, axis=-1, kind=None, order=None, *, stable=None", _A),
    ("argsort", "a, axis=-1, kind=None, order=None, *, stable=None", _INDEX),
    ("partition", "a, kth, axis=-1, kind='introselect', order=None", _A),
    ("argpartition", "a, kth, axis=-1, kind='introselect', order=None", _INDEX),
    ("lexsort", "keys, axis=-1", _INDEX),
    (
        "unique",
        "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True",
        with_indices(_UNIQUE, *UNIQUE_FLAGS),
    ),
    ("unique_values", "x", _X),
    ("unique_counts unique_inverse", "x", Several.of(_X, _INDEX)),
    ("unique_all", "x", Several.of(_X, _INDEX, _INDEX, _INDEX)),
    ("searchsorted", "a, v, side='left', sorter=None", _INDEX),
    ("digitize", "x, bins, right=False", Checked(_INDEX, Converted(Inferred("x"), "c=refused"))),
    ("isin", "element, test_elements, assume_unique=False, invert=False, *, kind=None", _BOOL),
    (
        "average",
        "a, axis=None, weights=None, returned=False, *, keepdims=...",
        If("returned", Several.of(_AVERAGE, _AVERAGE), _AVERAGE, True),
    ),
    (
        "intersect1d",
        "ar1, ar2, assume_unique=False, return_indices=False",
        If("return_indices", Several.of(_BOTH, _INDEX, _INDEX), _BOTH, True),
    ),
    ("setxor1d", "ar1, ar2, assume_unique=False", _BOTH),
    ("setdiff1d", "ar1, ar2, assume_unique=False", Inferred("ar1")),
    ("union1d", "ar1, ar2", Promoted("ar1 ar2")),
    *_accumulated("add multiply", _into(Asked(Converted(_ARRAY, SUMS)))),
    *_accumulated("maximum minimum fmax fmin", _into(Asked(_ARRAY))),
    # Not for objects, which stay objects. So the result for an array of unknown dtype is unknown.
    *_accumulated(_LOGICAL, _into(Loop(TWO[_LOGICAL], "array array"))),
    *_accumulated("bitwise_and bitwise_or bitwise_xor", _of_integers(_BITS, "fc=refused")),
    *_accumulated("gcd lcm", _of_integers(TWO["gcd lcm"], "bfc=refused")),
)
