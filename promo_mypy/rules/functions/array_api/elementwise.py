"""The standard's elementwise functions and reductions. Source: the array API standard 2025.12, array-api-strict 2.6."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused
from promo_mypy.rules.functions.language.choosing import Checked, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.function_reasons import number_for_array
from promo_mypy.rules.functions.language.promoting import Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Rule, one
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Same
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule
from promo_mypy.rules.wording.reasons import no_common_dtype

# The standard's categories of dtypes, each as the dtypes for which a function is not defined.
NUMERIC: Final = "b=refused"
REAL: Final = "bc=refused"
FLOATING: Final = "bui=refused"
REAL_FLOATING: Final = "buic=refused"
COMPLEX: Final = "buif=refused"

#: An array; the standard accepts no Python number here.
X: Final = Promoted("x", arrays="x")
BOOL: Final = Fixed(dt.bool_)
INDEX: Final = Default("i")


@rule
class _Beside(Rule):
    """The rule's result, if x1 or x2 is an array, as the standard requires."""

    rule: Rule

    def answer(self, call: Call) -> DType:
        """Rejects two Python numbers."""
        operands = call.operands("x1", "x2")
        if all(issubclass(operand.dtype, dt.PythonScalar) for operand in operands):
            raise Refused(number_for_array(call.system.dialect.library, call.function, operands[0]))
        return one(call, self.rule)


@rule
class _Clipped(Rule):
    """The dtype of the array, for any bounds that are real numbers of its kind."""

    def answer(self, call: Call) -> DType:
        """Integer arrays accept integers; float arrays accept floats and Python ints."""
        dtype = one(call, only(REAL))
        for bound in (call.operand(name) for name in ("min", "max") if call.given(name)):
            kinds = "ui" if dtype.kind in "ui" else "f"
            if bound.dtype.kind not in kinds and bound.dtype is not dt.py_int:
                raise Refused(no_common_dtype(call.system.dialect.library, (Operand(dtype), bound)))
        return dtype


def only(categories: str, rule: Rule = X) -> Rule:
    """The rule's result for the dtypes of a category. `categories` says what happens to others, as in `Converted`."""
    return Converted(rule, categories)


def beside(categories: str = "") -> Rule:
    """The dtype that x1 and x2 promote to."""
    return only(categories, _Beside(Promoted("x1 x2")))


def _operator(operation: str) -> Rule:
    return _Beside(Operator(operation, "x1 x2"))


#: The sums of integers are at least as wide as the default integer.
SUMS: Final = f"{NUMERIC} u=uint64 i=int64"
_SUM: Final = Checked(Asked(only(SUMS)), only(NUMERIC))
_UNARY: Final = "x, /"
_BINARY: Final = "x1, x2, /"
_OVER: Final = "x, /, *, axis=None, keepdims=False"
_SPREAD: Final = "x, /, *, axis=None, correction=0.0, keepdims=False"
_SORTED: Final = "x, /, *, axis=-1, descending=False, stable=True"

ROWS: Final[Rows] = table(
    "array_api_strict",
    (
        "acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 reciprocal sin sinh sqrt tan tanh",
        _UNARY,
        only(FLOATING),
    ),
    ("ceil floor trunc", _UNARY, only(REAL)),
    ("conj round sign square", _UNARY, only(NUMERIC)),
    ("real", _UNARY, only(f"{NUMERIC} c=real")),
    ("imag", _UNARY, only(f"{COMPLEX} c=real")),
    ("isfinite isinf isnan", _UNARY, Checked(BOOL, only(NUMERIC))),
    ("signbit", _UNARY, Checked(BOOL, only(REAL_FLOATING))),
    ("logical_not", _UNARY, only("uifc=refused")),
    *(
        (name, _UNARY, Operator(operation, "x", arrays="x"))
        for name, operation in (("abs", "abs"), ("negative", "neg"), ("positive", "pos"), ("bitwise_invert", "invert"))
    ),
    *(
        (name, _BINARY, _operator(operation))
        for name, operation in (
            ("add", "add"), ("subtract", "sub"), ("multiply", "mul"), ("divide", "truediv"),
            ("floor_divide", "floordiv"), ("remainder", "mod"), ("pow", "pow"),
            ("bitwise_and", "and"), ("bitwise_or", "or"), ("bitwise_xor", "xor"),
            ("bitwise_left_shift", "lshift"), ("bitwise_right_shift", "rshift"),
            ("equal", "eq"), ("not_equal", "ne"), ("less", "lt"), ("less_equal", "le"),
            ("greater", "gt"), ("greater_equal", "ge"),
        )
    ),
    ("atan2 copysign hypot logaddexp nextafter", _BINARY, beside(REAL_FLOATING)),
    ("maximum minimum", _BINARY, beside(REAL)),
    ("logical_and logical_or logical_xor", _BINARY, beside("uifc=refused")),
    ("clip", "x, /, min=None, max=None", _Clipped()),
    ("sum prod", "x, /, *, axis=None, dtype=None, keepdims=False", _SUM),
    ("cumulative_sum cumulative_prod", "x, /, *, axis=None, dtype=None, include_initial=False", _SUM),
    ("mean", _OVER, only(FLOATING)),
    ("std var", _SPREAD, only(REAL_FLOATING)),
    ("max min", _OVER, only(REAL)),
    ("argmax argmin", _OVER, Checked(INDEX, only(REAL))),
    ("all any", _OVER, Checked(BOOL, X)),
    ("count_nonzero", _OVER, Checked(INDEX, X)),
    ("diff", "x, /, *, axis=-1, n=1, prepend=None, append=None", only(NUMERIC, Promoted("x prepend append"))),
    ("sort", _SORTED, only(REAL)),
    ("argsort", _SORTED, Checked(INDEX, only(REAL))),
    (
        "searchsorted",
        "x1, x2, /, *, side='left', sorter=None",
        Checked(INDEX, IfNumber("x2", beside(REAL), Several.of(only(REAL, Same("x1")), only(REAL, Same("x2"))))),
    ),
    ("isin", "x1, x2, /, *, invert=False", Checked(BOOL, beside("bfc=refused"))),
    ("unique_values", _UNARY, X),
    ("unique_counts unique_inverse", _UNARY, Several.of(X, INDEX)),
    ("unique_all", _UNARY, Several.of(X, INDEX, INDEX, INDEX)),
)  # fmt: skip
