"""CuPy's products, cupy.linalg and cupy.fft. Source: running CuPy 14.2 on a GPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined, OfSubscripts, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, like
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Inferred
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.linear import PRODUCT, SOLVED

_A: Final = Inferred("a")
_SOLVED: Final = Converted(_A, SOLVED)
_COMPLEX_EIGEN: Final = Converted(_SOLVED, "f=complexed")
# The functions of symmetric matrices accept float16, too.
_SYMMETRIC: Final = Converted(_A, "bui=float64 bfloat16=float64")
_EIGENVALUES: Final = Converted(_SYMMETRIC, "c=real")
# The right side is not converted, and may have any dtype.
_LEAST: Final = Joined.of(_SOLVED, Inferred("b"))
_RESIDUE: Final = Converted(_SOLVED, "c=real")

_FFT: Final = "a, n=None, axis=-1, norm=None"
_FFT2: Final = "a, s=None, axes=(-2, -1), norm=None"
_FFTN: Final = "a, s=None, axes=None, norm=None"
#: The transforms compute in the precision of a float; real transforms use the real part of a complex array.
_SPECTRUM: Final = Converted(_A, "bui=complex128 bfloat16=complex128 float16=complex64 f=complexed")
_SIGNAL: Final = Converted(_A, "bui=float64 bfloat16=float64 c=real")
_SIGNALS: Final = Converted(_SPECTRUM, "c=real")

# An array may have a single axis. Its transform keeps float16, as every transform along one axis does.
_SIGNALS_BY_AXES: Final = Converted(Converted(_A, "float16=unknown"), "bui=float64 bfloat16=float64 c=real")


def _multiplied(rule: Rule) -> Rule:
    """The rule, unknown for bfloat16: CuPy rejects that where it multiplies, and not where it only moves elements."""
    return Converted(rule, "bfloat16=unknown")


ENTRIES: Final[tuple[Entry, ...]] = (
    ("dot", "a, b, out=None", Into(PRODUCT, fit=Fit.ANY)),
    *like(NUMPY, "outer", "a, b, out=None"),
    *like(NUMPY, "vdot inner kron", "a, b"),
    *like(NUMPY, "tensordot", "a, b, axes=2"),
    *like(NUMPY, "cross linalg.cross=cross", "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None"),
    *like(NUMPY, "convolve", "a, v, mode='full'"),
    *like(NUMPY, "correlate", "a, v, mode='valid'"),
    (
        "einsum",
        "subscripts, /, *operands, out=None, optimize=False, dtype=None, order='K', casting='safe'",
        Into(Asked(_multiplied(OfSubscripts(Promoted("*operands", full=True))), table="bfloat16=unknown"), fit=Fit.ANY),
    ),
    *like(NUMPY, "trace"),
    *like(NUMPY, "linalg.norm", "x, ord=None, axis=None, keepdims=False"),
    *like(NUMPY, "linalg.inv linalg.det linalg.cholesky linalg.slogdet", "a"),
    *like(NUMPY, "linalg.pinv", "a, rcond=1e-15"),
    *like(NUMPY, "linalg.tensorinv linalg.qr linalg.solve linalg.tensorsolve linalg.cond"),
    *like(NUMPY, "linalg.svd", "a, full_matrices=True, compute_uv=True"),
    ("linalg.eig", "a", Several.of(_COMPLEX_EIGEN, _COMPLEX_EIGEN)),
    ("linalg.eigvals", "a", _COMPLEX_EIGEN),
    ("linalg.eigh", "a, UPLO='L'", Several.of(_EIGENVALUES, _SYMMETRIC)),
    ("linalg.eigvalsh", "a, UPLO='L'", _EIGENVALUES),
    ("linalg.lstsq", "a, b, rcond=None", Several.of(_LEAST, _RESIDUE, Fixed(dt.int32), _RESIDUE)),
    *like(NUMPY, "linalg.matrix_rank", "M: A, tol=None"),
    # A negative power is a power of the inverse.
    ("linalg.matrix_power", "M, n", Converted(Inferred("M"), "bui=unknown bfloat16=unknown float16=unknown")),
    ("fft.fft fft.ifft fft.rfft fft.ihfft", _FFT, _SPECTRUM),
    ("fft.fft2 fft.ifft2 fft.rfft2", _FFT2, _SPECTRUM),
    ("fft.fftn fft.ifftn fft.rfftn", _FFTN, _SPECTRUM),
    ("fft.irfft fft.hfft", _FFT, _SIGNAL),
    ("fft.irfft2", _FFT2, _SIGNALS),
    ("fft.irfftn", _FFTN, If("axes", _SIGNALS_BY_AXES, _SIGNALS)),
    *like(NUMPY, "fft.fftfreq fft.rfftfreq", "n, d=1.0"),
    *like(NUMPY, "fft.fftshift fft.ifftshift", "x, axes=None"),
)
