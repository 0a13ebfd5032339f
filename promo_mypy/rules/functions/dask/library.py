"""Dask: dask.array and the methods and attributes of its arrays. NumPy's rules hold unless a row overrides them.

Source: running Dask 2026.8 over NumPy; the dtypes are those that its arrays declare.
"""

from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, If, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Stored
from promo_mypy.rules.functions.language.promoting import Joined, OfSubscripts, Operator, Promoted
from promo_mypy.rules.functions.language.rows import Entry, Library, like, named, table
from promo_mypy.rules.functions.language.several_results import Each, Several, with_indices
from promo_mypy.rules.functions.language.vocabulary import (
    Asked,
    Default,
    Fixed,
    Inferred,
    OfArray,
    PassedOn,
    Python,
    Same,
)
from promo_mypy.rules.functions.numpy import shaping
from promo_mypy.rules.functions.numpy.casting import CastTo
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.linear import SOLVED
from promo_mypy.rules.functions.numpy.random import GENERATOR, LEGACY, under
from promo_mypy.rules.functions.numpy.reductions import MEANS, QUANTILES, SUMS, UNIQUE_FLAGS

_A: Final = Inferred("a")
_INDEX: Final = Default("i")
_FLOAT: Final = Default("f")
_SELF: Final = Same("self")
_EACH: Final = Each("args", PassedOn("args"))
# An array passed as `out` becomes the result and takes over its dtype.
_OUT: Final = "out: replaced=None"
_KEPT: Final = f"axis=None, keepdims=False, split_every=None, {_OUT}"
_TYPED: Final = f"axis=None, dtype=None, keepdims=False, split_every=None, {_OUT}"
_SPREAD: Final = f"a, axis=None, dtype=None, keepdims=False, ddof=0, split_every=None, {_OUT}"
_UFUNC: Final = f"{_OUT}, *, where=True"
_JOINED: Final = "axis=0, allow_unknown_chunksizes=False"
_MADE: Final = "*, dtype=None, order='C', chunks='auto', name=None, meta=None"
_LIKE: Final = "dtype=None, order='C', chunks=None, name=None, shape=None"
_PART: Final = "a, n=None, axis=None, norm=None"
_PARTS: Final = "a, s=None, axes=None, norm=None"
_MAPPED: Final = (
    "name=None, token=None, dtype=None, chunks=None, drop_axis=None, new_axis=None, enforce_ndim=False, meta=None,"
    " **options"
)
_OVERLAPPED: Final = "depth=None, boundary=None, trim=True, align_arrays=True, allow_rechunk=True"
#: The result of a function of the caller is unknown, unless the call names its dtype, or has an array like it.
_NAMED: Final = Asked(Python())
_LIKE_META: Final = Asked(If("meta", OfArray("meta"), Python()))
_CHOSEN: Final = "method='linear', keepdims=False, *, weights=None, interpolation=None"
_VARIANCE: Final = Asked(Converted(_A, f"{MEANS} bfloat16=refused c=real"), table="bfloat16=refused")
_NANPERCENTILE: Final = IfNumber(
    "q",
    Converted(_A, f"{QUANTILES} bfloat16=float64"),
    Joined.of(Converted(_A, "b=refused c=refused"), Converted(Inferred("q"), MEANS)),
)
_COUNTS: Final = If(
    "density", _FLOAT, If("weights", Converted(Inferred("weights"), "b=refused i=int64 u=uint64"), _INDEX), value=True
)
#: The dtypes in which SciPy solves.
_SCIPY: Final = "bool=float32 uint8=float32 uint16=float32 int8=float32 int16=float32 float16=float32 ui=float64"
_LEAST: Final = Joined.of(Converted(_A, SOLVED), Inferred("b"))
_RESIDUE: Final = Converted(_LEAST, "c=real")
_NO_BFLOAT16: Final = Converted(_A, "bfloat16=refused")
_UNIQUE: Final = with_indices(Inferred("ar"), *UNIQUE_FLAGS)
#: Products are summed, and sums of integers are at least as wide as Python's.
_SUMMED: Final = Converted(Promoted("a b", full=True), SUMS)

_ELEMENTWISE: Final = (
    "abs absolute arccos arccosh arcsin arcsinh arctan arctanh bitwise_not cbrt ceil conj cos cosh deg2rad degrees exp"
    " exp2 expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg"
    " radians reciprocal rint sign signbit sin sinh spacing sqrt square tan tanh trunc"
)
_OF_TWO: Final = (
    "add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide equal float_power floor_divide fmax fmin fmod"
    " greater greater_equal hypot ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or"
    " logical_xor maximum minimum mod multiply nextafter not_equal power remainder right_shift subtract true_divide"
)


#: Distributions of NumPy that Dask lacks.
_NOT_DRAWN: Final = frozenset({
    "dirichlet", "rand", "randn", "ranf", "sample", "multivariate_normal", "permuted",
})  # fmt: skip


def _drawn(entries: tuple[Entry, ...], generator: str = "") -> tuple[Entry, ...]:
    """Random numbers: always an array, also without a size."""
    own = "self, " if generator else ""
    return tuple(
        (
            under(generator or "random", " ".join(name for name in names.split() if name not in _NOT_DRAWN)),
            f"{own}{signature}, chunks='auto'",
            rule,
        )
        for names, signature, rule in entries
    )


_FUNCTIONS: Final = table(
    "dask",
    *like(NUMPY, _ELEMENTWISE, f"x, /, {_UFUNC}"),
    *like(NUMPY, _OF_TWO, f"x1, x2, /, {_UFUNC}"),
    *like(NUMPY, "sum prod nansum nanprod mean nanmean=mean", f"a, {_TYPED}"),
    ("var std nanvar nanstd", _SPREAD, _VARIANCE),
    *like(NUMPY, "max min nanmax nanmin any all argmax argmin nanargmax nanargmin", f"a, {_KEPT}"),
    *like(NUMPY, "cumsum cumprod", f"x: a, axis=None, dtype=None, {_OUT}, method='sequential'"),
    *like(NUMPY, "nancumsum nancumprod", f"x: a, axis, dtype=None, {_OUT}, *, method='sequential'"),
    *like(NUMPY, "median", f"a, axis=None, keepdims=False, {_OUT}"),
    ("nanmedian", f"a, axis=None, keepdims=False, {_OUT}", Converted(_A, f"{MEANS} bfloat16=float64")),
    ("quantile nanquantile", f"a, q, axis=None, {_OUT}, overwrite_input=False, {_CHOSEN}",
     Converted(_A, "b=refused uif=float64 c=refused")),
    ("percentile", "a, q, method='linear', internal_method='default', **options",
     Converted(_A, "ui=float64 c=refused")),
    ("nanpercentile", "a, q, **options", _NANPERCENTILE),
    *like(NUMPY, "ptp count_nonzero", "a, axis=None"),
    *like(NUMPY, "average", "a, axis=None, weights=None, returned=False, keepdims=False"),
    ("moment", f"a, order, axis=None, dtype=None, keepdims=False, ddof=0, split_every=None, {_OUT}",
     _VARIANCE),
    ("topk", "a, k, axis=-1, split_every=None", _A),
    ("argtopk", "a, k, axis=-1, split_every=None", _INDEX),
    ("unique", "ar, return_index=False, return_inverse=False, return_counts=False", _UNIQUE),
    *like(NUMPY, "argwhere atleast_1d atleast_2d atleast_3d append broadcast_arrays diagonal diag"
          " expand_dims extract flatnonzero flip fliplr flipud isin moveaxis nonzero ravel_multi_index repeat"
          " rollaxis rot90 searchsorted squeeze swapaxes tile transpose tril triu tril_indices_from"
          " triu_indices_from union1d unravel_index result_type ndim"),
    # Dask computes in float64, whatever the dtype argument.
    ("cov", "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None",
     Promoted("m y", full=True, also="float64")),
    ("allclose isclose", "arr1, arr2, rtol=1e-05, atol=1e-08, equal_nan=False", Fixed(dt.bool_)),
    # Dask joins the ends and the differences.
    ("ediff1d", "ary, to_end=None, to_begin=None",
     Checked(Promoted("to_begin ary to_end", full=True), Converted(Inferred("ary"), "b=refused"))),
    ("diff", "a, n=1, axis=-1, prepend=None, append=None",
     Converted(Promoted("prepend a append", full=True), "b=refused")),
    ("select", "condlist, choicelist, default=0", Promoted("*choicelist", full=True)),
    *like(NUMPY, "angle", "x: z, deg=0"),
    *like(NUMPY, "bincount", "x, weights=None, minlength=0, split_every=None"),
    *like(NUMPY, "block", "arrays, allow_unknown_chunksizes=False"),
    *like(NUMPY, "broadcast_to", "x: array, shape, chunks=None, meta=None"),
    *like(NUMPY, "choose", "a, choices"),
    ("clip", "a, a_min=None, a_max=None", shaping.clipped("a a_min a_max")),
    *like(NUMPY, "compress", "condition, a, axis=None"),
    *like(NUMPY, "concatenate stack", f"seq: arrays, {_JOINED}"),
    *like(NUMPY, "vstack hstack dstack", "tup, allow_unknown_chunksizes=False"),
    *like(NUMPY, "corrcoef", "x, y=None, rowvar=1"),
    *like(NUMPY, "delete", "arr, obj, axis"),
    ("insert", "arr, obj, values, axis", Promoted("arr values", full=True)),
    *like(NUMPY, "digitize", "a: x, bins, right=False"),
    *like(NUMPY, "divmod", "x: x1, y: x2"),
    *like(NUMPY, "frexp modf", "x"),
    *like(NUMPY, "real imag iscomplex isreal i0 sinc"),
    # Dask ignores an array for the result.
    *like(NUMPY, "fix isneginf isposinf", "x, **options"),
    *like(NUMPY, "nan_to_num", "x"),
    ("gradient", "f, *varargs, axis=None, **options", Python()),
    ("histogram", "a, bins=None, range=None, normed=False, weights=None, density=None",
     Several.of(_COUNTS, IfNumber("bins", Fixed(dt.float64), Inferred("bins")))),
    ("histogram2d", "x, y, bins=10, range=None, normed=None, weights=None, density=None",
     IfNumber("bins", Several.of(_FLOAT, _FLOAT, _FLOAT), Python())),
    *like(NUMPY, "meshgrid", "*xi, sparse=False, indexing='xy', **options"),
    *like(NUMPY, "pad", "array, pad_width, mode='constant', **options"),
    *like(NUMPY, "ravel", "array_like: a"),
    *like(NUMPY, "reshape", "x: a, shape, merge_chunks=True, limit=None"),
    *like(NUMPY, "roll", "array: a, shift, axis=None"),
    ("round", "a, decimals=0", _A),
    ("around", "x, decimals=0", Inferred("x")),
    ("take", "a, indices, axis=0", Indexed(Inferred("a"), "indices", ("fc=refused",))),
    *like(NUMPY, "trace", "a, offset=0, axis1=0, axis2=1, dtype=None"),
    *like(NUMPY, "where", "condition, x=None, y=None"),
    ("rechunk", "x, chunks='auto', threshold=None, block_size_limit=None, balance=False, method=None", Inferred("x")),
    ("isnull notnull", "values", Fixed(dt.bool_)),
    # Products.
    ("dot", "a, b", _SUMMED),
    # The first argument is conjugated, which turns bool into int8.
    ("vdot", "a, b", Converted(Joined.of(Converted(_A, "b=int8"), Inferred("b")), SUMS)),
    ("matmul", "a, b", Operator("matmul", "a b")),
    *((name, signature, Checked(rule, Several.of(_NO_BFLOAT16, Converted(Inferred("b"), "bfloat16=refused"))))
      for name, signature, rule in like(NUMPY, "outer", "a, b")),
    ("tensordot", "lhs: a, rhs: b, axes=2", _SUMMED),
    ("einsum", "subscripts, /, *operands, dtype=None, optimize=False, split_every=None, casting='safe', **options",
     Converted(CastTo(OfSubscripts(Promoted("*operands", full=True)), "*operands"), f"bfloat16=refused {SUMS}")),
    # Creation.
    *like(NUMPY, "zeros ones empty", f"shape, {_MADE}"),
    *like(NUMPY, "full", f"shape, fill_value, {_MADE}"),
    *like(NUMPY, "zeros_like ones_like", f"a, {_LIKE}"),
    *like(NUMPY, "empty_like", f"a: prototype, {_LIKE}"),
    *like(NUMPY, "full_like", "a, fill_value, order='C', dtype=None, chunks=None, name=None, shape=None"),
    *like(NUMPY, "arange", "start: start_or_stop, /, stop=None, step=None, *, chunks='auto', like=None, dtype=None"),
    *like(NUMPY, "linspace", "start, stop, num=50, endpoint=True, retstep=False, chunks='auto', dtype=None"),
    *like(NUMPY, "eye", "N, chunks='auto', M=None, k=0, dtype=None"),
    *like(NUMPY, "tri", "N, M=None, k=0, dtype=None, chunks='auto', *, like=None"),
    *like(NUMPY, "indices", "dimensions, dtype=None, chunks='auto'"),
    *like(NUMPY, "tril_indices triu_indices", "n, k=0, m=None, chunks='auto'"),
    *like(NUMPY, "array", "x: object, dtype=None, ndmin=None, *, like=None"),
    *like(NUMPY, "asarray", "a, allow_unknown_chunksizes=False, dtype=None, order=None, *, like=None, **options"),
    *like(NUMPY, "asanyarray", "a, dtype=None, order=None, *, like=None, inline_array=False"),
    ("from_array", "x, chunks='auto', name=None, lock=False, asarray=None, fancy=True, getitem=None, meta=None,"
     " inline_array=False", Inferred("x")),
    # Functions of the caller: Dask declares the dtype that the call names.
    ("map_blocks", f"func, *args, {_MAPPED}", _LIKE_META),
    ("map_overlap", f"func, *args, {_OVERLAPPED}, {_MAPPED}", _LIKE_META),
    ("blockwise", "func, out_ind, *args, name=None, token=None, dtype=None, adjust_chunks=None, new_axes=None,"
     " align_arrays=True, concatenate=None, meta=None, **options", _LIKE_META),
    ("reduction", "x, chunk, aggregate, axis=None, keepdims=False, dtype=None, split_every=None, combine=None,"
     " name=None, out=None, concatenate=True, output_size=1, meta=None, weights=None", _LIKE_META),
    ("apply_along_axis", "func1d, axis, arr, *args, dtype=None, shape=None, **options", _NAMED),
    ("fromfunction", "func, chunks='auto', shape=None, dtype=None, **options", _NAMED),
    ("from_delayed", "value, shape, dtype=None, meta=None, name=None", _LIKE_META),
    *like(NUMPY, "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 float64 complex64 complex128 bool"),
    # Extensions.
    ("linalg.norm", "x, ord=None, axis=None, keepdims=False",
     Converted(Inferred("x"), "bui=float64 bfloat16=float32 c=real")),
    ("linalg.inv", "a", Converted(_A, "buif=float64 c=complex128")),
    ("linalg.cholesky", "a, lower=False", Converted(Converted(_A, "b=refused"), SOLVED)),
    ("linalg.solve", "a, b, sym_pos=None, assume_a='gen'",
     Joined.of(Converted(_A, f"{_SCIPY} bfloat16=float64"), Converted(Inferred("b"), f"{_SCIPY} bfloat16=float32"))),
    ("linalg.lstsq", "a, b", Several.of(_LEAST, _RESIDUE, _INDEX, _RESIDUE)),
    ("linalg.qr", "a", Several.of(Converted(_A, SOLVED), Converted(_A, SOLVED))),
    ("linalg.svd", "a, coerce_signs=True, full_matrices=False",
     Several.of(Converted(_A, SOLVED), Converted(Converted(_A, SOLVED), "c=real"), Converted(_A, SOLVED))),
    *like(NUMPY, "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft", _PART),
    *like(NUMPY, "fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn", _PARTS),
    *like(NUMPY, "fft.fftfreq fft.rfftfreq", "n, d=1.0, chunks='auto'"),
    *like(NUMPY, "fft.fftshift fft.ifftshift", "x, axes=None"),
    *_drawn(LEGACY),
    *_drawn(LEGACY, "random.RandomState"),
    *_drawn(GENERATOR, "random.Generator"),
    under="array",
)  # fmt: skip

_COLLECTIONS: Final = table(
    "dask",
    ("compute", "*args, traverse=True, optimize_graph=True, scheduler=None, get=None, **options", _EACH),
    ("persist", "*args, traverse=True, optimize_graph=True, scheduler=None, **options", _EACH),
)

#: Methods that equal a function of the array, with their further parameters.
_SHARED: Final = {
    name: f"array.{name}"
    for name in named(
        "all any argmax argmin argtopk choose cumprod cumsum dot max mean min moment nonzero prod ravel repeat round"
        " squeeze std sum swapaxes topk trace var rechunk"
    )
}

_METHODS: Final = table(
    "dask",
    ("astype", "self, dtype, **options", Asked(Default("f"))),
    ("view", "self, dtype=None, order='C'", Asked(_SELF)),
    *like(NUMPY, "conj", "self: x"),
    *like(NUMPY, "clip", "self: a, min=None, max=None"),
    ("copy flatten", "self", _SELF),
    ("reshape", "self, *shape, merge_chunks=True, limit=None", _SELF),
    ("transpose", "self, *axes", _SELF),
    ("persist compute", "self, **options", _SELF),
    ("map_blocks", f"self, func, *args, {_MAPPED}", _LIKE_META),
    ("map_overlap", f"self, func, depth, boundary=None, trim=True, {_MAPPED}", _LIKE_META),
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", ("fc=refused",))),
    ("__setitem__", "self, key, value", Stored(Python(), "self", "value")),
)

_ATTRIBUTES: Final = table(
    "dask",
    ("T", "self", _SELF),
    ("real imag", "self", Converted(_SELF, "c=real")),
)

LIBRARY: Final = Library(
    "dask",
    MappingProxyType({**_FUNCTIONS, **_COLLECTIONS}),
    array="array.Array",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)
