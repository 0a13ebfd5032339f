"""PyTorch's elementwise functions. Source: running PyTorch 2.13 on the CPU.

If only the CPU kernel is missing, the rule still gives a dtype, as in the promotion system.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument
from promo_mypy.rules.functions.language.calls import Call, DType
from promo_mypy.rules.functions.language.choosing import (
    AsNumbers,
    Checked,
    CheckedIfKnown,
    If,
    IfNumber,
    IfScalar,
    is_number,
)
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.promoting import Alike, Joined, Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Rule, one
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Exactly, IfGiven, Kept
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Fixed, Python, Same
from promo_mypy.rules.functions.torch.shaping import CONDITIONS
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule

FLOATED: Final = "bui=float"
_ONE: Final = "input, *, out=None"
_TWO: Final = "input, other, *, out=None"
_X: Final = Same("input")


@rule
class _Scaled(Rule):
    """An operator that multiplies its second operand by `alpha`. The kind of `alpha` must not be higher than the
    result's.
    """

    operation: str

    def answer(self, call: Call) -> DType:
        """The dtype of the operator."""
        result, alpha = one(call, Operator(self.operation, "input other")), call.operand("alpha").dtype
        if alpha.kind in "fc" and _KINDS.index(alpha.kind) > _KINDS.index(result.kind):
            call.refuse(result)
        return result


_KINDS: Final = "buifc"
_DOUBLED: Final = "buif=float64 c=complex128"
_DOUBLE: Final = Converted(Same("input"), _DOUBLED)


#: It multiplies by a power of two, so all integers have the same effect.
_LDEXP: Final = Converted(
    Joined.of(*(Converted(Same(name), "u=int64") for name in ("input", "other")), names="input other"), FLOATED
)


def floated(names: str, arrays: str = "") -> Rule:
    """The dtype that the arguments promote to; bool and integers are computed in the default float."""
    return Converted(Promoted(names, arrays=arrays), FLOATED)


def real(names: str, arrays: str = "") -> Rule:
    """The same for functions without a complex version."""
    return Converted(Promoted(names, arrays=arrays), f"{FLOATED} c=refused")


def _tensors(names: str, table: str = "") -> Rule:
    """The promoted dtype, for functions that accept only tensors."""
    return Converted(Promoted(names, arrays=names), table)


def _operator(operation: str, names: str = "input other") -> Rule:
    return Operator(operation, names)


def _combined(table: str) -> Rule:
    return Converted(Promoted("input tensor1 tensor2"), table)


#: One bound that is a tensor makes it a maximum or minimum, which bool has.
_EITHER: Final = Converted(Promoted("input min max"), "c=refused")
_BOTH: Final = Converted(Promoted("input min max"), "bc=refused")
_CLAMPED: Final = If(
    "min", If("max", _BOTH, IfNumber("min", _BOTH, _EITHER)), If("max", IfNumber("max", _BOTH, _EITHER), _BOTH)
)


@rule
class _Clamped(Rule):
    """The bounds of `clamp`. Beside a number, a complex 0-d tensor clamps floats if its imaginary part is zero."""

    rule: Rule

    def answer(self, call: Call) -> DType:
        """The dtype of the floats, where the value of the tensor decides whether the call runs."""
        bounds = [call.bound[name] for name in ("min", "max")]
        clamped = call.operand("input").dtype
        if issubclass(clamped, dt.Float) and any(map(is_number, bounds)) and any(map(_is_complex, bounds)):
            return clamped
        return one(call, self.rule)


def _is_complex(bound: Argument) -> bool:
    return isinstance(bound, Operand) and bound.dtype.kind == "c" and issubclass(bound.dtype, dt.Shaped)


#: A step between two tensors that is a tensor itself has their dtype; one without dimensions promotes with them.
_BETWEEN: Final = Converted(Alike("input end"), "bui=refused")
_BY_TENSOR: Final = IfScalar(
    "weight",
    CheckedIfKnown(Converted(Promoted("input end weight"), "bui=refused"), Alike("input end")),
    CheckedIfKnown(_BETWEEN, Alike("input weight")),
)

ROWS: Final[Rows] = table(
    "torch",
    (
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log1p log2 log10"
        " sqrt rsqrt reciprocal sigmoid sinc",
        _ONE,
        floated("input"),
    ),
    ("erf erfc erfinv lgamma digamma deg2rad rad2deg i0", _ONE, real("input")),
    ("logit", "input, eps=None, *, out=None", real("input")),
    ("floor ceil trunc", _ONE, Converted(_X, "bc=refused")),
    ("round", "input, *, decimals=0, out=None", Converted(_X, "bc=refused")),
    ("frac", _ONE, Converted(_X, "buic=refused")),
    ("square", _ONE, Converted(_X, "b=int64")),
    ("abs", _ONE, _operator("abs", "input")),
    ("neg", _ONE, _operator("neg", "input")),
    ("positive", "input", Operator("pos", "input")),
    ("sign", _ONE, Converted(_X, "c=refused")),
    ("sgn", _ONE, _X),
    ("isnan isinf isfinite isreal", "input", Fixed(dt.bool_)),
    ("isposinf isneginf signbit", _ONE, Checked(Fixed(dt.bool_), Converted(_X, "c=refused"))),
    ("logical_not", _ONE, Fixed(dt.bool_)),
    ("bitwise_not", _ONE, _operator("invert", "input")),
    ("conj resolve_conj resolve_neg conj_physical", "input", _X),
    ("real", "input", Converted(_X, "c=real")),
    ("view_as_real", "input", Converted(_X, "buif=refused c=real"), Kept("input", 1)),
    ("view_as_complex", "input", Converted(_X, "buic=refused bfloat16=refused f=complexed"), Kept("input", -1)),
    ("imag", "input", Converted(_X, "buif=refused c=real")),
    ("angle", _ONE, Converted(_X, "bui=float c=real")),
    ("nan_to_num", "input, nan=None, posinf=None, neginf=None, *, out=None", _X),
    ("relu", "input", Converted(_X, "bc=refused")),
    ("celu", "input, alpha=1.0", Converted(_X, "buic=refused")),
    ("selu", "input", Converted(_X, "buic=refused")),
    ("frexp", _ONE, Several.of(Converted(_X, "buic=refused"), Fixed(dt.int32))),
    ("add", "input, other, *, alpha=1, out=None", _Scaled("add")),
    ("sub", "input, other, *, alpha=1, out=None", _Scaled("sub")),
    ("mul", _TWO, _operator("mul")),
    ("remainder", _TWO, _operator("mod")),
    ("floor_divide", _TWO, _operator("floordiv")),
    (
        "div",
        "input, other, *, rounding_mode=None, out=None",
        If("rounding_mode", Operator("floordiv", "input other"), Operator("truediv", "input other")),
    ),
    ("pow", "input, exponent, *, out=None", _operator("pow", "input exponent"), Broadcast("input exponent")),
    (
        "float_power",
        "input, exponent, *, out=None",
        Joined.of(_DOUBLE, Converted(Same("exponent"), _DOUBLED)),
        Broadcast("input exponent"),
    ),
    ("fmod", _TWO, Converted(Promoted("input other", arrays="input"), "bc=refused")),
    ("maximum minimum fmax fmin", _TWO, _tensors("input other", "c=refused")),
    ("arctan2", _TWO, real("input other", arrays="input other")),
    ("hypot nextafter", _TWO, _tensors("input other", "buic=refused")),
    ("copysign", _TWO, real("input other", arrays="input")),
    ("logaddexp", _TWO, _tensors("input other", "bui=refused")),
    ("logaddexp2", _TWO, _tensors("input other", "buic=refused")),
    ("xlogy", _TWO, real("input other")),
    (
        "heaviside",
        "input, values, *, out=None",
        Converted(Alike("input values", arrays="input values"), "c=refused"),
        Broadcast("input values"),
    ),
    ("gcd lcm", _TWO, _tensors("input other", "bfc=refused")),
    ("ldexp", _TWO, Checked(_LDEXP, Several.of(*(Promoted(name, arrays=name) for name in ("input", "other"))))),
    ("eq ne", _TWO, Checked(Fixed(dt.bool_), Promoted("input other", arrays="input"))),
    (
        "lt le gt ge",
        _TWO,
        Checked(Fixed(dt.bool_), Converted(Promoted("input other", arrays="input"), "c=refused")),
    ),
    ("logical_and logical_or logical_xor", _TWO, Checked(Fixed(dt.bool_), _tensors("input other"))),
    ("bitwise_and bitwise_or bitwise_xor", _TWO, _operator("and")),
    ("bitwise_left_shift bitwise_right_shift", _TWO, _operator("lshift")),
    (
        "isclose",
        "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
        Checked(Fixed(dt.bool_), Alike("input other", arrays="input other")),
        Broadcast("input other"),
    ),
    (
        "allclose",
        "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
        Checked(Python("b"), Alike("input other", arrays="input other")),
    ),
    ("equal", "input, other", Python("b")),
    (
        "where",
        "condition, input=None, other=None, *, out=None",
        If("input", Indexed(Promoted("input other"), "condition", CONDITIONS), Listed(Fixed(dt.int64))),
        IfGiven("input", Broadcast("condition input other"), Exactly(1)),
    ),
    (
        "clamp",
        "input, min=None, max=None, *, out=None",
        _Clamped(AsNumbers("min max", _CLAMPED, beside=True)),
        Broadcast("input min max"),
    ),
    (
        "clamp_min",
        "input, min, *, out=None",
        Converted(Promoted("input min"), "c=refused"),
        Broadcast("input min"),
    ),
    (
        "clamp_max",
        "input, max, *, out=None",
        Converted(Promoted("input max"), "c=refused"),
        Broadcast("input max"),
    ),
    (
        "lerp",
        "input, end, weight, *, out=None",
        IfNumber("weight", _BETWEEN, _BY_TENSOR),
        Broadcast("input end weight"),
    ),
    (
        "addcmul",
        "input, tensor1, tensor2, *, value=1, out=None",
        _combined("b=refused"),
        Broadcast("input tensor1 tensor2"),
    ),
    (
        "addcdiv",
        "input, tensor1, tensor2, *, value=1, out=None",
        Checked(_combined("bui=refused"), Converted(Promoted("tensor1 tensor2"), "bui=refused")),
        Broadcast("input tensor1 tensor2"),
    ),
    (
        "complex polar",
        "real, imag, *, out=None",
        Converted(Alike("real imag"), "bui=refused bfloat16=refused c=refused f=complexed"),
        Broadcast("real imag"),
    ),
    rank=Broadcast("input other"),
)
