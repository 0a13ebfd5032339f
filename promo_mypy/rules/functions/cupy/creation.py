"""CuPy's functions that make arrays, and cupy.random. Source: running CuPy 14.2 on a GPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.cupy.dtype_arguments import CastFrom
from promo_mypy.rules.functions.language.choosing import Checked, If, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, like
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Inferred, Python, Same
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.random import under

_LIKE: Final = "dtype=None, order='K', subok=None, shape=None"
_FLOAT: Final = Default("f")
_INT: Final = Default("i")


def _points(name: str) -> Rule:
    """A bound that is not a float is multiplied by a float first."""
    return Converted(Inferred(name), "bui=float64 bfloat16=float32")


def _beside(number: str, array: str) -> Rule:
    """An array and a number; a number that is not complex counts as a float."""
    return Checked(Joined.of(_points(array), also="py_float"), Converted(Same(number), "c=unknown"))


_NUMBERS: Final = Checked(
    Fixed(dt.float64), Several.of(*(Converted(Same(name), "c=refused") for name in ("start", "stop")))
)
_ARRAYS: Final = Joined.of(_points("start"), _points("stop"), also="py_float")
_POINTS: Final = IfNumber(
    "start", IfNumber("stop", _NUMBERS, _beside("start", "stop")), IfNumber("stop", _beside("stop", "start"), _ARRAYS)
)
# A dtype of integers gets the floor of the points, which complex numbers lack.
_SPACED: Final = CastFrom(Asked(_POINTS), _POINTS, "c=ui")
# The step between Python numbers is a Python number.
_STEP: Final = IfNumber("start", IfNumber("stop", Python("f"), Python()), Python())

#: cuRAND draws float32 and float64.
_DRAWN: Final = Asked(_FLOAT, table="bui=refused bfloat16=refused float16=refused c=refused")
_FLOATING: Final = Asked(_FLOAT, table="bui=refused")
#: The numbers that CuPy's own kernels draw are cast.
_CAST: Final = Asked(_FLOAT)
_COUNTED: Final = Asked(_INT)

_CREATION: Final[tuple[Entry, ...]] = (
    *like(NUMPY, "zeros ones empty", "shape, dtype=None, order='C'"),
    *like(NUMPY, "ndarray", "shape, dtype=None, memptr=None, strides=None, order='C'"),
    *like(NUMPY, "full", "shape, fill_value, dtype=None, order='C'"),
    *like(NUMPY, "zeros_like ones_like", f"a, {_LIKE}"),
    *like(NUMPY, "empty_like", f"prototype, {_LIKE}"),
    *like(NUMPY, "full_like", f"a, fill_value, {_LIKE}"),
    *like(NUMPY, "arange", "start: start_or_stop, stop=None, step=1, dtype=None"),
    ("linspace", "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0",
     If("retstep", Several.of(_SPACED, _STEP), _SPACED, True)),
    ("logspace", "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0",
     Asked(IfNumber("start", IfNumber("stop", _NUMBERS, Python()), Python()))),
    *like(NUMPY, "eye", "N, M=None, k=0, dtype=None, order='C'"),
    *like(NUMPY, "identity", "n, dtype=None"),
    *like(NUMPY, "tri", "N, M=None, k=0, dtype=None"),
    *like(NUMPY, "array", "obj: object, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, blocking=False"),
    *like(NUMPY, "asarray asanyarray", "a, dtype=None, order=None, *, copy=None, blocking=False"),
    *like(NUMPY, "ascontiguousarray asfortranarray", "a, dtype=None"),
    *like(NUMPY, "asarray_chkfinite", "a, dtype=None, order=None"),
    *like(NUMPY, "require", "a, dtype=None, requirements=None"),
    *like(NUMPY, "copy", "a, order='K'"),
    *like(NUMPY, "astype", "x, dtype, /, *, copy=True"),
    *like(NUMPY, "fromiter", "iter, dtype, count=-1, *, like=None"),
    *like(NUMPY, "indices", "dimensions, dtype=None"),
    *like(NUMPY, "hanning hamming blackman bartlett kaiser tril_indices triu_indices tril_indices_from"
          " triu_indices_from diag_indices result_type promote_types min_scalar_type"),
    ("asnumpy", "a, stream=None, order='C', out=None, *, blocking=True", Inferred("a")),
    *like(NUMPY, "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128"
          " bool_"),
)  # fmt: skip

_RANDOM: Final[tuple[Entry, ...]] = (
    ("rand randn", "*size, dtype=None", _DRAWN),
    ("random random_sample ranf sample standard_normal standard_exponential standard_cauchy", "size=None, dtype=None",
     _DRAWN),
    ("normal gumbel laplace logistic", "loc=0.0, scale=1.0, size=None, dtype=None", _DRAWN),
    ("uniform", "low=0.0, high=1.0, size=None, dtype=None", _DRAWN),
    ("lognormal", "mean=0.0, sigma=1.0, size=None, dtype=None", _DRAWN),
    ("exponential rayleigh", "scale=1.0, size=None, dtype=None", _DRAWN),
    ("wald", "mean, scale, size=None, dtype=None", _DRAWN),
    ("weibull power pareto", "a, size=None, dtype=None", _DRAWN),
    ("triangular", "left, mode, right, size=None, dtype=None", _DRAWN),
    ("gamma", "shape, scale=1.0, size=None, dtype=None", _FLOATING),
    ("standard_gamma", "shape, size=None, dtype=None", _CAST),
    ("beta", "a, b, size=None, dtype=None", _CAST),
    ("chisquare standard_t", "df, size=None, dtype=None", _CAST),
    ("f", "dfnum, dfden, size=None, dtype=None", _CAST),
    ("vonmises", "mu, kappa, size=None, dtype=None", _CAST),
    ("dirichlet", "alpha, size=None, dtype=None", _FLOATING),
    ("multivariate_normal", "mean, cov, size=None, check_valid='ignore', tol=1e-08, method='cholesky', dtype=None",
     _DRAWN),
    ("poisson", "lam=1.0, size=None, dtype=None", _COUNTED),
    ("binomial negative_binomial", "n, p, size=None, dtype=None", _COUNTED),
    ("geometric logseries", "p, size=None, dtype=None", _COUNTED),
    ("zipf", "a, size=None, dtype=None", _COUNTED),
    ("hypergeometric", "ngood, nbad, nsample, size=None, dtype=None", _COUNTED),
    ("multinomial", "n, pvals, size=None", _INT),
    ("randint", "low, high=None, size=None, dtype=None", Asked(_INT, table="b=refused fc=refused")),
    ("random_integers", "low, high=None, size=None", _INT),
    # A number of items stands for the items 0, 1, ...
    ("choice", "a, size=None, replace=True, p=None", IfNumber("a", _INT, Inferred("a"))),
    ("permutation", "a", IfNumber("a", _INT, Inferred("a"))),
)  # fmt: skip

ENTRIES: Final[tuple[Entry, ...]] = (
    *_CREATION,
    *((under("random", names), signature, rule) for names, signature, rule in _RANDOM),
)
