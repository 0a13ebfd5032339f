"""NumPy's products, numpy.linalg and numpy.fft. Source: running NumPy 2.4."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, If, IfScalar, OfOneClass, OrUnknown
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Joined, OfSubscripts, Promoted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Inferred
from promo_mypy.rules.functions.numpy.casting import CastInto, CastTo
from promo_mypy.rules.functions.numpy.loops import Loop, SinceTwo
from promo_mypy.rules.functions.numpy.ufuncs import TWO

#: LAPACK computes in float32, float64, complex64 and complex128.
SOLVED: Final = "bui=float64 bfloat16=float64 float16=refused float128=refused complex256=refused"
#: The transforms compute in the precision of a float.
SPECTRUM: Final = "bui=complex128 bfloat16=complex64 float16=complex64 f=complexed"
SIGNAL: Final = "bui=float64 bfloat16=float64 c=real"

_INDEX: Final = Default("i")
_A: Final = Inferred("a")
_SOLVED: Final = Converted(_A, SOLVED)
_REAL: Final = Converted(_SOLVED, "c=real")
_EIGEN: Final = Converted(_SOLVED, "f=unknown")
_FFT: Final = "a, n=None, axis=-1, norm=None, out=None"
_FFT2: Final = "a, s=None, axes=(-2, -1), norm=None, out=None"
_FFTN: Final = "a, s=None, axes=None, norm=None, out=None"
# NumPy 1 always transforms in double precision.
_DOUBLE: Final = Fixed(dt.complex128)
_DOUBLE_SIGNAL: Final = Fixed(dt.float64)
_COMPLEX: Final = SinceTwo(Converted(_A, SPECTRUM), _DOUBLE)
# A 0-d array has no transform.
_ALONG_ALL: Final = IfScalar("a", _A, _COMPLEX)
_HALF: Final = SinceTwo(Converted(Converted(_A, "c=refused"), SPECTRUM), _DOUBLE)
_BACK: Final = SinceTwo(Converted(_A, SIGNAL), _DOUBLE_SIGNAL)
_BACK_AND_FORTH: Final = Converted(_COMPLEX, "c=real")
# A transform along a single axis keeps float16; along several axes it does not.
_BACK_BY_AXES: Final = SinceTwo(Converted(Converted(_A, "bfloat16=unknown float16=unknown"), SIGNAL), _DOUBLE_SIGNAL)
# Products of dtypes that do not promote are arrays of Python objects.
PRODUCT: Final = OrUnknown(Promoted("a b", full=True))
_TIMES: Final = Loop(TWO["multiply"], "a b", full="a b")
#: With a number or a 0-d array it is a multiplication, whose result is cast.
_DOT: Final = If("out", IfScalar("a b", Into(_TIMES), Into(PRODUCT, fit=Fit.SAME)), PRODUCT)
_OPERANDS: Final = Promoted("*operands", full=True)
_DIAGONAL: Final = Asked(Converted(_A, "bi=int64 u=uint64"))
_SYSTEM: Final = Joined.of(_SOLVED, Converted(Inferred("b"), SOLVED))
_RESIDUE: Final = Converted(_SYSTEM, "c=real")
_NORM: Final = OfOneClass(Converted(Inferred("x"), SIGNAL))

ROWS: Final[Rows] = table(
    "numpy",
    ("dot", "a, b, out=None", _DOT),
    ("vdot inner", "a, b, /", PRODUCT),
    ("outer", "a, b, out=None", Into(_TIMES)),
    ("tensordot", "a, b, axes=2", PRODUCT),
    ("kron", "a, b", _TIMES),
    ("cross", "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None", Converted(Promoted("a b", full=True), "b=refused")),
    ("convolve", "a, v, mode='full'", OrUnknown(Promoted("a v", full=True))),
    ("correlate", "a, v, mode='valid'", OrUnknown(Promoted("a v", full=True))),
    (
        "einsum",
        "subscripts, /, *operands, out=None, optimize=False, dtype=None, order='K', casting='safe'",
        CastInto(Converted(CastTo(OfSubscripts(_OPERANDS), "*operands"), "bfloat16=refused"), "*operands"),
    ),
    ("trace", "a, offset=0, axis1=0, axis2=1, dtype=None, out=None", Into(_DIAGONAL, fit=Fit.ANY)),
    ("linalg.trace", "x, /, *, offset=0, dtype=None", Asked(Converted(Inferred("x"), "bi=int64 u=uint64"))),
    ("linalg.norm", "x, ord=None, axis=None, keepdims=False", _NORM),
    ("linalg.vector_norm", "x, /, *, axis=None, keepdims=False, ord=2", _NORM),
    ("linalg.matrix_norm", "x, /, *, keepdims=False, ord='fro'", _NORM),
    ("linalg.inv linalg.det", "a", _SOLVED),
    ("linalg.tensorinv", "a, ind=2", _SOLVED),
    ("linalg.pinv", "a, rcond=None, hermitian=False, *, rtol=...", _SOLVED),
    ("linalg.cholesky", "a, /, *, upper=False", _SOLVED),
    ("linalg.slogdet", "a", Several.of(_SOLVED, _REAL)),
    (
        "linalg.svd",
        "a, full_matrices=True, compute_uv=True, hermitian=False",
        If("compute_uv", Several.of(_SOLVED, _REAL, _SOLVED), _REAL, True),
    ),
    ("linalg.svdvals", "x, /", Converted(Converted(Inferred("x"), SOLVED), "c=real")),
    ("linalg.qr", "a, mode='reduced'", If("mode", _SOLVED, Several.of(_SOLVED, _SOLVED), "r")),
    # Real eigenvalues come as floats, others as complex: it depends on the values.
    ("linalg.eig", "a", Several.of(_EIGEN, _EIGEN)),
    ("linalg.eigvals", "a", _EIGEN),
    ("linalg.eigh", "a, UPLO='L'", Several.of(_REAL, _SOLVED)),
    ("linalg.eigvalsh", "a, UPLO='L'", _REAL),
    ("linalg.solve", "a, b", _SYSTEM),
    ("linalg.tensorsolve", "a, b, axes=None", _SYSTEM),
    ("linalg.lstsq", "a, b, rcond=None", Several.of(_SYSTEM, _RESIDUE, Fixed(dt.int32), _RESIDUE)),
    (
        "linalg.matrix_rank",
        "A, tol=None, hermitian=False, *, rtol=None",
        Checked(_INDEX, Converted(Inferred("A"), SOLVED)),
    ),
    # A negative power of integers is of floats. The first power of bfloat16 is bfloat16, the second one float32.
    ("linalg.matrix_power", "a, n", Converted(_A, "bui=unknown bfloat16=unknown")),
    ("linalg.multi_dot", "arrays, *, out=None", Into(OrUnknown(Promoted("*arrays", full=True)), fit=Fit.SAME)),
    ("linalg.cond", "x, p=None", Converted(Converted(Inferred("x"), SOLVED), "c=real")),
    ("linalg.cross", "x1, x2, /, *, axis=-1", Converted(Promoted("x1 x2", full=True), "b=refused")),
    ("linalg.outer", "x1, x2, /", Loop(TWO["multiply"], "x1 x2")),
    ("fft.fft fft.ifft", _FFT, Into(_COMPLEX)),
    ("fft.fft2", _FFT2, Into(_COMPLEX)),
    # NumPy ignores the array that it is given for the result.
    ("fft.ifft2", _FFT2, _COMPLEX),
    ("fft.irfft2", _FFT2, _BACK_AND_FORTH),
    ("fft.hfft", _FFT, _BACK),
    ("fft.fftn fft.ifftn", _FFTN, Into(If("axes", _COMPLEX, If("s", _COMPLEX, _ALONG_ALL)))),
    ("fft.rfft fft.ihfft", _FFT, Into(_HALF)),
    ("fft.rfft2", _FFT2, Into(_HALF)),
    ("fft.rfftn", _FFTN, Into(_HALF)),
    ("fft.irfft", _FFT, Into(_BACK)),
    ("fft.irfftn", _FFTN, Into(_BACK_BY_AXES)),
    ("fft.fftfreq fft.rfftfreq", "n, d=1.0, device=None", Promoted("d", also="float64")),
    ("fft.fftshift fft.ifftshift", "x, axes=None", Inferred("x")),
)
