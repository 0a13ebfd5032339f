"""NumPy's ufuncs: their loops. Source: `ufunc.types`, and running them with the dtypes of ml_dtypes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.storing import Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same
from promo_mypy.rules.functions.numpy.forms import ALSO_OF_NUMBERS
from promo_mypy.rules.functions.numpy.loops import OWN, Loop, SinceTwo
from promo_mypy.rules.systems import numpy_extensions as ext
from promo_mypy.rules.systems.numpy import OPERATIONS, Ufunc

OPTIONS: Final = "out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None"
UNARY: Final = f"x, /, {OPTIONS}"
BINARY: Final = f"x1, x2, /, {OPTIONS}"
_OUTER: Final = "A, B, /, *, out=None, where=True, casting='same_kind', order='K', dtype=None"
_AXES: Final = (
    "axes=..., axis=..., keepdims=False, casting='same_kind', order='K', dtype=None, subok=True, signature=None"
)
_CORE: Final = f"x1, x2, /, out=None, *, {_AXES}"

#: Every dtype with loops in NumPy or ml_dtypes.
_ALL: Final = frozenset(ext.CASTS)
_REAL: Final = _ALL - ext.COMPLEX
FLOATING: Final = Ufunc("fc", ext.INEXACT)
REAL: Final = Ufunc("f", ext.FLOATS)
ORDERED: Final = Ufunc("buifc", _ALL)
NUMBERS: Final = Ufunc("uifc", ext.INEXACT)
TRUTH: Final = Ufunc("buifc", ext.INEXACT, "bool")
INTEGERS: Final = Ufunc("ui", OWN)

#: They keep integers since NumPy 2.
ROUNDED: Final = "floor ceil trunc"

#: Names of ufuncs with one operand -> their loops.
ONE: Final[Mapping[str, Ufunc]] = {
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log1p log2 log10 sqrt"
    " rint": FLOATING,
    "cbrt deg2rad rad2deg fabs spacing": REAL,
    "radians degrees": Ufunc("f", OWN),
    "square reciprocal conjugate": NUMBERS,
    "sign": replace(ORDERED, refuses_bool=True),
    ROUNDED: Ufunc("buif", ext.FLOATS),
    "isnan isinf isfinite": replace(TRUTH, extensions=_ALL),
    "isnat": Ufunc("", OWN, "bool"),  # only of times, which have no dtype here
    "logical_not": replace(TRUTH, extensions=_ALL),
    "signbit": replace(REAL, gives="bool"),
    "negative": OPERATIONS["neg"],
    "positive": OPERATIONS["pos"],
    "absolute": OPERATIONS["abs"],
    "invert": OPERATIONS["invert"],
}  # fmt: skip

#: Names of ufuncs with two operands -> their loops.
TWO: Final[Mapping[str, Ufunc]] = {
    "add": OPERATIONS["add"],
    "subtract": OPERATIONS["sub"],
    "multiply": OPERATIONS["mul"],
    "divide": OPERATIONS["truediv"],
    "floor_divide": OPERATIONS["floordiv"],
    "remainder": OPERATIONS["mod"],
    "power": OPERATIONS["pow"],
    "maximum minimum fmax fmin": ORDERED,
    "arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside": REAL,
    "fmod": Ufunc("uif", ext.FLOATS),
    "gcd lcm": Ufunc("bui", OWN, refuses_bool=True),
    "bitwise_and bitwise_or bitwise_xor": OPERATIONS["and"],
    "left_shift right_shift": OPERATIONS["lshift"],
    "equal not_equal less less_equal greater greater_equal": OPERATIONS["eq"],
    "logical_and logical_or logical_xor": replace(TRUTH, extensions=_ALL),
}

ALIASES: Final = (
    "abs=absolute conj=conjugate true_divide=divide mod=remainder pow=power acos=arccos acosh=arccosh asin=arcsin"
    " asinh=arcsinh atan=arctan atanh=arctanh atan2=arctan2 bitwise_not=invert bitwise_invert=invert"
    " bitwise_left_shift=left_shift bitwise_right_shift=right_shift"
)


def _into(names: str, ufunc: Ufunc, operands: str, *, full: str = "") -> Rule:
    # `logical_and` and similar ufuncs return objects for objects.
    always = ufunc.gives == "bool" and not names.startswith("logical_")
    return Into(Loop(ufunc, operands, full, always=dt.bool_ if always else None))


def rounded(name: str) -> Rule:
    """Round floats to whole numbers."""
    return SinceTwo(Loop(ONE[ROUNDED], name), Loop(REAL, name))


_DIVMOD: Final = Loop(OPERATIONS["divmod"], "x1 x2")
# A Python int fits the narrowest loop, but beside bool it counts as int64.
_SCALED: Final = Checked(Converted(Same("x1"), "bi=float16 c=refused"), Converted(Same("x2"), "b=unknown"))
_REAL_LOOP: Final = Loop(REAL, "x")

#: With a dtype argument: frexp takes none, and a count is a uint8.
_FRACTION: Final = If("dtype", Converted(Same("x"), "buifc=refused"), Same("x"))
_COUNTED: Final = Checked(
    Asked(Fixed(dt.uint8), table="b=refused i=refused uint16=refused uint32=refused uint64=refused fc=refused"),
    Converted(Same("x"), "fc=refused"),
)
#: float_power computes in doubles.
_DOUBLES: Final = "bfloat16={0} float16={0} float32={0} complex64={1}"

ROWS: Final[Rows] = table(
    "numpy",
    *((names, UNARY, _into(names, ufunc, "x")) for names, ufunc in ONE.items() if names != ROUNDED),
    (ROUNDED, UNARY, Into(rounded("x"))),
    *((names, BINARY, _into(names, ufunc, "x1 x2")) for names, ufunc in TWO.items()),
    ("divmod", BINARY, Several.of(_DIVMOD, _DIVMOD)),
    ("modf", UNARY, Several.of(_REAL_LOOP, _REAL_LOOP)),
    ("frexp", UNARY, CheckedIfKnown(Several.of(_REAL_LOOP, Fixed(dt.int32)), _FRACTION)),
    (
        "float_power",
        BINARY,
        Into(
            If(
                "dtype",
                Converted(Loop(FLOATING, "x1 x2"), _DOUBLES.format("refused", "refused")),
                Converted(Loop(FLOATING, "x1 x2"), _DOUBLES.format("float64", "complex128")),
            )
        ),
    ),
    (
        "ldexp",
        BINARY,
        Into(
            Checked(
                IfNumber("x1", _SCALED, Converted(Loop(REAL, "x1"), "bfloat16=unknown")),
                Converted(Same("x2"), "uint64=refused fc=refused"),
            )
        ),
    ),
    ("bitwise_count", UNARY, Into(Checked(Fixed(dt.uint8), If("dtype", _COUNTED, Loop(INTEGERS, "x"))))),
    ("matmul vecdot matvec vecmat", _CORE, Into(Loop(OPERATIONS["matmul"], "x1 x2"))),
    # Methods of ufuncs. Sums and products of small integers are as wide as Python's.
    *(
        (f"{name}.outer", _OUTER, SinceTwo(_into(name, ufunc, "A B", full="A B"), _into(name, ufunc, "A B")))
        for names, ufunc in TWO.items()
        for name in names.split()
    ),
    *(
        (f"{name}.at", "a, indices, b=None, /", Indexed(Python(), "indices", ("fc=refused",)))
        for names in TWO
        for name in names.split()
    ),
)

#: Functions below `numpy` that return a scalar if all arguments are Python numbers.
SCALAR_OF_NUMBERS: Final = frozenset({name for name in ROWS if "." not in name} | ALSO_OF_NUMBERS)
