"""Elementwise functions of jax.numpy. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import (
    BOOL,
    INDEX,
    Since,
    inexact,
    real_inexact,
    weak_complex_scalar,
    weak_scalar,
)
from promo_mypy.rules.functions.language.choosing import Checked, If, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined, Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Fixed, Python, Same, Strong

#: The angle of a 0-d real array is computed anew; the angle of other arrays is computed from the array.
_ANGLE: Final = IfScalar("z", Converted(Same("z"), "buif=float c=real"), Converted(Same("z"), "bui=float c=real"))

# Positions and values do not promote with each other.
_INTERPOLATED: Final = Joined.of(Converted(real_inexact("x xp"), "bfloat16=refused"), inexact("fp"))


def _beside_numbers(name: str, rule: Rule) -> Rule:
    """The rule if an argument is missing or a number. An array there would take part in the promotion."""
    return If(name, IfNumber(name, rule, Python()), rule)


ROWS: Final[Rows] = table(
    "jax",
    (
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log1p "
        "sqrt reciprocal",
        "x, /",
        inexact("x"),
    ),
    ("cbrt", "x, /", real_inexact("x")),
    ("sinc deg2rad rad2deg radians degrees", "x, /", weak_scalar("x", inexact("x"))),
    ("log2", "x, /", Since(inexact("x"), Strong(inexact("x")))),
    ("log10", "x, /", Strong(inexact("x"))),
    ("square", "x, /", Converted(Same("x"), "b=int32")),
    ("absolute", "x, /", Operator("abs", "x")),
    ("fabs", "x, /", real_inexact("x")),
    ("sign", "x, /", Converted(Same("x"), "b=refused")),
    ("floor ceil", "x, /", Converted(Same("x"), "c=refused")),
    ("trunc", "x", Converted(Same("x"), "c=refused")),
    ("round", "a, decimals=0, out=None", Converted(Same("a"), "b=refused")),
    ("rint", "x, /", Converted(Same("x"), "bui=float")),
    ("isnan isinf isfinite logical_not", "x, /", BOOL),
    ("signbit", "x, /", Checked(BOOL, real_inexact("x"))),
    ("isneginf isposinf", "x, /, out=None", Checked(BOOL, real_inexact("x"))),
    ("isreal iscomplex", "x", BOOL),
    ("negative", "x, /, out=None, where=None", Operator("neg", "x")),
    ("positive conjugate", "x, /", Same("x")),
    ("copy", "a, order=None", Same("a")),
    ("isscalar", "element", Python("b")),
    ("iscomplexobj isrealobj", "x", Python("b")),
    ("ndim", "a", Python("i")),
    ("size", "a, axis=None", Python("i")),
    ("invert", "x, /", Operator("invert", "x")),
    ("real imag", "val, /", Converted(Same("val"), "c=real")),
    ("angle", "z, deg=False", If("deg", weak_scalar("z", _ANGLE), _ANGLE, True)),
    ("nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", Converted(Same("x"), "fc=strong")),
    ("bitwise_count", "x, /", Converted(Same("x"), "fc=refused ui=uint8 b=uint8")),
    ("add", "x, y, /, out=None, where=None", Operator("add", "x y")),
    ("subtract", "x, y, /, out=None, where=None", Operator("sub", "x y")),
    ("multiply", "x, y, /, out=None, where=None", Operator("mul", "x y")),
    ("divide", "x1, x2, /", Operator("truediv", "x1 x2")),
    ("floor_divide", "x1, x2, /", Operator("floordiv", "x1 x2")),
    ("remainder fmod", "x1, x2, /", Operator("mod", "x1 x2")),
    ("power pow", "x1, x2, /", Operator("pow", "x1 x2")),
    ("float_power", "x, y, /", inexact("x y")),
    ("divmod", "x1, x2, /", Several.of(Operator("divmod", "x1 x2"), Operator("divmod", "x1 x2"))),
    ("maximum minimum", "x, y, /, out=None, where=None", Promoted("x y")),
    ("fmax fmin", "x1, x2", Promoted("x1 x2")),
    ("arctan2", "x1, x2, /", inexact("x1 x2")),
    ("hypot", "x1, x2, /", weak_scalar("x1 x2", real_inexact("x1 x2"))),
    ("logaddexp", "x, y, /, out=None, where=None", weak_complex_scalar("x y", inexact("x y"))),
    ("logaddexp2", "x, y, /, out=None, where=None", weak_scalar("x y", inexact("x y"))),
    ("copysign", "x1, x2, /", real_inexact("x1 x2")),
    # It compares x1 with 0.
    ("heaviside", "x1, x2, /", weak_scalar("x1", real_inexact("x1 x2"))),
    ("nextafter", "x, y, /", real_inexact("x y")),
    ("gcd lcm", "x1, x2", weak_scalar("x1 x2", Converted(Promoted("x1 x2"), "bfc=refused"))),
    ("equal not_equal less less_equal greater greater_equal", "x, y, /", Checked(BOOL, Promoted("x y"))),
    ("logical_and logical_or logical_xor", "x, y, /, out=None, where=None", BOOL),
    ("bitwise_and bitwise_or bitwise_xor", "x, y, /, out=None, where=None", Operator("and", "x y")),
    ("left_shift", "x, y, /", Operator("lshift", "x y")),
    ("right_shift", "x1, x2, /", Operator("lshift", "x1 x2")),
    ("isclose allclose", "a, b, rtol=1e-05, atol=1e-08, equal_nan=False", BOOL),
    ("array_equal", "a1, a2, equal_nan=False", BOOL),
    ("array_equiv", "a1, a2", BOOL),
    ("ldexp", "x1, x2, /", Checked(Strong(real_inexact("x1")), Converted(Same("x2"), "fc=refused"))),
    ("modf", "x, /, out=None", Several.of(real_inexact("x"), real_inexact("x"))),
    ("frexp", "x, /", Several.of(Strong(real_inexact("x")), Fixed(dt.int32))),
    ("where", "condition, x=None, y=None, /, *, size=None, fill_value=None", If("x", Promoted("x y"), Listed(INDEX))),
    ("clip", "arr=None, /, min=None, max=None", Converted(Promoted("arr min max"), "c=refused")),
    ("select", "condlist, choicelist, default=0", Promoted("*choicelist default")),
    (
        "interp",
        "x, xp, fp, left=None, right=None, period=None",
        _beside_numbers("left", _beside_numbers("right", _INTERPOLATED)),
    ),
    ("polyval", "p, x, *, unroll=16", Strong(Promoted("p x"))),
    (
        "unwrap",
        "p, discont=None, axis=-1, period=6.283185307179586",
        Strong(Converted(Promoted("p period"), "b=float64 c=refused")),
    ),
    ("i0", "x", real_inexact("x")),
    under="numpy",
)
