"""PyTorch: functions, and the methods and attributes of Tensor."""

from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import TORCH_TYPE_STRINGS
from promo_mypy.rules.functions.language.arguments import Argument, DtypeArgument, Items, Other, Unknown, Value
from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Stored, StoredByIndices
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Answer, Bound, NeverPromotes, RankRule
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Kept, Sized, Tiled, Unstated
from promo_mypy.rules.functions.language.rows import Library, Row, Rows, named, table
from promo_mypy.rules.functions.language.several_results import Listed
from promo_mypy.rules.functions.language.storing import InPlace
from promo_mypy.rules.functions.language.vocabulary import Asked, Cast, Item, Python, Same
from promo_mypy.rules.functions.torch import (
    batches,
    elementwise,
    functional,
    linear,
    losses,
    reductions,
    shaping,
    special,
    storage,
)
from promo_mypy.rules.functions.torch.aliases import ALIASES
from promo_mypy.rules.functions.torch.out_tensors import with_out
from promo_mypy.rules.functions.torch.shaping import CONDITIONS, INDICES
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.ranks import RankFacts
from promo_mypy.rules.records import rule

_SELF: Final = Same("self")


@rule
class _To(NeverPromotes):
    """`x.to(...)`: a dtype, a tensor whose dtype is taken, a device, in any order."""

    takes_dtypes: ClassVar[bool] = True

    def answer(self, call: Call) -> Answer:
        """The tensor's own dtype if no dtype is given. An unknown argument may be a dtype or a device."""
        if call.given("dtype"):
            return call.dtype("dtype")
        given = _items(call.bound["args"])
        if given[:1] in ((Value(True),), (Value(False),)):
            raise Unresolved  # PyTorch reads it as a dtype
        for argument in (*given, call.bound["other"]):
            match argument:
                case DtypeArgument(dtype):
                    return call.stored(dtype)
                case Operand(dtype) if issubclass(dtype, dt.Shaped):
                    return call.promoted(argument)
                case Operand() | Value() | Other():  # the device, and whether to copy
                    pass
                case _:
                    raise Unresolved
        return _SELF.answer(call)


@rule
class _View(NeverPromotes):
    """`x.view(dtype)` reads the same bytes in another dtype; with sizes it keeps the dtype."""

    takes_dtypes: ClassVar[bool] = True

    def answer(self, call: Call) -> Answer:
        """A single unknown argument may be a size or a dtype."""
        if call.given("dtype"):
            return call.dtype("dtype")
        match _items(call.bound["args"]):
            case (DtypeArgument(dtype),):
                return call.stored(dtype)
            case (Unknown(),):
                raise Unresolved
        return _SELF.answer(call)


@rule
class _ViewRank(RankRule):
    """The same rank in another dtype, or the number of sizes."""

    def rank(self, bound: Bound) -> RankFacts:
        """Unknown if the argument is."""
        if bound["dtype"] != Value(None) or isinstance(bound["args"], DtypeArgument):
            return Kept("self").rank(bound)
        match _items(bound["args"]):
            case (DtypeArgument(),):
                return Kept("self").rank(bound)
        return Sized("args").rank(bound)


@rule
class _Type(NeverPromotes):
    """`x.type(dtype)`. The argument may be the name of a tensor class; without an argument the name of the own class is
    returned.
    """

    def answer(self, call: Call) -> Answer:
        """A dtype has several class names."""
        match call.bound["dtype"]:
            case Value(str() as name):
                if name not in TORCH_TYPE_STRINGS:
                    raise Unresolved
                return call.stored(TORCH_TYPE_STRINGS[name])
            case _:
                return Asked(Python()).answer(call)


@rule
class _Requiring(If):
    """`x.requires_grad_()`: only floats and complex numbers have gradients."""

    @property
    def checks(self) -> bool:
        """It rejects other dtypes."""
        return True


def _requiring(row: Row) -> Row:
    """The row of a function that makes a tensor, with the check of `requires_grad=True`."""
    if "requires_grad=False" not in row.signature:
        return row
    return replace(row, rule=_Requiring("requires_grad", Converted(row.rule, "bui=refused"), row.rule, value=True))


def _items(arguments: Argument) -> tuple[Argument, ...]:
    return arguments.items if isinstance(arguments, Items) else (arguments,)


_FUNCTIONS: Final[Rows] = {
    **with_out(elementwise.ROWS),
    **with_out(reductions.ROWS),
    **{name: _requiring(row) for name, row in with_out(shaping.ROWS).items()},
    **with_out(linear.ROWS),
    **with_out(functional.ROWS),
    **losses.ROWS,
    **batches.ROWS,
    **with_out(special.ROWS),
    **storage.FUNCTIONS,
}

#: Methods that equal a function of the tensor, with their further parameters.
_SHARED: Final = (
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log1p log2 log10 sqrt"
    " rsqrt reciprocal sigmoid erf erfc erfinv lgamma digamma deg2rad rad2deg logit floor ceil trunc round frac square"
    " abs neg positive sign sgn isnan isinf isfinite logical_not bitwise_not conj angle nan_to_num relu add sub mul"
    " remainder floor_divide div pow float_power fmod maximum minimum fmax fmin arctan2 hypot copysign nextafter"
    " logaddexp xlogy heaviside gcd lcm eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or"
    " bitwise_xor isclose allclose equal clamp clamp_min clamp_max lerp addcmul addcdiv sum prod nansum cumsum cumprod"
    " cummax cummin mean nanmean var std max min amax amin aminmax argmax argmin any all median nanmedian mode kthvalue"
    " topk quantile nanquantile logsumexp softmax log_softmax count_nonzero sort argsort unique unique_consecutive"
    " nonzero argwhere diff bincount histc cov corrcoef trace multinomial bernoulli dot vdot inner outer matmul mm bmm"
    " mv addmm addmv addr addbmm baddbmm kron cross norm inverse pinverse det logdet slogdet svd qr geqrf cholesky"
    " cholesky_inverse frexp histogram triangular_solve clone detach ravel t adjoint fliplr flipud flatten unflatten"
    " transpose swapaxes swapdims movedim moveaxis squeeze unsqueeze broadcast_to roll rot90 repeat_interleave"
    " tril triu diag diagonal diag_embed narrow select split chunk tensor_split hsplit vsplit dsplit unbind gather"
    " index_select masked_select masked_fill masked_scatter take take_along_dim put scatter scatter_add scatter_reduce"
    " index_add index_fill index_copy index_put index_reduce slice_scatter select_scatter diagonal_scatter is_complex"
    " is_floating_point numel absolute negative subtract multiply divide true_divide"
    " asin acos atan acosh asinh atanh atan2 bitwise_left_shift bitwise_right_shift conj_physical fix ger i0 is_nonzero"
    " isneginf isposinf logaddexp2 logcumsumexp msort signbit sinc clip not_equal less less_equal greater greater_equal"
    " resolve_conj resolve_neg isreal ldexp dist renorm matrix_power matrix_exp diagflat stft istft lu_solve"
    " cholesky_solve igamma igammac mvlgamma hardshrink"
)

_CASTS: Final = {
    "bool": dt.bool_, "byte": dt.uint8, "char": dt.int8, "short": dt.int16, "int": dt.int32, "long": dt.int64,
    "half": dt.float16, "bfloat16": dt.bfloat16, "float": dt.float32, "double": dt.float64, "chalf": dt.complex32,
    "cfloat": dt.complex64, "cdouble": dt.complex128,
}  # fmt: skip

#: Dtypes that `Tensor.numpy` rejects. Dtypes narrower than a byte hardly support any tensors.
_NOT_IN_NUMPY: Final = (
    "bfloat16=refused complex32=refused float8_e4m3fn=refused float8_e4m3fnuz=refused float8_e5m2=refused"
    " float8_e5m2fnuz=refused float8_e8m0fnu=refused"
)
_NEW: Final = "dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False"

_METHODS: Final = table(
    "torch",
    *((name, "self, memory_format=None", Cast(dtype)) for name, dtype in _CASTS.items()),
    ("type_as", "self, other", Same("other")),
    ("view_as expand_as reshape_as", "self, other", _SELF, Kept("other")),
    ("contiguous", "self, memory_format=None", _SELF),
    ("cpu", "self, memory_format=None", _SELF),
    ("cuda xpu pin_memory", "self, device=None, non_blocking=False, memory_format=None", _SELF),
    ("to_dense", "self, dtype=None, *, masked_grad=True", Asked(_SELF)),
    *storage.METHODS,
    ("view", "self, *args, dtype=None", _View(), _ViewRank()),
    ("reshape expand repeat resize_", "self, *args", _SELF, Sized("args")),
    ("permute flip", "self, *args", _SELF),
    ("tile", "self, *dims", _SELF, Tiled("self", "dims")),
    ("unfold", "self, dimension, size, step", _SELF, Kept("self", 1)),
    ("as_strided", "self, size, stride, storage_offset=None", _SELF, Sized("size")),
    ("narrow_copy", "self, dim, start, length", _SELF),
    ("split_with_sizes unsafe_split unsafe_chunk", "self, *args, dim=0", Listed(_SELF)),
    ("new_zeros new_ones new_empty", f"self, *size, {_NEW}", Asked(_SELF), Sized("size")),
    ("new_full", f"self, size, fill_value, *, {_NEW}", Asked(_SELF), Sized("size")),
    ("new_tensor", f"self, data, *, {_NEW}", Asked(_SELF), Kept("data")),
    (
        "to",
        "self, *args, other=None, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None",
        _To(),
    ),
    ("type", "self, dtype=None, non_blocking=False", _Type()),
    ("item", "self", Item(_SELF)),
    ("numpy", "self, *, force=False", Converted(_SELF, _NOT_IN_NUMPY)),
    ("tolist size dim stride is_contiguous data_ptr backward element_size get_device", "self, *args", Python()),
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", INDICES), Unstated()),
    ("__setitem__", "self, key, value, /", StoredByIndices(Python(), "self", "value")),
    (
        "where",
        "self, condition, other",
        Indexed(Promoted("self other"), "condition", CONDITIONS),
        Broadcast("self condition other"),
    ),
    ("zero_ detach_ relu_ sigmoid_ t_ share_memory_", "self, *args", _SELF),
    (
        "requires_grad_",
        "self, requires_grad=True",
        _Requiring("requires_grad", Converted(_SELF, "bui=refused"), _SELF, value=True),
    ),
    ("squeeze_", "self, *args", _SELF, Unstated()),
    ("unsqueeze_", "self, dim", _SELF, Kept("self", 1)),
    ("fill_", "self, value", Stored(_SELF, "self", "value")),
    ("fill_diagonal_", "self, fill_value, wrap=False", Stored(_SELF, "self", "fill_value")),
    ("copy_ transpose_ swapaxes_", "self, *args, non_blocking=False", _SELF),
    ("normal_", "self, mean=0, std=1, *, generator=None", Converted(_SELF, "bui=refused")),
    ("uniform_", "self, from_=0, to=1, *, generator=None", Converted(_SELF, "bui=refused")),
    ("exponential_", "self, lambd=1, *, generator=None", Converted(_SELF, "buic=refused")),
    ("log_normal_", "self, mean=1, std=2, *, generator=None", Converted(_SELF, "buic=refused")),
    ("cauchy_", "self, median=0, sigma=1, *, generator=None", Converted(_SELF, "buic=refused")),
    ("geometric_", "self, p, *, generator=None", Converted(_SELF, "bc=refused")),
    ("bernoulli_", "self, p=0.5, *, generator=None", Converted(_SELF, "c=refused")),
    ("random_", "self, from_=None, to=None, *, generator=None", Converted(_SELF, "c=refused")),
    rank=Kept("self"),
)  # fmt: skip

#: Functions that write into their tensor under a name with an underscore, and otherwise into a copy.
_WRITING: Final = (
    "masked_fill masked_scatter put scatter scatter_add scatter_reduce index_add index_copy index_fill index_put"
    " index_reduce"
)

#: Functions that also exist as a method with an underscore: the result is stored in the tensor.
_IN_PLACE: Final = (
    "abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr arccos arccosh arcsin arcsinh arctan arctan2"
    " arctanh asin asinh atan atan2 atanh baddbmm bitwise_and bitwise_left_shift bitwise_not bitwise_or"
    " bitwise_right_shift bitwise_xor ceil clamp clamp_max clamp_min clip conj_physical copysign cos cosh cumprod"
    " cumsum deg2rad digamma div divide eq erf erfc erfinv exp exp2 expm1 fix floor floor_divide fmod frac gcd ge"
    " greater greater_equal gt heaviside hypot i0 lcm ldexp le lerp less less_equal lgamma log log10 log1p log2"
    " logical_and logical_not logical_or logical_xor logit lt mul multiply nan_to_num ne neg negative nextafter"
    " not_equal pow rad2deg reciprocal remainder round rsqrt sgn sigmoid sign sin sinc sinh sqrt square sub subtract"
    " tan tanh tril triu true_divide trunc xlogy"
)


def _in_place(name: str) -> Row:
    row = _FUNCTIONS[ALIASES.get(name, name)]
    return Row("torch", f"{name}_", row.signature, InPlace(row.rule, "input"), Kept("input"))


def _writing(name: str) -> Row:
    row = _FUNCTIONS[name]
    return Row("torch", f"{name}_", row.signature, row.rule, Kept("input"))


_ATTRIBUTES: Final = table(
    "torch",
    ("T mT H mH data grad", "self", _SELF),
    ("real imag", "self", Converted(_SELF, "c=real")),
    rank=Kept("self"),
)

LIBRARY: Final = Library(
    "torch",
    _FUNCTIONS,
    aliases=ALIASES,
    array="Tensor",
    shared_methods=named(_SHARED),
    methods=MappingProxyType(
        {
            **{name: _requiring(row) for name, row in _METHODS.items()},
            **{f"{name}_": _in_place(name) for name in _IN_PLACE.split()},
            **{f"{name}_": _writing(name) for name in _WRITING.split()},
        }
    ),
    attributes=_ATTRIBUTES,
)
