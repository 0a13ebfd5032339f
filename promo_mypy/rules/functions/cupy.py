"""CuPy: its ufuncs with their own loops, and what is NumPy's by its reference.

Source: the lists of loops of CuPy 14.2, and its resolution run on the host; no kernel was run. Linear algebra,
transforms and statistics, whose dtypes only a GPU shows, have no rows.
"""

from typing import Final

from promo_mypy.rules.functions import numpy_shaping, numpy_ufuncs
from promo_mypy.rules.functions.choosing import Several
from promo_mypy.rules.functions.conversions import Converted
from promo_mypy.rules.functions.numpy import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy_loops import Loop
from promo_mypy.rules.functions.rows import Entry, Library, like, named, table
from promo_mypy.rules.functions.vocabulary import Asked, Default, Inferred, Into, Item, Python, Same
from promo_mypy.rules.systems.cupy import OPERATIONS_CUPY, UFUNCS

_SELF: Final = Same("self")
_DIVMOD: Final = Loop(OPERATIONS_CUPY["divmod"], "x1 x2")
_KEPT: Final = "axis=None, out=None, keepdims=False"
_TYPED: Final = "axis=None, dtype=None, out=None, keepdims=False"
_LIKE: Final = "dtype=None, order='K', subok=None, shape=None"
_JOINED: Final = "tup: arrays, axis=0, out=None, *, dtype=None, casting='same_kind'"

#: Ufuncs whose loops were seen to be NumPy's.
_MEASURED: Final = frozenset({
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "bitwise_and", "bitwise_or",
    "bitwise_xor", "left_shift", "right_shift", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "negative", "positive", "absolute", "invert",
})  # fmt: skip


def _ufuncs() -> tuple[Entry, ...]:
    """NumPy's names and signatures; loops of CuPy's own, or those of the operator that both have."""
    one = (("x", numpy_ufuncs.UNARY, names, ufunc) for names, ufunc in numpy_ufuncs.ONE.items())
    two = (("x1 x2", numpy_ufuncs.BINARY, names, ufunc) for names, ufunc in numpy_ufuncs.TWO.items())
    return tuple(
        (name, signature, Into(Loop(UFUNCS.get(name, ufunc), operands)))
        for operands, signature, names, ufunc in (*one, *two)
        for name in names.split()
        if name in UFUNCS or name in _MEASURED
    )


def _apart_from_bfloat16(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Whether it is reduced as NumPy reduces it was not seen."""
    return tuple((name, signature, Converted(rule, "bfloat16=unknown")) for name, signature, rule in entries)


_INDEX: Final = Default("i")

_FUNCTIONS: Final = table(
    "cupy",
    *_ufuncs(),
    ("divmod", numpy_ufuncs.BINARY, Several.of(_DIVMOD, _DIVMOD)),
    *_apart_from_bfloat16((
        *like(NUMPY, "sum prod mean", f"a, {_TYPED}"),
        *like(NUMPY, "var std", "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False"),
        *like(NUMPY, "cumsum cumprod", "a, axis=None, dtype=None, out=None"),
    )),
    *like(NUMPY, "max min any all", f"a, {_KEPT}"),
    ("argmax argmin", f"a, {_TYPED}", Asked(_INDEX)),
    *like(NUMPY, "count_nonzero", "a, axis=None"),
    *like(NUMPY, "sort argsort", "a, axis=-1, kind=None"),
    *like(NUMPY, "unique", "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,"
          " equal_nan=True"),
    *like(NUMPY, "searchsorted nonzero argwhere isclose ravel transpose swapaxes moveaxis squeeze expand_dims roll"
          " repeat tril triu diag diagonal tile atleast_1d atleast_2d atleast_3d split array_split hsplit"
          " vsplit dsplit real imag result_type"),
    # Creation.
    *like(NUMPY, "zeros ones empty", "shape, dtype=None, order='C'"),
    *like(NUMPY, "full", "shape, fill_value, dtype=None, order='C'"),
    *like(NUMPY, "zeros_like ones_like", f"a, {_LIKE}"),
    *like(NUMPY, "empty_like", f"prototype, {_LIKE}"),
    *like(NUMPY, "full_like", f"a, fill_value, {_LIKE}"),
    *like(NUMPY, "arange", "start: start_or_stop, stop=None, step=1, dtype=None"),
    *like(NUMPY, "linspace", "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0"),
    *like(NUMPY, "eye", "N, M=None, k=0, dtype=None, order='C'"),
    *like(NUMPY, "identity", "n, dtype=None"),
    *like(NUMPY, "array", "obj: object, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, blocking=False"),
    *like(NUMPY, "asarray", "a, dtype=None, order=None, *, copy=None, blocking=False"),
    *like(NUMPY, "asanyarray", "a, dtype=None, order=None, *, copy=None, blocking=False"),
    ("asnumpy", "a, stream=None, order='C', out=None, *, blocking=True", Inferred("a")),
    *like(NUMPY, "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128"
          " bool_"),
    # Arrangement.
    *like(NUMPY, "reshape", "a, newshape: shape, order='C', *, copy=None"),
    *like(NUMPY, "flip", "a: m, axis=None"),
    *like(NUMPY, "fliplr flipud", "a: m"),
    *like(NUMPY, "broadcast_to", "array, shape"),
    *like(NUMPY, "meshgrid", "*xi, **options"),
    *like(NUMPY, "concatenate", _JOINED),
    *like(NUMPY, "stack", _JOINED),
    *like(NUMPY, "vstack hstack", "tup, *, dtype=None, casting='same_kind'"),
    *like(NUMPY, "where", "condition, x=None, y=None"),
    *like(NUMPY, "take", "a, indices, axis=None, out=None"),
)  # fmt: skip

#: Methods that are a function of the array, with the parameters that follow.
_SHARED: Final = named(
    "all any argmax argmin cumprod cumsum diagonal max mean min nonzero prod ravel repeat searchsorted squeeze std sum"
    " swapaxes take var"
)

_METHODS: Final = table(
    "cupy",
    ("astype", "self, dtype, order='K', casting=None, subok=None, copy=True", Asked(Default("f"))),
    ("view", "self, dtype=None", Asked(_SELF)),
    ("copy flatten get", "self, *args, **options", _SELF),
    ("conj conjugate", "self", Loop(UFUNCS["conjugate"], "self")),
    ("reshape", "self, *shape, order='C'", _SELF),
    ("transpose", "self, *axes", _SELF),
    ("clip", "self, min=None, max=None, out=None", numpy_shaping.clipped("self min max")),
    ("item", "self, *args", Item(_SELF)),
    ("tolist", "self", Python()),
)

_ATTRIBUTES: Final = table("cupy", ("T mT flat", "self", _SELF), ("real imag", "self", Converted(_SELF, "c=real")))

LIBRARY: Final = Library(
    "cupy",
    _FUNCTIONS,
    aliases=named("abs=absolute conj=conjugate true_divide=divide mod=remainder pow=power amax=max amin=min"
                  " concat=concatenate bitwise_not=invert"),
    array="ndarray",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)  # fmt: skip
