"""Methods and attributes that cast or keep a dtype: (library, name) -> what becomes of dtype and rank.

Every row was measured by executing the library (JAX 0.10.2, PyTorch 2.13, NumPy 2.4, Dask 2026.8, array-api-strict
2.6, PaddlePaddle 3.3); the tests execute all of them again. Only CuPy's could not be: its reference says that they are
NumPy's. Methods whose dtype follows from promotion or reduction are functions, not rows of this table.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts

DType = type[dt.Shaped]


class DtypeEffect(enum.Enum):
    """What a method makes of the dtype of its array."""

    SAME = "same dtype"
    STRONG = "same dtype, no longer weak"
    SAME_IF_STRONG = "same dtype, perhaps no longer weak"
    REAL_PART = "real part"
    FIXED = "cast to a dtype"
    CAST = "cast to argument"
    CAST_OR_SAME = "cast to argument, same dtype without it"
    LIKE_OTHER = "dtype of the array given"
    VIEW = "bytes read as the argument's dtype"
    QUOTIENT = "dtype of x / x"
    POWER = "dtype of x ** x"


class RankEffect(enum.Enum):
    """What a method makes of the number of dimensions."""

    UNKNOWN = "unknown"
    SAME = "same rank"
    ONE = "1-d"
    POSITIVE = "at least 1-d"
    NO_FEWER = "the same or more"
    MORE = "one more"
    LESS = "one less"
    SIZES = "as many as sizes are given"
    FLATTEN = "1-d without arguments"
    LIKE_OTHER = "rank of the array given"


class Undeclared(enum.Enum):
    """What a method returns, if the library's types do not say."""

    ARRAY = "an array"
    TUPLE = "a tuple of arrays"


@dataclass(frozen=True, slots=True)
class MethodRule:
    """The effect of a method or attribute; `target` is the dtype of a fixed cast."""

    dtype: DtypeEffect = DtypeEffect.SAME
    rank: RankEffect = RankEffect.UNKNOWN
    target: DType | None = None
    undeclared: Undeclared | None = None

    def rank_of(self, rank: RankFacts) -> RankFacts:
        """The rank of the result, where it does not depend on arguments."""
        match self.rank:
            case RankEffect.SAME:
                return rank
            case RankEffect.ONE:
                return RankFacts.of(1)
            case RankEffect.POSITIVE:
                return AT_LEAST_ONE
            case RankEffect.NO_FEWER:
                return AT_LEAST_ONE if rank.positive else UNKNOWN_RANK
            case RankEffect.MORE:
                return rank.shifted(1) if rank.exact is not None else AT_LEAST_ONE
            case RankEffect.LESS:
                return rank.shifted(-1)
            case _:
                return UNKNOWN_RANK


Rules = Mapping[str, MethodRule]


def real_part(dtype: DType) -> DType:
    """The dtype of `x.real`: a complex dtype's part, any other dtype itself."""
    return dt.REAL_PARTS.get(dtype, dtype)


def _rows(names: str, dtype: DtypeEffect = DtypeEffect.SAME, rank: RankEffect = RankEffect.UNKNOWN) -> Rules:
    return dict.fromkeys(names.split(), MethodRule(dtype, rank))


# --- JAX: arrays carry no rank ---------------------------------------------------------------------------
# Weak stays weak wherever the array is only rearranged. `byteswap` makes it strong, `diagonal` if the matrix is square.

JAX_METHODS: Final[Rules] = MappingProxyType(
    {
        **_rows(
            "ravel flatten squeeze reshape transpose swapaxes repeat take copy conj conjugate sort round"
            " block_until_ready to_device addressable_data"
        ),
        "byteswap": MethodRule(DtypeEffect.STRONG),
        "diagonal": MethodRule(DtypeEffect.SAME_IF_STRONG),
        "astype": MethodRule(DtypeEffect.CAST),
        "view": MethodRule(DtypeEffect.VIEW),
    }
)

JAX_ATTRIBUTES: Final[Rules] = MappingProxyType({**_rows("T mT"), **_rows("real imag", DtypeEffect.REAL_PART)})

# `x.at[i].set(y)`: y is cast to the dtype of x. Divide and power apply to the whole of x, with ones elsewhere.
JAX_UPDATES: Final[Rules] = MappingProxyType(
    {
        **_rows("get set add subtract mul multiply min max apply"),
        "divide": MethodRule(DtypeEffect.QUOTIENT),
        "power": MethodRule(DtypeEffect.POWER),
    }
)

# --- PyTorch ---------------------------------------------------------------------------------------------

_TORCH_CASTS: Final[Mapping[str, DType]] = {
    "bool": dt.bool_,
    "byte": dt.uint8,
    "char": dt.int8,
    "short": dt.int16,
    "int": dt.int32,
    "long": dt.int64,
    "half": dt.float16,
    "bfloat16": dt.bfloat16,
    "float": dt.float32,
    "double": dt.float64,
    "chalf": dt.complex32,
}

# A method that ends in an underscore returns the tensor itself, so neither dtype nor rank can change
# (those that change the shape in place stand below).
_TORCH_IN_PLACE: Final = (
    "abs_ add_ addcdiv_ addcmul_ addmm_ bernoulli_ bitwise_and_ bitwise_not_ bitwise_or_ bitwise_xor_ ceil_ clamp_"
    " clamp_max_ clamp_min_ clip_ copy_ cos_ cumsum_ detach_ div_ erf_ exp_ fill_ fill_diagonal_ floor_"
    " floor_divide_ fmod_ index_add_ index_copy_ index_fill_ index_put_ lerp_ log_ logical_and_ logical_not_"
    " logical_or_ logit_ masked_fill_ masked_scatter_ mul_ nan_to_num_ neg_ normal_ pow_ random_ reciprocal_ relu_"
    " remainder_ requires_grad_ round_ rsqrt_ scatter_ scatter_add_ sigmoid_ sign_ sin_ sqrt_ square_ sub_ swapaxes_"
    " tanh_ transpose_ tril_ triu_ trunc_ uniform_ zero_"
)

TORCH_METHODS: Final[Rules] = MappingProxyType(
    {
        **{name: MethodRule(DtypeEffect.FIXED, RankEffect.SAME, dtype) for name, dtype in _TORCH_CASTS.items()},
        **_rows(_TORCH_IN_PLACE, rank=RankEffect.SAME),
        **_rows(
            "clone contiguous cpu cuda xpu detach pin_memory to_dense conj resolve_conj resolve_neg"
            " permute transpose swapaxes swapdims movedim moveaxis t adjoint flip fliplr flipud roll rot90 tril triu"
            " narrow narrow_copy index_add index_copy index_fill index_put scatter"
            " scatter_add positive chunk split_with_sizes tensor_split unsafe_split unsafe_chunk",
            rank=RankEffect.SAME,
        ),
        **_rows("squeeze squeeze_ gather take take_along_dim resize_ index_select"),
        **_rows("masked_fill masked_scatter tile", rank=RankEffect.NO_FEWER),
        **_rows("diag repeat_interleave", rank=RankEffect.POSITIVE),
        **_rows("ravel masked_select", rank=RankEffect.ONE),
        **_rows("unsqueeze unsqueeze_ unfold diag_embed", rank=RankEffect.MORE),
        **_rows("select diagonal unbind", rank=RankEffect.LESS),
        **_rows("reshape expand repeat broadcast_to as_strided", rank=RankEffect.SIZES),
        **_rows("expand_as view_as reshape_as", rank=RankEffect.LIKE_OTHER),
        **_rows("new_zeros new_ones new_empty new_full", DtypeEffect.CAST_OR_SAME, RankEffect.SIZES),
        "share_memory_": MethodRule(rank=RankEffect.SAME, undeclared=Undeclared.ARRAY),
        "split": MethodRule(rank=RankEffect.SAME, undeclared=Undeclared.TUPLE),
        "unflatten": MethodRule(rank=RankEffect.POSITIVE, undeclared=Undeclared.ARRAY),
        "new_tensor": MethodRule(DtypeEffect.CAST_OR_SAME),
        "flatten": MethodRule(rank=RankEffect.FLATTEN),
        "to": MethodRule(DtypeEffect.CAST_OR_SAME, RankEffect.SAME),
        "type": MethodRule(DtypeEffect.CAST, RankEffect.SAME),
        "type_as": MethodRule(DtypeEffect.LIKE_OTHER, RankEffect.SAME),
        "view": MethodRule(DtypeEffect.VIEW, RankEffect.SIZES),
    }
)

TORCH_ATTRIBUTES: Final[Rules] = MappingProxyType(
    {
        **_rows("T mT H mH data", rank=RankEffect.SAME),
        **_rows("real imag", DtypeEffect.REAL_PART, RankEffect.SAME),
    }
)

# --- Dask: `conj` of a bool array is int8, and `round` of one not of the dtype that it declares -----------

DASK_METHODS: Final[Rules] = MappingProxyType(
    {
        **_rows("ravel flatten squeeze reshape transpose swapaxes repeat copy rechunk persist"),
        "astype": MethodRule(DtypeEffect.CAST),
        "view": MethodRule(DtypeEffect.VIEW),
    }
)

DASK_ATTRIBUTES: Final[Rules] = MappingProxyType({**_rows("T"), **_rows("real imag", DtypeEffect.REAL_PART)})

# --- the array API standard: everything else is a function -----------------------------------------------

ARRAY_API_METHODS: Final[Rules] = MappingProxyType(_rows("to_device"))

ARRAY_API_ATTRIBUTES: Final[Rules] = MappingProxyType(_rows("T mT"))

# --- CuPy ------------------------------------------------------------------------------------------------

CUPY_METHODS: Final[Rules] = MappingProxyType(
    {
        **_rows("ravel flatten squeeze reshape transpose swapaxes repeat take copy diagonal"),
        "astype": MethodRule(DtypeEffect.CAST),
        "view": MethodRule(DtypeEffect.VIEW),
    }
)

CUPY_ATTRIBUTES: Final[Rules] = MappingProxyType({**_rows("T mT"), **_rows("real imag", DtypeEffect.REAL_PART)})

# --- PaddlePaddle ----------------------------------------------------------------------------------------

_PADDLE_CASTS: Final[Mapping[str, DType]] = {
    "bool": dt.bool_,
    "byte": dt.uint8,
    "char": dt.int8,
    "short": dt.int16,
    "int": dt.int32,
    "long": dt.int64,
    "half": dt.float16,
    "float": dt.float32,
    "double": dt.float64,
    "cfloat": dt.complex64,
    "cdouble": dt.complex128,
    **{
        dtype.name: dtype
        for dtype in (
            *(dt.int8, dt.int16, dt.int32, dt.int64, dt.bfloat16, dt.float16, dt.float32, dt.float64),
            *(dt.complex64, dt.complex128),
        )
    },
}

PADDLE_METHODS: Final[Rules] = MappingProxyType(
    {
        **{name: MethodRule(DtypeEffect.FIXED, RankEffect.SAME, dtype) for name, dtype in _PADDLE_CASTS.items()},
        **_rows(
            "clone contiguous cpu cuda pin_memory detach conj transpose permute swapaxes moveaxis t flip roll rot90"
            " tril triu chunk split",
            rank=RankEffect.SAME,
        ),
        **_rows("squeeze gather index_select"),
        **_rows("masked_select", rank=RankEffect.ONE),
        **_rows("unsqueeze diag_embed", rank=RankEffect.MORE),
        **_rows("unbind diagonal", rank=RankEffect.LESS),
        **_rows("reshape expand broadcast_to", rank=RankEffect.SIZES),
        **_rows("expand_as", rank=RankEffect.LIKE_OTHER),
        "flatten": MethodRule(rank=RankEffect.FLATTEN),
        "real": MethodRule(DtypeEffect.REAL_PART, RankEffect.SAME),
        "imag": MethodRule(DtypeEffect.REAL_PART, RankEffect.SAME),
        "astype": MethodRule(DtypeEffect.CAST, RankEffect.SAME),
        "cast": MethodRule(DtypeEffect.CAST, RankEffect.SAME),
        "type_as": MethodRule(DtypeEffect.LIKE_OTHER, RankEffect.SAME),
    }
)

PADDLE_ATTRIBUTES: Final[Rules] = MappingProxyType(
    dict.fromkeys(("T", "mT"), MethodRule(rank=RankEffect.SAME, undeclared=Undeclared.ARRAY))
)

# --- NumPy: only what its stubs lose ---------------------------------------------------------------------

NUMPY_METHODS: Final[Rules] = MappingProxyType(
    {"astype": MethodRule(DtypeEffect.CAST), "view": MethodRule(DtypeEffect.VIEW)}
)

NUMPY_ATTRIBUTES: Final[Rules] = MappingProxyType(_rows("real imag", DtypeEffect.REAL_PART))

#: Library -> methods, attributes; for libraries whose array class carries a dtype of ours.
METHODS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "jax": JAX_METHODS,
        "torch": TORCH_METHODS,
        "dask": DASK_METHODS,
        "array-api": ARRAY_API_METHODS,
        "cupy": CUPY_METHODS,
        "paddle": PADDLE_METHODS,
        "tensorflow": MappingProxyType({}),
    }
)
ATTRIBUTES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "jax": JAX_ATTRIBUTES,
        "torch": TORCH_ATTRIBUTES,
        "dask": DASK_ATTRIBUTES,
        "array-api": ARRAY_API_ATTRIBUTES,
        "cupy": CUPY_ATTRIBUTES,
        "paddle": PADDLE_ATTRIBUTES,
        "tensorflow": MappingProxyType({}),
    }
)
