"""NumPy's functions that make arrays, and its scalar types. Source: running NumPy 2.4."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import NUMPY_STRINGS
from promo_mypy.rules.functions.language.choosing import If, OrUnknown
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Dtypes, Fixed, Inferred, Python, Same

_FLOAT: Final = Default("f")
_INDEX: Final = Default("i")
_A: Final = Same("a")
_LIKE: Final = "dtype=None, order='K', subok=True, shape=None, *, device=None"
_MADE: Final = Asked(Inferred("a"))
# Points have at least the precision of a Python float.
_POINTS: Final = OrUnknown(Promoted("start stop", also="py_float"))
_SPACED: Final = Asked(_POINTS)

#: Scalar types are called to make scalars and arrays: np.float32(1), np.int64([1, 2]).
_SCALARS: Final = (
    "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
    " longdouble clongdouble byte ubyte short ushort intc uintc int_ intp longlong uint uintp ulonglong half single"
    " double csingle cdouble"
)
_SPELLED: Final = {"clongdouble": dt.complex256, "bool_": dt.bool_}

_TYPES: Final = {name: _SPELLED.get(name) or NUMPY_STRINGS[name] for name in _SCALARS.split()}

ROWS: Final[Rows] = table(
    "numpy",
    ("zeros ones empty", "shape, dtype=None, order='C', *, device=None, like=None", Asked(_FLOAT)),
    ("ndarray", "shape, dtype=None, buffer=None, offset=0, strides=None, order=None", Asked(_FLOAT)),
    ("full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None", Asked(Inferred("fill_value"))),
    ("eye", "N, M=None, k=0, dtype=None, order='C', *, device=None, like=None", Asked(_FLOAT)),
    ("identity", "n, dtype=None, *, like=None", Asked(_FLOAT)),
    ("tri", "N, M=None, k=0, dtype=None, *, like=None", Asked(_FLOAT)),
    ("zeros_like ones_like", f"a, {_LIKE}", Asked(Inferred("a"))),
    ("empty_like", f"prototype, /, {_LIKE}", Asked(Inferred("prototype"))),
    ("full_like", f"a, fill_value, {_LIKE}", Asked(Inferred("a"))),
    (
        "arange",
        "start_or_stop, /, stop=None, step=None, *, dtype=None, device=None, like=None",
        Asked(OrUnknown(Promoted("start_or_stop stop step", full=True, also="int64"))),
    ),
    (
        "linspace",
        "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
        If("retstep", Several.of(_SPACED, _POINTS), _SPACED, True),
    ),
    ("logspace", "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0", _SPACED),
    (
        "geomspace",
        "start, stop, num=50, endpoint=True, dtype=None, axis=0",
        Asked(Promoted("start stop", full=True, also="float64")),
    ),
    ("array", "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None",
     Asked(Inferred("object"))),
    ("asarray asanyarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None", _MADE),
    ("ascontiguousarray asfortranarray", "a, dtype=None, *, like=None", _MADE),
    ("asarray_chkfinite", "a, dtype=None, order=None", _MADE),
    ("require", "a, dtype=None, requirements=None, *, like=None", _MADE),
    ("copy", "a, order='K', subok=False", Inferred("a")),
    ("astype", "x, dtype, /, *, copy=True, device=None", Asked(Python())),
    ("frombuffer", "buffer, dtype=None, count=-1, offset=0, *, like=None", Asked(_FLOAT)),
    ("fromfile", "file, dtype=None, count=-1, sep='', offset=0, *, like=None", Asked(_FLOAT)),
    ("fromstring", "string, dtype=None, count=-1, *, sep, like=None", Asked(_FLOAT)),
    ("fromiter", "iter, dtype, count=-1, *, like=None", Asked(Python())),
    (
        "loadtxt",
        "fname, dtype=None, comments='#', delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False,"
        " ndmin=0, encoding=None, max_rows=None, *, quotechar=None, like=None",
        If("unpack", Python(), Asked(_FLOAT), True),
    ),
    (
        "genfromtxt",
        "fname, dtype=None, comments='#', delimiter=None, skip_header=0, skip_footer=0, converters=None,"
        " missing_values=None, filling_values=None, usecols=None, names=None, excludelist=None, deletechars=None,"
        " replace_space='_', autostrip=False, case_sensitive=True, defaultfmt='f%i', unpack=None, usemask=False,"
        " loose=True, invalid_raise=True, max_rows=None, encoding=None, *, ndmin=0, like=None",
        Python(),
    ),
    ("indices", "dimensions, dtype=None, sparse=False", If("sparse", Listed(Asked(_INDEX)), Asked(_INDEX), True)),
    ("hanning hamming blackman bartlett", "M", _FLOAT),
    ("kaiser", "M, beta", _FLOAT),
    ("tril_indices triu_indices", "n, k=0, m=None", Several.of(_INDEX, _INDEX)),
    ("tril_indices_from triu_indices_from", "arr, k=0", Several.of(_INDEX, _INDEX)),
    ("diag_indices", "n, ndim=2", Listed(_INDEX)),
    ("result_type", "*arrays_and_dtypes", Dtypes("arrays_and_dtypes")),
    ("promote_types", "type1, type2, /", Dtypes("type1 type2")),
    ("min_scalar_type", "a, /", Python()),
    *(
        (name, "real=0, imag=0, /" if dtype.kind == "c" else "value=0, /", Fixed(dtype))
        for name, dtype in _TYPES.items()
    ),
)  # fmt: skip
