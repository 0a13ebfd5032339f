"""Functions of jax.numpy that make, arrange, join and pick. Source: running JAX 0.10 and 0.11."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import JAX_NAMES
from promo_mypy.rules.functions.jax.inexact import FLOAT, INDEX, Since, inexact
from promo_mypy.rules.functions.language.choosing import Checked, If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Scattered
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Each, Listed, Several
from promo_mypy.rules.functions.language.vocabulary import (
    Asked,
    Dtypes,
    Fixed,
    Inferred,
    Nested,
    Python,
    Same,
    Strong,
    Weakening,
)

#: An index is an integer or a mask. Some functions take no mask.
INDICES: Final = ("fc=refused",)
INTEGERS: Final = ("bfc=refused",)
_SPACED: Final = Asked(Strong(inexact("start stop")))
_RANGE: Final = Strong(Converted(Promoted("start stop step"), "b=refused"))


def _if_sized(name: str) -> If:
    """A weak array becomes strong if it is padded to a given size."""
    return If("size", Strong(Same(name)), Same(name))


#: An array of places.
_COUNTED: Final = Asked(INDEX, table="b=refused")

_ARRANGED: Final[Rows] = table(
    "jax",
    ("reshape", "a, shape, order='C', *, copy=None", Same("a")),
    ("ravel", "a, order='C'", Same("a")),
    ("transpose", "a, axes=None", Same("a")),
    ("permute_dims", "a, /, axes", Same("a")),
    ("matrix_transpose", "x, /", Same("x")),
    ("swapaxes", "a, axis1, axis2", Same("a")),
    ("moveaxis", "a, source, destination", Same("a")),
    ("rollaxis", "a, axis, start=0", Same("a")),
    ("squeeze", "a, axis=None", Same("a")),
    ("expand_dims", "a, axis", Same("a")),
    ("roll", "a, shift, axis=None", Same("a")),
    ("repeat", "a, repeats, axis=None, *, total_repeat_length=None", Same("a")),
    ("resize", "a, new_shape", Same("a")),
    ("flip", "m, axis=None", Same("m")),
    ("fliplr flipud", "m", Same("m")),
    ("rot90", "m, k=1, axes=...", Same("m")),
    ("tril triu", "m, k=0", Same("m")),
    ("diag", "v, k=0", Weakening(Same("v"))),
    ("diagflat", "v, k=0", Strong(Same("v"))),
    ("diagonal", "a, offset=0, axis1=0, axis2=1", Weakening(Same("a"))),
    ("tile", "A, reps", Same("A")),
    ("pad", "array, pad_width, mode='constant'", Same("array")),
    ("broadcast_to", "array, shape", Same("array")),
    (
        "take",
        "a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None",
        Indexed(Same("a"), "indices", INDICES),
    ),
    (
        "take_along_axis",
        "arr, indices, axis=-1, mode=None, fill_value=None",
        Indexed(Same("arr"), "indices", INTEGERS),
    ),
    ("put", "a, ind, v, mode=None, *, inplace=True", Indexed(Scattered(Same("a"), "a", "v"), "ind", INDICES)),
    ("place", "arr, mask, vals, *, inplace=True", Scattered(Same("arr"), "arr", "vals")),
    ("fill_diagonal", "a, val, wrap=False, *, inplace=True", Scattered(Same("a"), "a", "val")),
    (
        "put_along_axis",
        "arr, indices, values, axis, inplace=True, *, mode=None",
        Indexed(Scattered(Same("arr"), "arr", "values"), "indices", INTEGERS),
    ),
    ("delete", "arr, obj, axis=None, *, assume_unique_indices=False", Indexed(Same("arr"), "obj", INDICES)),
    ("insert", "arr, obj, values, axis=None", Indexed(Same("arr"), "obj", INTEGERS)),
    ("trim_zeros", "filt, trim='fb', axis=None", Same("filt")),
    (
        "ediff1d",
        "ary, to_end=None, to_begin=None",
        If("to_end", Python(), If("to_begin", Python(), Converted(Same("ary"), "b=refused"))),
    ),
    ("atleast_1d atleast_2d atleast_3d", "*arys", Each("arys", Same("arys"), single=True)),
    ("broadcast_arrays ix_", "*args", Each("args", Same("args"))),
    ("meshgrid", "*xi, copy=True, sparse=False, indexing='xy'", Each("xi", Same("xi"))),
    ("split array_split", "ary, indices_or_sections, axis=0", Listed(Same("ary"))),
    ("hsplit vsplit dsplit", "ary, indices_or_sections", Listed(Same("ary"))),
    ("unstack", "x, /, *, axis=0", Listed(Same("x"))),
    ("concatenate", "arrays, axis=0, dtype=None", Asked(Promoted("*arrays"))),
    ("stack", "arrays, axis=0, out=None, dtype=None", Asked(Promoted("*arrays"))),
    ("vstack hstack dstack", "tup, dtype=None", Asked(Promoted("*tup"))),
    ("column_stack", "tup", Promoted("*tup")),
    ("append", "arr, values, axis=None", Promoted("arr values")),
    ("block", "arrays", Nested("arrays")),
    ("compress", "condition, a, axis=None, *, size=None, fill_value=0, out=None", _if_sized("a")),
    ("extract", "condition, arr, *, size=None, fill_value=0", _if_sized("arr")),
    ("choose", "a, choices, out=None, mode='raise'", Indexed(Strong(Promoted("*choices")), "a", INTEGERS)),
    ("unravel_index", "indices, shape", Listed(Same("indices"))),
    (
        "ravel_multi_index",
        "multi_index, dims, mode='raise', order='C', *, dtype=None",
        Checked(
            Strong(Converted(Promoted("*multi_index"), "f=refused")),
            Each("multi_index", Converted(Same("multi_index"), "bfc=refused")),
        ),
    ),
    ("tril_indices triu_indices", "n, k=0, m=None", Several.of(INDEX, INDEX)),
    ("tril_indices_from triu_indices_from", "arr, k=0", Several.of(INDEX, INDEX)),
    ("diag_indices", "n, ndim=2", Listed(INDEX)),
    ("packbits", "a, axis=None, bitorder='big'", Fixed(dt.uint8)),
    ("unpackbits", "a, axis=None, count=None, bitorder='big'", Fixed(dt.uint8)),
    under="numpy",
)


def _like(array: str) -> Rule:
    return Asked(Same(array), by_numpy=True)


_MADE: Final[Rows] = table(
    "jax",
    ("zeros ones empty", "shape, dtype=None, *, device=None", Asked(FLOAT)),
    ("eye", "N, M=None, k=0, dtype=None, *, device=None", Asked(FLOAT)),
    ("identity", "n, dtype=None", Asked(FLOAT)),
    ("fromfunction", "function, shape, *, dtype=...", Asked(FLOAT)),
    ("tri", "N, M=None, k=0, dtype=None", Asked(Since(FLOAT, Fixed(dt.float32)))),
    ("full", "shape, fill_value, dtype=None, *, device=None", Asked(Inferred("fill_value", weak=True), by_numpy=True)),
    ("zeros_like ones_like", "a, dtype=None, shape=None, *, device=None", _like("a")),
    ("empty_like", "prototype, dtype=None, shape=None, *, device=None", _like("prototype")),
    ("full_like", "a, fill_value, dtype=None, shape=None, *, device=None", _like("a")),
    ("arange", "start, stop=None, step=None, dtype=None, *, device=None", Asked(_RANGE)),
    (
        "linspace",
        "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
        If("retstep", Several.of(_SPACED, _SPACED), _SPACED, True),
    ),
    ("logspace", "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0", _SPACED),
    ("geomspace", "start, stop, num=50, endpoint=True, dtype=None, axis=0", _SPACED),
    (
        "array",
        "object, dtype=None, *args, copy=True, order='K', ndmin=0, device=None",
        Asked(Inferred("object", weak=True), by_numpy=True),
    ),
    ("asarray", "a, dtype=None, order=None, *, copy=None, device=None", Asked(Inferred("a", weak=True), by_numpy=True)),
    ("astype", "x, dtype, /, *, copy=False, device=None", Asked(Strong(Same("x")))),
    ("frombuffer", "buffer, dtype=..., count=-1, offset=0", Asked(FLOAT)),
    ("indices", "dimensions, dtype=None, sparse=False", If("sparse", Listed(_COUNTED), _COUNTED, True)),
    ("hanning hamming blackman bartlett", "M", FLOAT),
    ("kaiser", "M, beta", FLOAT),
    ("result_type", "*args", Strong(Dtypes("args"))),
    ("promote_types", "a, b", Strong(Dtypes("a b"))),
    under="numpy",
)

#: Scalar types are called to make arrays, which are never weak: jnp.float32(1).
_TYPES: Final[Rows] = table(
    "jax",
    *((name, "x, /", Fixed(dtype)) for name, dtype in JAX_NAMES.items() if "float6" not in name),
    under="numpy",
)

ROWS: Final[Rows] = {**_ARRANGED, **_MADE, **_TYPES}
