"""TensorFlow's elementwise functions, reductions and linear algebra. Source: running TensorFlow 2.21 on the CPU."""

from dataclasses import replace
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same, SameIfFilled
from promo_mypy.rules.records import rule


@rule
class Met(Rule):
    """The common dtype of several tensors. Names are separated by spaces; "*tensors" stands for each item."""

    names: str

    def answer(self, call: Call) -> DType:
        """Numbers, and lists of them, become tensors of the dtype of the others, and so does an empty list beside a
        tensor. tf.add, which the system promotes by, rejects bool.
        """
        if any(map(_has_empty, call.bound.values())):
            raise Unresolved
        numbers = {name: _as_number(call, call.bound[name]) for name in self.names.split() if name in call.bound}
        operands = replace(call, bound={**call.bound, **numbers}).operands(*self.names.split())
        if call.system.weak_dtypes and len({operand.dtype for operand in operands}) > 1:
            raise Unresolved  # in the NumPy mode some functions promote and others do not
        if all(operand.dtype.kind == "b" for operand in operands):
            return dt.bool_
        return call.promoted(*sorted(operands, key=lambda operand: issubclass(operand.dtype, dt.PythonScalar)))


def _has_empty(argument: Argument) -> bool:
    """Whether an argument is an empty list, or has one in it."""
    return isinstance(argument, Items) and (not argument.items or any(map(_has_empty, argument.items)))


def _as_number(call: Call, argument: Argument) -> Argument:
    """A sequence of Python numbers as one number of their highest kind; any other argument unchanged."""
    if not isinstance(argument, Items | Many):
        return argument
    leaves = list(call.leaves(argument))
    if not leaves or not all(issubclass(leaf.dtype, dt.PythonScalar) for leaf in leaves):
        return argument
    return max(leaves, key=lambda leaf: "bifc".index(leaf.dtype.kind))


@rule
class Plain(Rule):
    """The rule's result. In the NumPy mode it is unknown, because it may be weak."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """In the NumPy mode some functions make weak tensors of numbers."""
        if call.system.weak_dtypes:
            raise Unresolved
        return self.rule.answer(call)


#: No function computes with float8.
FLOAT8: Final = "float8_e4m3fn=refused float8_e5m2=refused"
#: Dtypes for which a function is not defined.
INEXACT: Final = f"{FLOAT8} bui=refused"
FLOATS: Final = f"{FLOAT8} buic=refused"
SIGNED: Final = f"{FLOAT8} bu=refused"
NUMBERS: Final = f"{FLOAT8} b=refused"
REAL: Final = f"{FLOAT8} bc=refused"
INTEGERS: Final = "bfc=refused"
#: Dtypes in which TensorFlow counts, and those in which argmax counts.
COUNTS: Final = "bufc=refused int8=refused int16=refused"
_PLACES: Final = "bufc=refused int8=refused uint16=uint16"
_PLACED: Final = "input, axis=None, output_type=None, name=None"
SOLVED: Final = f"{INEXACT} bfloat16=refused float16=refused"
#: Dtypes that an index cannot have.
_INDICES: Final = "bufc=refused int8=refused"
BOOL: Final = Fixed(dt.bool_)
INT32: Final = Fixed(dt.int32)
INT64: Final = Fixed(dt.int64)

_X: Final = Same("x")
_MULTIPLIED: Final = f"{NUMBERS} u=refused int8=refused int16=refused"
_FIRST: Final = Promoted("x y")
_BOTH: Final = Met("x y")
_PAIR: Final = "x, y, name=None"
_ONE: Final = "x, name=None"
_IN: Final = Same("input_tensor")
_OVER: Final = "input_tensor, axis=None, keepdims=False, name=None"
_CUMULATED: Final = "x, axis=0, exclusive=False, reverse=False, name=None"
_A: Final = Same("a")
_MATRIX: Final = Converted(Same("input"), SOLVED)
_HALVED: Final = Converted(Same("input"), f"{INEXACT} bfloat16=refused")
_TENSOR: Final = Converted(Same("tensor"), SOLVED)
_PRODUCT: Final = Met("a b")


def indexed(rule: Rule, indices: str, *, narrow: bool = True) -> Rule:
    """The rule's result, if the argument of that name can be an index; `narrow`: whether it may be int16."""
    table = _INDICES if narrow else f"{_INDICES} int16=refused"
    return CheckedIfKnown(rule, Converted(Same(indices), table))


def sized(rule: Rule, sizes: str) -> Rule:
    """The rule's result, if the argument of that name can be sizes, such as a shape: an empty list can."""
    return CheckedIfKnown(rule, Converted(SameIfFilled(sizes), _INDICES))


def _truth(table: str, rule: Rule = _X) -> Rule:
    return Checked(BOOL, Converted(rule, table))


ROWS: Final[Rows] = {
    **table(
        "tensorflow",
        (
            "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p sqrt rsqrt sigmoid",
            _ONE,
            Converted(_X, INEXACT),
        ),
        ("floor ceil rint erf erfc erfinv erfcinv ndtri lgamma digamma log_sigmoid", _ONE, Converted(_X, FLOATS)),
        ("softplus softsign", "features, name=None", Converted(Same("features"), FLOATS)),
        ("square", _ONE, Converted(_X, NUMBERS)),
        ("round", _ONE, Converted(_X, NUMBERS)),
        ("negative sign reciprocal", _ONE, Converted(_X, SIGNED)),
        ("abs", _ONE, Converted(_X, f"{SIGNED} c=real")),
        ("conj", _ONE, Converted(_X, "b=refused")),
        ("real", "input, name=None", Converted(Same("input"), "b=refused c=real")),
        ("imag", "input, name=None", Converted(Same("input"), "c=real")),
        ("angle", "input, name=None", Converted(Same("input"), "bui=refused c=real")),
        ("is_nan is_inf is_finite", _ONE, _truth(FLOATS)),
        ("logical_not", _ONE, Converted(_X, "uifc=refused")),
        ("logical_and logical_or", _PAIR, Converted(_BOTH, "uifc=refused")),
        ("logical_xor", "x, y, name='LogicalXor'", Converted(_BOTH, "uifc=refused")),
        # The first argument becomes a tensor before the second.
        ("add", _PAIR, _FIRST),
        ("subtract", _PAIR, Operator("sub", "x y")),
        ("multiply", _PAIR, Converted(_BOTH, NUMBERS)),
        ("divide divide_no_nan", _PAIR, Operator("truediv", "x y")),
        ("truediv", _PAIR, Checked(Operator("truediv", "x y"), _FIRST)),
        ("floordiv", _PAIR, Operator("floordiv", "x y")),
        ("floormod", _PAIR, Operator("mod", "x y")),
        ("pow", _PAIR, Operator("pow", "x y")),
        ("maximum minimum", _PAIR, Converted(_BOTH, REAL)),
        ("squared_difference", _PAIR, Converted(_BOTH, _MULTIPLIED)),
        ("multiply_no_nan xlogy xdivy xlog1py", _PAIR, Converted(_BOTH, INEXACT)),
        ("atan2", "y, x, name=None", Converted(Met("y x"), FLOATS)),
        ("equal not_equal", _PAIR, _truth(FLOAT8, _BOTH)),
        ("less less_equal greater greater_equal", _PAIR, _truth(REAL, _BOTH)),
        ("add_n", "inputs, name=None", Converted(Met("*inputs"), NUMBERS)),
        ("scalar_mul", "scalar, x, name=None", Converted(_X, NUMBERS)),
        ("reduce_sum reduce_prod reduce_mean", _OVER, Converted(_IN, NUMBERS)),
        ("reduce_max reduce_min", _OVER, Converted(_IN, REAL)),
        ("reduce_std reduce_variance", _OVER, Converted(_IN, f"{INEXACT} c=real")),
        ("reduce_euclidean_norm", _OVER, Converted(_IN, NUMBERS)),
        ("reduce_logsumexp", _OVER, Converted(_IN, FLOATS)),
        ("reduce_any reduce_all", _OVER, Converted(_IN, "uifc=refused")),
        (
            "argmax",
            _PLACED,
            Checked(Asked(INT64, "output_type", table=_PLACES), Converted(Same("input"), f"{FLOAT8} c=refused")),
        ),
        (
            "argmin",
            _PLACED,
            Checked(Asked(INT64, "output_type", table=COUNTS), Converted(Same("input"), f"{FLOAT8} c=refused")),
        ),
        ("cumsum cumprod", _CUMULATED, Converted(_X, NUMBERS)),
        ("cumulative_logsumexp", _CUMULATED, Converted(_X, FLOATS)),
        ("count_nonzero", "input, axis=None, keepdims=None, dtype=None, name=None", Asked(INT64)),
        (
            "top_k",
            "input, k=1, sorted=True, index_type=None, name=None",
            Several.of(Converted(Same("input"), REAL), Asked(INT32, "index_type")),
        ),
        ("l2_normalize", "x, axis=None, epsilon=1e-12, name=None, dim=None", Converted(_X, INEXACT)),
        ("zero_fraction", "value, name=None", Fixed(dt.float32)),
        (
            "segment_sum segment_prod segment_mean",
            "data, segment_ids, name=None",
            indexed(Converted(Same("data"), NUMBERS), "segment_ids", narrow=False),
        ),
        (
            "segment_max segment_min",
            "data, segment_ids, name=None",
            indexed(Converted(Same("data"), REAL), "segment_ids", narrow=False),
        ),
        (
            "unsorted_segment_sum",
            "data, segment_ids, num_segments, name=None",
            indexed(Converted(Same("data"), NUMBERS), "segment_ids"),
        ),
        (
            "unsorted_segment_prod",
            "data, segment_ids, num_segments, name=None",
            indexed(Converted(Same("data"), NUMBERS), "segment_ids", narrow=False),
        ),
        (
            "unsorted_segment_max unsorted_segment_min",
            "data, segment_ids, num_segments, name=None",
            indexed(Converted(Same("data"), REAL), "segment_ids", narrow=False),
        ),
        under="math",
    ),
    **table(
        "tensorflow",
        (
            "matmul",
            "a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,"
            " b_is_sparse=False, output_type=None, grad_a=False, grad_b=False, name=None",
            # Some pairs of small integers have a product in int32.
            If("output_type", Python(), Operator("matmul", "a b")),
        ),
        (
            "matvec",
            "a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None",
            Operator("matmul", "a b"),
        ),
        ("inv", "input, adjoint=False, name=None", _HALVED),
        ("det", "input, name=None", _MATRIX),
        ("cholesky", "input, name=None", _MATRIX),
        ("slogdet", "input, name=None", Several.of(_MATRIX, _MATRIX)),
        ("qr", "input, full_matrices=False, name=None", Several.of(_HALVED, _HALVED)),
        (
            "svd",
            "tensor, full_matrices=False, compute_uv=True, name=None",
            If(
                "compute_uv",
                Several.of(Converted(_TENSOR, "c=real"), _TENSOR, _TENSOR),
                Converted(_TENSOR, "c=real"),
                True,
            ),
        ),
        ("eigh", "tensor, name=None", Several.of(_TENSOR, _TENSOR)),
        ("eigvalsh", "tensor, name=None", _TENSOR),
        ("eig", "tensor, name=None", Several.of(Converted(_TENSOR, "f=complexed"), Converted(_TENSOR, "f=complexed"))),
        ("eigvals", "tensor, name=None", Converted(_TENSOR, "f=complexed")),
        ("solve", "matrix, rhs, adjoint=False, name=None", Converted(Met("matrix rhs"), SOLVED)),
        ("triangular_solve", "matrix, rhs, lower=True, adjoint=False, name=None",
         Converted(Met("matrix rhs"), SOLVED)),
        ("lstsq", "matrix, rhs, l2_regularizer=0.0, fast=True, name=None",
         Converted(Met("matrix rhs"), SOLVED)),
        ("pinv", "a, rcond=None, validate_args=False, name=None", Converted(_A, f"{SOLVED} c=refused")),
        ("trace", "x, name=None", Converted(_X, NUMBERS)),
        ("diag", "diagonal, name='diag', k=0, num_rows=-1, num_cols=-1, padding_value=0, align='RIGHT_LEFT'",
         Same("diagonal")),
        ("diag_part", "input, name='diag_part', k=0, padding_value=0, align='RIGHT_LEFT'", Same("input")),
        ("band_part", "input, num_lower, num_upper, name=None", Same("input")),
        ("set_diag", "input, diagonal, name='set_diag', k=0, align='RIGHT_LEFT'", Met("input diagonal")),
        ("matrix_transpose", "a, name='matrix_transpose', conjugate=False", _A),
        ("cross", "a, b, name=None", Converted(_PRODUCT, REAL)),
        under="linalg",
    ),
    **table(
        "tensorflow",
        ("einsum", "equation, *inputs, **options", Converted(Met("*inputs"), f"{NUMBERS} u=refused")),
        ("tensordot", "a, b, axes, name=None", Operator("matmul", "a b")),
        ("norm", "tensor, ord='euclidean', axis=None, keepdims=None, name=None",
         Converted(Same("tensor"), INEXACT)),
    ),
    **table(
        "tensorflow",
        ("bitwise_and bitwise_or bitwise_xor left_shift right_shift", _PAIR, Converted(_BOTH, INTEGERS)),
        ("invert", _ONE, Converted(_X, INTEGERS)),
        under="bitwise",
    ),
}  # fmt: skip
