"""PaddlePaddle: functions of paddle, paddle.linalg, paddle.fft and paddle.nn.functional, and methods of Tensor.

Source: running Paddle 3.3 on the CPU.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.choosing import Checked, If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Alike, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rank_rules import Exactly, Flattened, Kept, Sized
from promo_mypy.rules.functions.language.rows import Library, Rows, named, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import (
    Asked,
    Cast,
    Default,
    Fixed,
    Gathered,
    Inferred,
    Item,
    Python,
    Same,
)
from promo_mypy.rules.functions.paddle import math
from promo_mypy.rules.functions.paddle.math import FLOATING, INT64, WIDE, Api, Equal
from promo_mypy.rules.records import rule


@rule
class _Made(Rule):
    """A tensor made from any value. For a list of tensors with several dtypes the result is unknown."""

    def answer(self, call: Call) -> DType:
        """Paddle promotes such tensors as NumPy arrays."""
        leaves = {leaf.dtype for leaf in call.leaves(call.bound["data"]) if issubclass(leaf.dtype, dt.Shaped)}
        if len(leaves) > 1:
            raise Unresolved
        return Inferred("data").answer(call)


_X: Final = Same("x")
_SAME_RANK: Final = Kept("x")
_SELF: Final = Same("self")
_FLOAT: Final = Default("f")
_DEVICE: Final = "name=None, *, out=None, device=None, requires_grad=False, pin_memory=False"
_LIKE: Final = "dtype=None, name=None, *, device=None, requires_grad=False, pin_memory=False"
# Without a dtype argument, an int becomes a float here.
_FILLED: Final = Converted(Inferred("fill_value"), "ui=float c=complex128")
_INDICES: Final = If("out_int32", Fixed(dt.int32), INT64, True)
_SEARCHED: Final = Several.of(*(Converted(Same(name), WIDE) for name in ("sorted_sequence", "values")))
_LABELLED: Final = Same("input")

_SHAPING: Final[Rows] = {
    **table(
        "paddle",
        ("zeros ones empty", f"shape, dtype=None, {_DEVICE}", Asked(_FLOAT)),
        ("eye", f"num_rows, num_columns=None, dtype=None, {_DEVICE}", Asked(_FLOAT)),
        ("full", f"shape, fill_value, dtype=None, {_DEVICE}", Asked(_FILLED)),
        ("zeros_like ones_like empty_like", f"x, {_LIKE}", Asked(_X)),
        ("full_like", f"x, fill_value, {_LIKE}", Asked(_X)),
        ("arange", "start=0, end=None, step=1, dtype=None, *, out=None, device=None, requires_grad=False,"
         " pin_memory=False, name=None", Asked(Gathered("start end step"))),
        ("linspace", "start, stop, num, dtype=None, name=None, *, out=None, device=None, requires_grad=False",
         Asked(_FLOAT)),
        ("logspace", "start, stop, num, base=10.0, dtype=None, name=None", Asked(_FLOAT)),
        ("to_tensor", "data, dtype=None, place=None, stop_gradient=True", Asked(_Made())),
        ("rand randn", f"shape, dtype=None, {_DEVICE}", Asked(_FLOAT)),
        ("standard_normal", "shape, dtype=None, name=None, *, out=None, device=None, requires_grad=False",
         Asked(_FLOAT)),
        ("uniform", "shape, dtype=None, min=0, max=1.0, seed=0, name=None, *, out=None, device=None,"
         " requires_grad=False", Asked(_FLOAT)),
        ("randint", "low=0, high=None, shape=..., dtype=None, name=None", Asked(INT64)),
        ("randperm", f"n, dtype=None, {_DEVICE}", Asked(INT64)),
        ("cast", "x, dtype", Asked(Python())),
        ("assign", "x, output=None", Inferred("x")),
        ("clone", "x, name=None", _X, _SAME_RANK),
        ("reshape", "x, shape, name=None", _X, Sized("shape")),
        ("transpose", "x, perm, name=None", _X, _SAME_RANK),
        ("squeeze", "x, axis=None, name=None", _X),
        ("unsqueeze", "x, axis, name=None", _X, Kept("x", 1)),
        ("flatten", "x, start_axis=0, stop_axis=-1, name=None", _X, Flattened("x", "start_axis", "stop_axis")),
        ("tile", "x, repeat_times, name=None", _X),
        ("expand broadcast_to", "x, shape, name=None", _X, Sized("shape")),
        ("flip", "x, axis, name=None", _X, _SAME_RANK),
        ("roll", "x, shifts, axis=None, name=None", _X, _SAME_RANK),
        ("tril triu", "x, diagonal=0, name=None, *, out=None", _X, _SAME_RANK),
        ("diag", "x, offset=0, padding_value=0, name=None", _X),
        ("diagonal", "x, offset=0, axis1=0, axis2=1, name=None", _X, Kept("x", -1)),
        ("repeat_interleave", "x, repeats, axis=None, name=None, *, output_size=None", _X),
        ("split", "x, num_or_sections, axis=0, name=None", Listed(_X), _SAME_RANK),
        ("chunk", "x, chunks, axis=0, name=None", Listed(_X), _SAME_RANK),
        ("unbind", "input: x, axis=0", Listed(_X), Kept("x", -1)),
        ("unstack", "x, axis=0, num=None", Listed(_X)),
        ("concat", "x, axis=0, name=None, *, out=None", Alike("*x", arrays="*x")),
        ("stack", "x, axis=0, name=None, *, out=None", Equal("*x")),
        ("where", "condition, x=None, y=None, name=None, *, out=None", If("x", Promoted("x y", full=True), Python())),
        ("gather", "x, index, axis=None, name=None, out=None", _X),
        ("gather_nd", "x, index, name=None", _X),
        ("index_select", "x, index, axis=0, name=None, *, out=None", _X),
        ("masked_select", "x, mask, name=None, *, out=None", _X, Exactly(1)),
        ("take_along_axis", "arr: x, indices, axis, broadcast=True, *, out=None", _X),
        ("searchsorted", "sorted_sequence, values, out_int32=False, right=False, name=None, *, side=None, out=None,"
         " sorter=None", Checked(_INDICES, _SEARCHED)),
        ("bucketize", "x, sorted_sequence, out_int32=False, right=False, name=None, *, out=None",
         Checked(_INDICES, Several.of(*(Converted(Same(name), WIDE) for name in ("x", "sorted_sequence"))))),
        ("numel", "x, name=None", INT64),
        ("is_tensor", "x", Python("b")),
    ),
    **table(
        "paddle",
        ("relu", "x, name=None", _X),
        ("gelu", "x, approximate=False, name=None", _X),
        ("silu", "x, inplace=False, name=None", Converted(_X, FLOATING)),
        ("sigmoid", "x, name=None, *, out=None", Converted(_X, FLOATING)),
        ("softmax", "x, axis=-1, dtype=None, name=None, *, out=None", Asked(_X)),
        ("log_softmax", "x, axis=-1, dtype=None, name=None", Asked(_X)),
        ("dropout", "x, p=0.5, axis=None, training=True, inplace=False, mode='upscale_in_train', name=None", _X),
        ("linear", "x, weight, bias=None, name=None", Equal("x weight", product=True)),
        ("mse_loss", "input, label, reduction='mean', name=None", Api("mse_loss", "input label")),
        ("l1_loss", "input, label, reduction='mean', name=None", Converted(Api("l1_loss", "input label"), "c=real")),
        ("smooth_l1_loss", "input, label, reduction='mean', delta=1.0, is_huber=True, name=None",
         Api("huber_loss", "input label")),
        ("poisson_nll_loss", "input, label, log_input=True, full=False, epsilon=1e-08, reduction='mean', name=None",
         Converted(Api("poisson_nll_loss", "input label"), "bui=refused")),
        ("cross_entropy", "input, label, weight=None, ignore_index=-100, reduction='mean', soft_label=False, axis=-1,"
         " use_softmax=True, label_smoothing=0.0, name=None", _LABELLED),
        ("one_hot", "x, num_classes=-1, name=None", Fixed(dt.float32)),
        ("embedding", "x, weight, padding_idx=None, max_norm=None, norm_type=2.0, sparse=False,"
         " scale_grad_by_freq=False, name=None", Same("weight")),
        under="nn.functional",
    ),
}  # fmt: skip

#: Methods that equal a function of the tensor, with their further parameters.
_SHARED: Final = named(
    "sin cos tan asin acos atan sinh cosh tanh exp expm1 log log1p log2 log10 sqrt rsqrt reciprocal sigmoid erf square"
    " neg sign floor ceil conj trunc round abs angle real imag isnan isinf isfinite logical_not bitwise_not add"
    " subtract multiply divide floor_divide remainder pow maximum minimum fmax fmin atan2 equal not_equal less_than"
    " less_equal greater_than greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor"
    " isclose allclose equal_all clip sum prod mean var std max min amax amin argmax argmin any all cumsum cumprod"
    " count_nonzero median logsumexp norm sort argsort topk unique nonzero diff dot matmul outer inner kron bmm trace"
    " reshape transpose squeeze unsqueeze flatten tile expand broadcast_to flip roll tril triu diagonal split"
    " chunk unbind gather index_select masked_select clone mod numel"
)

_CASTS: Final = {
    "bool": dt.bool_, "byte": dt.uint8, "char": dt.int8, "short": dt.int16, "int": dt.int32, "long": dt.int64,
    "half": dt.float16, "float": dt.float32, "double": dt.float64, "cfloat": dt.complex64, "cdouble": dt.complex128,
    **{dtype.name: dtype for dtype in (
        dt.int8, dt.int16, dt.int32, dt.int64, dt.bfloat16, dt.float16, dt.float32, dt.float64, dt.complex64,
        dt.complex128,
    )},
}  # fmt: skip

_METHODS: Final = table(
    "paddle",
    *((name, "self, *args, **options", Cast(dtype)) for name, dtype in _CASTS.items()),
    ("astype cast", "self, dtype", Asked(_SELF)),
    ("detach contiguous cpu cuda pin_memory t", "self, *args, **options", _SELF),
    ("type_as", "self, other", Same("other")),
    ("expand_as", "self, y", _SELF, Kept("y")),
    ("permute swapaxes moveaxis rot90", "self, *args, **options", _SELF),
    ("diag_embed", "self, offset=0, dim1=-2, dim2=-1", _SELF, Kept("self", 1)),
    ("item", "self, *args", Item(_SELF)),
    ("tolist", "self", Python()),
    rank=Kept("self"),
)
_ATTRIBUTES: Final = table("paddle", ("T mT", "self", _SELF), rank=Kept("self"))

LIBRARY: Final = Library(
    "paddle",
    {**math.ROWS, **_SHAPING},
    aliases=named("mod=remainder floor_mod=remainder linalg.norm=norm linalg.matmul=matmul nn.functional.tanh=tanh"),
    array="Tensor",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)
