"""TensorFlow's functions that make, arrange, join and pick. Source: running TensorFlow 2.21 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If, OrUnknown
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Gathered, Inferred, Python, Same
from promo_mypy.rules.functions.tensorflow.math import COUNTS, FLOAT8, FLOATS, INT32, REAL, Met, Plain, indexed, sized

_FLOAT: Final = Default("f")
_INPUT: Final = Same("input")
_TENSOR: Final = Same("tensor")
_MADE: Final = "name=None, layout=None"

_DRAWN: Final = Asked(_FLOAT, table=FLOATS)
_SHORT: Final = f"{FLOAT8} bc=refused uint8=refused uint16=refused int8=refused int16=refused"
_COUNTED: Final = f"{_SHORT} u=refused bfloat16=refused"
# Integers need an upper bound.
_UNIFORM: Final = If("maxval", Asked(_FLOAT, table=f"{_SHORT} u=refused"), _DRAWN)

ROWS: Final[Rows] = {
    **table(
        "tensorflow",
        # Creation.
        ("zeros ones", f"shape, dtype=None, {_MADE}", Asked(_FLOAT)),
        ("fill", f"dims, value, {_MADE}", Plain(Same("value"))),
        ("zeros_like ones_like", f"input, dtype=None, {_MADE}", Asked(_INPUT)),
        ("eye", "num_rows, num_columns=None, batch_shape=None, dtype=None, name=None", Asked(_FLOAT)),
        ("range", "start, limit=None, delta=1, dtype=None, name='range'",
         Asked(Plain(Gathered("start limit delta")), table="b=refused uint8=refused c=refused")),
        ("linspace", "start, stop, num, name=None, axis=0", Plain(Converted(Gathered("start stop"), "bui=float64"))),
        ("constant", "value, dtype=None, shape=None, name='Const'", Asked(Plain(Inferred("value")))),
        ("convert_to_tensor", "value, dtype=None, dtype_hint=None, name=None", Asked(Plain(Inferred("value")))),
        ("Variable", "initial_value, trainable=None, validate_shape=True, caching_device=None, name=None,"
         " variable_def=None, dtype=None, **options", Asked(Plain(Inferred("initial_value")))),
        ("one_hot", "indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None",
         CheckedIfKnown(
             Asked(If("on_value", Met("on_value off_value"), If("off_value", Same("off_value"), _FLOAT))),
             Converted(Same("indices"), "bfc=refused uint16=refused uint32=refused uint64=refused int16=refused"),
         )),
        ("sequence_mask", "lengths, maxlen=None, dtype=None, name=None", Asked(Fixed(dt.bool_))),
        ("cast", "x, dtype, name=None", Asked(Python())),
        ("saturate_cast", "value, dtype, name=None",
         Checked(Asked(Python(), table="b=refused"), Converted(Same("value"), "b=refused"))),
        ("complex", "real, imag, name=None", Converted(Met("real imag"), "buic=refused float32=complex64"
         " float64=complex128 f=refused")),
        ("identity stop_gradient", "input, name=None", _INPUT),
        ("shape", "input, out_type=None, name=None", Asked(INT32, "out_type", table=COUNTS)),
        ("size", "input, out_type=None, name=None", Asked(INT32, "out_type")),
        ("rank", "input, name=None", INT32),
        # Arrangement.
        ("reshape", "tensor, shape, name=None", sized(_TENSOR, "shape")),
        ("transpose", "a, perm=None, conjugate=False, name='transpose'", Same("a")),
        ("squeeze expand_dims", "input, axis=None, name=None", _INPUT),
        ("tile", "input, multiples, name=None", sized(_INPUT, "multiples")),
        ("repeat", "input, repeats, axis=None, name=None", sized(_INPUT, "repeats")),
        ("reverse", "tensor, axis, name=None", _TENSOR),
        ("roll", "input, shift, axis, name=None", _INPUT),
        ("pad", "tensor, paddings, mode='CONSTANT', constant_values=0, name=None", _TENSOR),
        ("broadcast_to", "input, shape, name=None", _INPUT),
        ("ensure_shape", "x, shape, name=None", Same("x")),
        ("concat", "values, axis, name='concat'", Met("*values")),
        ("stack", "values, axis=0, name='stack'", Met("*values")),
        ("unstack", "value, num=None, axis=0, name='unstack'", Listed(Same("value"))),
        ("split", "value, num_or_size_splits, axis=0, num=None, name='split'", Listed(Same("value"))),
        ("meshgrid", "*args, **options", OrUnknown(Listed(Met("*args")))),
        # Picking.
        ("gather", "params, indices, validate_indices=None, axis=None, batch_dims=0, name=None",
         indexed(Same("params"), "indices")),
        ("gather_nd", "params, indices, batch_dims=0, name=None, bad_indices_policy=''",
         indexed(Same("params"), "indices")),
        ("boolean_mask", "tensor, mask, axis=None, name='boolean_mask'", _TENSOR),
        ("where", "condition, x=None, y=None, name=None",
         If("x", CheckedIfKnown(Met("x y"), Converted(Same("condition"), "uifc=refused")), Fixed(dt.int64))),
        ("slice", "input_, begin, size, name=None", Same("input_")),
        ("sort", "values, axis=-1, direction='ASCENDING', name=None", Converted(Same("values"), REAL)),
        ("argsort", "values, axis=-1, direction='ASCENDING', stable=False, name=None",
         Checked(INT32, Converted(Same("values"), REAL))),
        ("unique", "x, out_idx=None, name=None", Several.of(Same("x"), Asked(INT32, "out_idx"))),
        ("unique_with_counts", "x, out_idx=None, name=None",
         Several.of(Same("x"), Asked(INT32, "out_idx"), Asked(INT32, "out_idx"))),
        ("searchsorted", "sorted_sequence, values, side='left', out_type=None, name=None",
         Checked(Asked(INT32, "out_type", table=COUNTS), Converted(Met("sorted_sequence values"), REAL))),
        ("clip_by_value", "t, clip_value_min, clip_value_max, name=None",
         Converted(Met("t clip_value_min clip_value_max"), REAL)),
        ("tensor_scatter_nd_update", "tensor, indices, updates, name=None", indexed(Met("tensor updates"), "indices")),
        ("tensor_scatter_nd_add", "tensor, indices, updates, bad_indices_policy='', name=None",
         indexed(Met("tensor updates"), "indices")),
        ("scatter_nd", "indices, updates, shape, bad_indices_policy='', name=None",
         indexed(Same("updates"), "indices")),
    ),
    **table(
        "tensorflow",
        ("normal truncated_normal", "shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None", _DRAWN),
        ("uniform", "shape, minval=0, maxval=None, dtype=None, seed=None, name=None", _UNIFORM),
        ("gamma", "shape, alpha, beta=None, dtype=None, seed=None, name=None",
         Asked(_FLOAT, table=f"{FLOATS} bfloat16=refused")),
        ("poisson", "shape, lam, dtype=None, seed=None, name=None", Asked(_FLOAT, table=_COUNTED)),
        ("shuffle", "value, seed=None, name=None", Same("value")),
        ("categorical", "logits, num_samples, dtype=None, seed=None, name=None",
         Checked(Asked(Fixed(dt.int64), table=COUNTS), Converted(Same("logits"), REAL))),
        ("stateless_normal", "shape, seed, mean=0.0, stddev=1.0, dtype=None, name=None, alg='auto_select'",
         _DRAWN),
        ("stateless_uniform", "shape, seed, minval=0, maxval=None, dtype=None, name=None, alg='auto_select'",
         _UNIFORM),
        under="random",
    ),
}  # fmt: skip
