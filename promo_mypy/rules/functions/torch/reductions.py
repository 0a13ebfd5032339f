"""PyTorch's reductions, sorting and searching. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Alike, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Exactly, IfEqual, IfGiven, Kept, Reduced, Unstated
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several, with_indices
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same

_X: Final = Same("input")
_NANMEAN: Final = Converted(Asked(_X), "bui=refused")
_SAME_RANK: Final = Kept("input")
_REDUCED: Final = Reduced("input")
_INDEX: Final = Fixed(dt.int64)
_FOUND: Final = If("out_int32", Fixed(dt.int32), _INDEX, True)
#: The comparison runs in the promoted dtype, and has no kernel for wide unsigned integers.
_COMPARED: Final = "uint16=refused uint32=refused uint64=refused bc=refused"
_WIDE: Final = "uint16=refused uint32=refused uint64=refused"
# CUDA has a kernel for complex32.
_EACH: Final = Several.of(
    *(Converted(Same(name), "complex32=complex32 bc=refused") for name in ("elements", "test_elements"))
)
_BINNED: Final = Converted(_X, "buic=refused bfloat16=refused float16=refused")
#: Weights are integers (frequencies) or floats, with which the deviations promote.
_COVARIANCE: Final = If(
    "aweights",
    Checked(
        IfScalar("input aweights", Python(), Promoted("input aweights")),
        Several.of(Converted(Same("aweights"), "buic=refused"), Converted(_X, "b=refused")),
    ),
    Converted(_X, "b=refused ui=float"),
)
_FOUND_IN: Final = Checked(Checked(Fixed(dt.bool_), Converted(Promoted("elements test_elements"), _WIDE)), _EACH)
_OVER: Final = "input, dim=None, keepdim=False, *, dtype=None, out=None"
_SUMMED: Final = Converted(_X, "bui=int64")
_SUM: Final = Asked(_SUMMED)
_MEAN: Final = Converted(Asked(_X), "bui=refused")
_REAL: Final = Converted(_X, "c=refused")
_DRAWN: Final = Converted(_X, "buic=refused")
_SPREAD: Final = "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None"
_VARIANCE: Final = Converted(_X, "bui=refused c=real")
_ALONG: Final = "input, dim=None, keepdim=False, *, out=None"
_TRUTH: Final = Converted(_X, "uint8=uint8 buifc=bool")
_PAIR: Final = Several.of(_REAL, _INDEX)


def _alone(table: str) -> Rule:
    """A result and its index. A 0-d tensor of any dtype is its own result."""
    return Several.of(IfScalar("input", _X, Converted(_X, table)), _INDEX)


def _extreme() -> Rule:
    """The extreme of one tensor, with indices along a dimension; or the comparison of two tensors."""
    compared = Converted(Promoted("input dim"), "c=refused")
    return If(
        "other", Converted(Promoted("input other"), "c=refused"), If("dim", IfNumber("dim", _PAIR, compared), _REAL)
    )


# CUDA has a kernel that reduces all elements of a bool tensor.
_MEDIAN: Final = If("dim", Several.of(Converted(_X, "bc=refused"), _INDEX), Converted(_X, "c=refused"))
# With a complex dtype argument it sums integers, but not floats. It sums complex numbers only on CUDA.
_NANSUM: Final = Asked(Converted(_X, "bui=int64"), table="c=unknown")

ROWS: Final[Rows] = table(
    "torch",
    ("sum prod", _OVER, _SUM, _REDUCED),
    ("nansum", _OVER, _NANSUM, _REDUCED),
    (
        "cumsum cumprod",
        "input, dim, *, dtype=None, out=None",
        IfScalar("input", Asked(_SUMMED), Asked(_SUMMED, table="b=refused")),
        _SAME_RANK,
    ),
    ("cummax cummin", "input, dim, *, out=None", _alone("c=refused"), _SAME_RANK),
    ("logcumsumexp", "input, dim, *, out=None", Converted(_X, "bui=refused"), _SAME_RANK),
    ("mean", _OVER, _MEAN, _REDUCED),
    ("nanmean", _OVER, CheckedIfKnown(_NANMEAN, Converted(_X, "bui=refused")), _REDUCED),
    ("var std", _SPREAD, _VARIANCE, _REDUCED),
    ("var_mean std_mean", _SPREAD, Several.of(_VARIANCE, Converted(_X, "bui=refused")), _REDUCED),
    (
        "max min",
        "input, dim=None, keepdim=False, *, other=None, out=None",
        _extreme(),
        IfGiven("other", Broadcast("input other"), IfGiven("dim", Broadcast("input dim"), _REDUCED, array=True)),
    ),
    ("amax amin", "input, dim=None, keepdim=False, *, out=None", _REAL, _REDUCED),
    ("aminmax", "input, *, dim=None, keepdim=False, out=None", Several.of(_REAL, _REAL), _REDUCED),
    ("argmax argmin", _ALONG, Checked(_INDEX, Converted(_X, "bc=refused")), _REDUCED),
    ("any all", _ALONG, _TRUTH, _REDUCED),
    ("median nanmedian", _ALONG, _MEDIAN, _REDUCED),
    ("mode", "input, dim=-1, keepdim=False, *, out=None", _alone("c=refused"), _REDUCED),
    ("kthvalue", "input, k, dim=-1, keepdim=False, *, out=None", _alone("bc=refused"), _REDUCED),
    (
        "topk",
        "input, k, dim=-1, largest=True, sorted=True, *, out=None",
        Several.of(Converted(_X, "bc=refused"), _INDEX),
        _SAME_RANK,
    ),
    (
        "quantile nanquantile",
        "input, q, dim=None, keepdim=False, *, interpolation='linear', out=None",
        CheckedIfKnown(
            Converted(_X, "bui=refused bfloat16=refused float16=refused c=refused"),
            IfNumber("q", _X, Alike("input q")),
        ),
        IfGiven("q", Unstated(), _REDUCED, array=True),
    ),
    ("logsumexp", "input, dim, keepdim=False, *, out=None", Converted(_X, "bui=float"), _REDUCED),
    (
        "softmax log_softmax",
        "input, dim, dtype=None, *, out=None",
        Converted(Asked(_X), "buic=refused"),
        _SAME_RANK,
    ),
    ("count_nonzero", "input, dim=None", _INDEX, _REDUCED),
    ("sort", "input, dim=-1, descending=False, *, stable=None, out=None", _PAIR, _SAME_RANK),
    ("msort", "input, *, out=None", _REAL, _SAME_RANK),
    ("argsort", "input, dim=-1, descending=False, *, stable=False, out=None", Checked(_INDEX, _REAL), _SAME_RANK),
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
    (
        "nonzero",
        "input, *, as_tuple=False, out=None",
        If("as_tuple", Listed(_INDEX), _INDEX, True),
        IfEqual("as_tuple", True, Exactly(1), Exactly(2)),
    ),
    ("argwhere", "input", _INDEX, Exactly(2)),
    (
        "diff",
        "input, n=1, dim=-1, prepend=None, append=None, *, out=None",
        Promoted("prepend input append"),
        _SAME_RANK,
    ),
    (
        "searchsorted",
        "sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None, out=None",
        Checked(_FOUND, Converted(Promoted("sorted_sequence input"), _COMPARED)),
        _SAME_RANK,
    ),
    (
        "bucketize",
        "input, boundaries, *, out_int32=False, right=False, out=None",
        Checked(_FOUND, Converted(Promoted("input boundaries"), _COMPARED)),
        _SAME_RANK,
    ),
    (
        "bincount",
        "input, weights=None, minlength=0",
        Checked(
            If("weights", Converted(Same("weights"), "float32=float32 buifc=float64"), _INDEX),
            Converted(_X, "bfc=refused"),
        ),
        Exactly(1),
    ),
    ("histc", "input, bins=100, min=0, max=0, *, out=None", Converted(_X, "bc=refused"), Exactly(1)),
    (
        "histogram",
        "input, bins, *, range=None, weight=None, density=False, out=None",
        Several.of(*[If("weight", Checked(_BINNED, Alike("input weight")), _BINNED)] * 2),
        Exactly(1),
    ),
    ("isin", "elements, test_elements, *, assume_unique=False, invert=False, out=None", _FOUND_IN, Kept("elements")),
    (
        "cov",
        "input, *, correction=1, fweights=None, aweights=None",
        If("fweights", Checked(_COVARIANCE, Converted(Same("fweights"), "bfc=refused")), _COVARIANCE),
    ),
    ("corrcoef", "input", Converted(_X, "b=refused ui=float")),
    ("trace", "input", Converted(_X, "bui=int64"), Exactly(0)),
    (
        "multinomial",
        "input, num_samples, replacement=False, *, generator=None, out=None",
        Checked(_INDEX, _DRAWN),
        _SAME_RANK,
    ),
    ("bernoulli", "input, p=None, *, generator=None, out=None", If("p", _X, _DRAWN), _SAME_RANK),
    ("poisson", "input, generator=None", _DRAWN, _SAME_RANK),
)
