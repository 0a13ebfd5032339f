"""jax.lax: explicit about dtypes. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import BOOL, inexact
from promo_mypy.rules.functions.jax.shaping import INTEGERS
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.promoting import Alike
from promo_mypy.rules.functions.language.protocols import Rule, one
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Each, Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Inferred, Python, Same, Strong, Weakening
from promo_mypy.rules.records import rule
from promo_mypy.rules.systems.jax_lax import DOT


@rule
class _Power(Rule):
    """Requires equal dtypes; a float or complex base keeps its dtype beside an integer exponent."""

    def answer(self, call: Call) -> DType:
        """A strong exponent makes the result strong."""
        base, exponent = (call.promoted(call.operand(name)) for name in "xy")
        if base.kind in "fc" and exponent.kind in "ui":
            return base if exponent.weak else base.strong
        dtype = Alike("x y").answer(call)
        return dtype if dtype.kind in "fc" else call.refuse(dtype)


@rule
class _Dot(Rule):
    """The last of the operands' dtypes in JAX's order; weak if all operands are weak."""

    def answer(self, call: Call) -> DType:
        """Rejects different dtypes otherwise."""
        operands = [call.promoted(call.operand(name)) for name in ("lhs", "rhs")]
        names = [operand.strong.name for operand in operands]
        if not all(name in _ORDER for name in names):
            return Alike("lhs rhs").answer(call)
        widest = dt.DTYPES[max(names, key=_ORDER.index)]
        return dt.WEAK[widest] if all(operand.weak for operand in operands) else widest


@rule
class _Positions(Rule):
    """int32, and weak if the array is weak. For bool arrays the weakness is unknown."""

    rule: Rule

    def answer(self, call: Call) -> DType:
        """Also with x64 on."""
        dtype = one(call, self.rule)
        if dtype is dt.bool_:
            raise Unresolved
        return dt.WEAK[dt.int32] if dtype.weak else dt.int32


_ORDER: Final = tuple(DOT.split())
_SCATTER: Final = (
    "operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False, mode=None"
)
_SCATTERED: Final = Alike("operand updates")
_POWER: Final = _Power()
_DOT: Final = _Dot()
_ORDERED: Final = Converted(Same("operand"), "c=refused")


def _sliced(rule: Rule) -> Rule:
    """The rule of a function whose start indices are integers of one dtype. A Python int has the default one."""
    return Indexed(CheckedIfKnown(rule, Alike("*start_indices")), "start_indices", INTEGERS)


def _floating(name: str) -> Rule:
    return Converted(Same(name), "bui=refused")


def _real(name: str) -> Rule:
    return Converted(Same(name), "bui=refused c=refused")


def _number(name: str) -> Rule:
    return Converted(Same(name), "b=refused")


def _chosen(cases: str, by: str) -> Rule:
    return CheckedIfKnown(Alike(cases), Converted(Same(by), "fc=refused"))


ROWS: Final[Rows] = table(
    "jax",
    (
        "sin cos tan exp log sqrt tanh rsqrt reciprocal log1p expm1 exp2 logistic asin acos atan sinh cosh "
        "asinh acosh atanh",
        "x",
        _floating("x"),
    ),
    ("cbrt erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e floor ceil", "x", _real("x")),
    ("round", "x, rounding_method=...", _real("x")),
    ("is_finite", "x", Checked(BOOL, _real("x"))),
    ("abs", "x", Converted(Same("x"), "bu=refused c=real")),
    ("neg sign square", "x", _number("x")),
    ("cumsum cumprod cummax cummin", "operand, axis=0, reverse=False", _number("operand")),
    ("reduce_sum reduce_prod", "operand, axes", _number("operand")),
    ("integer_pow", "x, y", _number("x")),
    ("bitwise_not", "x", Converted(Same("x"), "fc=refused")),
    ("population_count clz", "x", Converted(Same("x"), "bfc=refused")),
    ("real imag", "x", Converted(Same("x"), "buif=refused c=real")),
    ("conj", "x", Converted(Same("x"), "bui=refused bfloat16=refused float16=refused f=complexed")),
    ("stop_gradient", "x", Same("x")),
    ("optimization_barrier", "operand, /", Same("operand")),
    (
        "dynamic_slice",
        "operand, start_indices, slice_sizes, *, allow_negative_indices=True",
        _sliced(Same("operand")),
    ),
    (
        "dynamic_slice_in_dim",
        "operand, start_index, slice_size, axis=0, *, allow_negative_indices=True",
        Indexed(Same("operand"), "start_index", INTEGERS),
    ),
    (
        "dynamic_index_in_dim",
        "operand, index, axis=0, keepdims=True, *, allow_negative_indices=True",
        Indexed(Same("operand"), "index", INTEGERS),
    ),
    ("slice", "operand, start_indices, limit_indices, strides=None", Same("operand")),
    ("slice_in_dim", "operand, start_index, limit_index, stride=1, axis=0", Same("operand")),
    ("index_in_dim", "operand, index, axis=0, keepdims=True", Same("operand")),
    ("transpose", "operand, permutation", Same("operand")),
    ("broadcast", "operand, sizes", Same("operand")),
    ("broadcast_in_dim", "operand, shape, broadcast_dimensions", Same("operand")),
    ("reshape", "operand, new_sizes, dimensions=None", Same("operand")),
    ("squeeze expand_dims", "array, dimensions", Same("array")),
    ("collapse", "operand, start_dimension, stop_dimension=None", Same("operand")),
    ("rev", "operand, dimensions", Same("operand")),
    (
        "gather",
        "operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, "
        "indices_are_sorted=False, mode=None, fill_value=None",
        Same("operand"),
    ),
    ("sort", "operand, dimension=-1, is_stable=True, num_keys=1", Same("operand")),
    ("reduce_max reduce_min", "operand, axes", Same("operand")),
    ("psum pmax pmin", "x, axis_name, *, axis_index_groups=None", Same("x")),
    ("all_gather", "x, axis_name, *, axis_index_groups=None, axis=0, tiled=False, to='varying'", Same("x")),
    ("ppermute", "x, axis_name, perm", Same("x")),
    ("all_to_all", "x, axis_name, split_axis, concat_axis, *, axis_index_groups=None, tiled=False", Same("x")),
    ("psum_scatter", "x, axis_name, *, scatter_dimension=0, axis_index_groups=None, tiled=False", Same("x")),
    ("pmean", "x, axis_name, *, axis_index_groups=None", inexact("x")),
    ("add sub div", "x, y", Converted(Alike("x y"), "b=refused")),
    (
        "mul",
        "x, y, *, out_dtype=None",
        If("out_dtype", Converted(Same("x"), "b=refused uifc=unknown"), Converted(Alike("x y"), "b=refused")),
    ),
    ("rem", "x, y", Converted(Alike("x y"), "bc=refused")),
    ("max min", "x, y", Alike("x y")),
    ("atan2", "x, y", Converted(Alike("x y"), "bui=refused")),
    ("nextafter", "x1, x2", Converted(Alike("x1 x2"), "bui=refused c=refused")),
    ("igamma igammac igamma_grad_a", "a, x", Converted(Alike("a x"), "bui=refused c=refused")),
    ("polygamma", "m, x", Converted(Alike("m x"), "bui=refused c=refused")),
    ("zeta", "x, q", Converted(Alike("x q"), "bui=refused c=refused")),
    ("betainc", "a, b, x", Converted(Alike("a b x"), "bui=refused c=refused")),
    ("bitwise_and bitwise_or bitwise_xor", "x, y", Converted(Alike("x y"), "fc=refused")),
    ("shift_left shift_right_logical shift_right_arithmetic", "x, y", Converted(Alike("x y"), "bfc=refused")),
    ("eq ne", "x, y", Checked(BOOL, Alike("x y"))),
    ("lt le gt ge", "x, y", Checked(BOOL, Converted(Alike("x y"), "c=refused"))),
    (
        "complex",
        "x, y",
        Converted(Alike("x y"), "bui=refused bfloat16=refused float16=refused c=refused f=complexed"),
    ),
    ("pow", "x, y", _POWER),
    ("clamp", "min, x, max", Alike("min x max")),
    ("select", "pred, on_true, on_false", _chosen("on_true on_false", "pred")),
    ("select_n", "which, *cases", _chosen("*cases", "which")),
    ("concatenate", "operands, dimension", Alike("*operands")),
    (
        "dynamic_update_slice",
        "operand, update, start_indices, *, allow_negative_indices=True",
        _sliced(Weakening(Alike("operand update"))),
    ),
    (
        "dynamic_update_slice_in_dim",
        "operand, update, start_index, axis, *, allow_negative_indices=True",
        Indexed(Strong(Alike("operand update")), "start_index", INTEGERS),
    ),
    (
        "dynamic_update_index_in_dim",
        "operand, update, index, axis, *, allow_negative_indices=True",
        Indexed(Strong(Alike("operand update")), "index", INTEGERS),
    ),
    ("scatter scatter_min scatter_max", _SCATTER, Indexed(_SCATTERED, "scatter_indices", INTEGERS)),
    (
        "scatter_add scatter_sub scatter_mul",
        _SCATTER,
        Indexed(Converted(_SCATTERED, "b=refused"), "scatter_indices", INTEGERS),
    ),
    ("pad", "operand, padding_value, padding_config", Alike("operand padding_value")),
    (
        "dot",
        "lhs, rhs, *, dimension_numbers=None, precision=None, preferred_element_type=None",
        Asked(_DOT, "preferred_element_type"),
    ),
    (
        "dot_general",
        "lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None",
        Asked(_DOT, "preferred_element_type"),
    ),
    (
        "conv",
        "lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None",
        Asked(Alike("lhs rhs"), "preferred_element_type"),
    ),
    (
        "conv_general_dilated",
        "lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None, "
        "feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None",
        Asked(Alike("lhs rhs"), "preferred_element_type"),
    ),
    (
        "ragged_dot",
        "lhs, rhs, group_sizes, precision=None, preferred_element_type=None, group_offset=None",
        Asked(Strong(Alike("lhs rhs")), "preferred_element_type"),
    ),
    (
        "top_k",
        "operand, k, *, axis=-1",
        Several.of(_ORDERED, _Positions(_ORDERED)),
    ),
    (
        "approx_max_k approx_min_k",
        "operand, k, reduction_dimension=-1, recall_target=0.95, reduction_input_size_override=-1, "
        "aggregate_to_topk=True",
        Several.of(_real("operand"), _Positions(_real("operand"))),
    ),
    ("argmax argmin", "operand, axis, index_dtype", Asked(Python(), "index_dtype")),
    ("convert_element_type bitcast_convert_type", "operand, new_dtype", Asked(Python(), "new_dtype")),
    ("full", "shape, fill_value, dtype=None", Asked(Inferred("fill_value", weak=True))),
    ("full_like", "x, fill_value, dtype=None, shape=None", Asked(Same("x"))),
    ("iota", "dtype, size", Asked(Python(), table="b=refused")),
    ("broadcasted_iota", "dtype, shape, dimension", Asked(Python(), table="b=refused")),
    ("axis_index", "axis_name", Fixed(dt.int32)),
    ("reduce_precision", "operand, exponent_bits, mantissa_bits", _real("operand")),
    ("sort_key_val", "keys, values, dimension=-1, is_stable=True", Several.of(Same("keys"), Same("values"))),
    ("with_sharding_constraint", "x, shardings", Each("x", Same("x"), single=True)),
    (
        "linalg.triangular_solve",
        "a, b, *, left_side=False, lower=False, transpose_a=False, conjugate_a=False, unit_diagonal=False",
        Converted(Alike("a b"), "bui=refused"),
    ),
    under="lax",
)
