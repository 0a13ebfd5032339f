"""PyTorch's reductions, sorting and searching. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.choosing import Checked, If, IfNumber, Listed, Several, with_indices
from promo_mypy.rules.functions.conversions import Converted
from promo_mypy.rules.functions.rows import Rows, Rule, table
from promo_mypy.rules.functions.vocabulary import (
    Asked,
    Fixed,
    Into,
    Promoted,
    Same,
)

_X: Final = Same("input")
_INDEX: Final = Fixed(dt.int64)
_FOUND: Final = If("out_int32", Fixed(dt.int32), _INDEX, True)
_FOUND_IN: Final = Checked(
    Fixed(dt.bool_), Several.of(*(Converted(Same(name), "bc=refused") for name in ("elements", "test_elements")))
)
_OVER: Final = "input, dim=None, keepdim=False, *, dtype=None, out=None"
_SUM: Final = Into(Asked(Converted(_X, "bui=int64")))
_MEAN: Final = Into(Converted(Asked(_X), "bui=refused"))
_REAL: Final = Converted(_X, "c=refused")
_DRAWN: Final = Converted(_X, "buic=refused")
_SPREAD: Final = "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None"
_VARIANCE: Final = Converted(_X, "bui=refused c=real")
_ALONG: Final = "input, dim=None, keepdim=False, *, out=None"
_TRUTH: Final = Into(Converted(_X, "uint8=uint8 buifc=bool"))
_PAIR: Final = Several.of(_REAL, _INDEX)


def _along(rule: Rule) -> Rule:
    """A result, or along a dimension the results and their indices."""
    return If("dim", Several.of(rule, _INDEX), rule)


def _extreme() -> Rule:
    """One tensor; a dimension gives indices, too; a second tensor is compared with the first."""
    compared = Converted(Promoted("input dim"), "c=refused")
    return If(
        "other", Converted(Promoted("input other"), "c=refused"), If("dim", IfNumber("dim", _PAIR, compared), _REAL)
    )


# Into a complex dtype it sums integers, not floats.
_NANSUM: Final = Into(Checked(Asked(Converted(_X, "bui=int64"), table="c=unknown"), Converted(_X, "c=refused")))

ROWS: Final[Rows] = table(
    "torch",
    ("sum prod", _OVER, _SUM),
    ("nansum", _OVER, _NANSUM),
    (
        "cumsum cumprod",
        "input, dim, *, dtype=None, out=None",
        Into(Asked(Converted(_X, "bui=int64"), table="b=refused")),
    ),
    ("cummax cummin", "input, dim, *, out=None", _PAIR),
    ("logcumsumexp", "input, dim, *, out=None", Into(Converted(_X, "bui=refused"))),
    ("mean", _OVER, _MEAN),
    ("nanmean", _OVER, Into(Converted(Asked(_X), "buic=refused"))),
    ("var std", _SPREAD, Into(_VARIANCE)),
    ("var_mean std_mean", _SPREAD, Several.of(_VARIANCE, Converted(_X, "bui=refused"))),
    ("max min", "input, dim=None, keepdim=False, *, other=None, out=None", _extreme()),
    ("amax amin", "input, dim=None, keepdim=False, *, out=None", Into(_REAL)),
    ("aminmax", "input, *, dim=None, keepdim=False, out=None", Several.of(_REAL, _REAL)),
    ("argmax argmin", _ALONG, Into(Checked(_INDEX, Converted(_X, "bc=refused")))),
    ("any all", _ALONG, _TRUTH),
    ("median nanmedian", _ALONG, _along(Converted(_X, "bc=refused"))),
    ("mode", "input, dim=-1, keepdim=False, *, out=None", _PAIR),
    ("kthvalue", "input, k, dim=-1, keepdim=False, *, out=None", Several.of(Converted(_X, "bc=refused"), _INDEX)),
    (
        "topk",
        "input, k, dim=-1, largest=True, sorted=True, *, out=None",
        Several.of(Converted(_X, "bc=refused"), _INDEX),
    ),
    (
        "quantile nanquantile",
        "input, q, dim=None, keepdim=False, *, interpolation='linear', out=None",
        Into(Converted(_X, "bui=refused bfloat16=refused float16=refused c=refused")),
    ),
    ("logsumexp", "input, dim, keepdim=False, *, out=None", Into(Converted(_X, "bui=float"))),
    ("softmax log_softmax", "input, dim, dtype=None, *, out=None", Into(Converted(Asked(_X), "buic=refused"))),
    ("count_nonzero", "input, dim=None", _INDEX),
    ("sort", "input, dim=-1, descending=False, *, stable=None, out=None", _PAIR),
    ("msort", "input, *, out=None", Into(_REAL)),
    ("argsort", "input, dim=-1, descending=False, *, stable=False, out=None", Checked(_INDEX, _REAL)),
    (
        "unique",
        "input, sorted=True, return_inverse=False, return_counts=False, dim=None",
        with_indices(_REAL, "return_inverse", "return_counts"),
    ),
    (
        "unique_consecutive",
        "input, return_inverse=False, return_counts=False, dim=None",
        with_indices(_REAL, "return_inverse", "return_counts"),
    ),
    ("nonzero", "input, *, as_tuple=False, out=None", If("as_tuple", Listed(_INDEX), _INDEX, True)),
    ("argwhere", "input", _INDEX),
    ("diff", "input, n=1, dim=-1, prepend=None, append=None, *, out=None", Into(Promoted("prepend input append"))),
    (
        "searchsorted",
        "sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None, out=None",
        Checked(_FOUND, Converted(Same("sorted_sequence"), "bc=refused")),
    ),
    (
        "bucketize",
        "input, boundaries, *, out_int32=False, right=False, out=None",
        Checked(_FOUND, Converted(Same("boundaries"), "bc=refused")),
    ),
    (
        "bincount",
        "input, weights=None, minlength=0",
        Checked(
            If("weights", Converted(Same("weights"), "float32=float32 buif=float64 c=refused"), _INDEX),
            Converted(_X, "bfc=refused"),
        ),
    ),
    ("histc", "input, bins=100, min=0, max=0, *, out=None", Into(Converted(_X, "buic=refused"))),
    ("isin", "elements, test_elements, *, assume_unique=False, invert=False, out=None", _FOUND_IN),
    ("cov", "input, *, correction=1, fweights=None, aweights=None", Converted(_X, "b=refused ui=float")),
    ("corrcoef", "input", Converted(_X, "b=refused ui=float")),
    ("trace", "input", Converted(_X, "b=refused ui=int64")),
    ("multinomial", "input, num_samples, replacement=False, *, generator=None, out=None", Checked(_INDEX, _DRAWN)),
    ("bernoulli", "input, p=None, *, generator=None, out=None", Into(If("p", _X, _DRAWN))),
    ("poisson", "input, generator=None", _DRAWN),
)
