"""Products, jax.numpy.linalg and jax.numpy.fft. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import FLOAT, INDEX, Agreed, inexact, solved, summed
from promo_mypy.rules.functions.language.choosing import If, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import OfSubscripts, Operator, Product, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same, Strong, Weakening

_REAL: Final = Converted(solved("a"), "c=real")
_CROSS: Final = Strong(Converted(Promoted("a b"), "b=refused"))
_RESIDUE: Final = Converted(solved("a b"), "c=real")
_EIGEN: Final = Converted(solved("a"), "f=complexed")
#: The floats that XLA cannot transform. It cannot transform integers of two bits either: their quotients stay integers.
_NARROW: Final = tuple(name for name, dtype in dt.DTYPES.items() if dtype.kind == "f" and dtype.bits < 32)
_COMPLEX: Final = " ".join((*(f"{name}=complex64" for name in _NARROW), "ui=complex64 f=complexed"))
_SPECTRUM: Final = Strong(Converted(inexact("a"), _COMPLEX))
_REFUSED: Final = " ".join((*(f"{name}=refused" for name in _NARROW), "ui=refused c=refused"))
_HALF_SPECTRUM: Final = Strong(Converted(Converted(inexact("a"), _REFUSED), _COMPLEX))
_SIGNAL: Final = Strong(
    Converted(inexact("a"), " ".join((*(f"{name}=float32" for name in _NARROW), "ui=float32 c=real")))
)
#: Of a number or a vector, JAX only tests whether it is zero: an int32. The rules do not distinguish vectors from
#: matrices, whose rank is an index.
_RANK: Final = IfScalar("M", Fixed(dt.int32), Agreed(Fixed(dt.int32), INDEX))


def _product(names: str, *, arrays: str = "") -> Rule:
    return Asked(Product(names, arrays), "preferred_element_type")


def _along_all(scalar: Rule, otherwise: Rule) -> Rule:
    """Transforms along all axes. A 0-d array is rejected unless axes or sizes are given."""
    return If("axes", otherwise, If("s", otherwise, IfScalar("a", scalar, otherwise)))


_GRID: Final = "n, d=1.0, *, dtype=None, device=None"
_QUOTIENTS: Final = "b=refused ui=float32 int64=float64 uint64=float64"

ROWS: Final[Rows] = table(
    "jax",
    ("dot matmul", "a, b, *, precision=None, preferred_element_type=None", _product("a b")),
    (
        "inner",
        "a, b, *, precision=None, preferred_element_type=None",
        IfNumber("a", Operator("mul", "a b"), IfNumber("b", Operator("mul", "a b"), _product("a b"))),
    ),
    (
        "vdot",
        "a, b, *, precision=None, preferred_element_type=None",
        IfScalar("a b", _product("a b"), _product("a b", arrays="a b"), every=True),
    ),
    ("outer", "a, b, out=None", Operator("mul", "a b")),
    ("kron", "a, b", Converted(Operator("mul", "a b"), "b=refused")),
    ("tensordot", "a, b, axes=2, *, precision=None, preferred_element_type=None", _product("a b")),
    ("vecdot linalg.vecdot", "x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None", _product("x1 x2")),
    (
        "einsum",
        "subscripts, /, *operands, out=None, optimize='auto', precision=None, preferred_element_type=None, "
        "_dot_general=...",
        OfSubscripts(_product("*operands")),
    ),
    ("convolve", "a, v, mode='full', *, precision=None, preferred_element_type=None", inexact("a v")),
    ("correlate", "a, v, mode='valid', *, precision=None, preferred_element_type=None", inexact("a v")),
    ("cross", "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None", _CROSS),
    ("linalg.norm", "x, ord=None, axis=None, keepdims=False", Strong(Converted(inexact("x"), "c=real"))),
    (
        "linalg.vector_norm",
        "x, /, *, axis=None, keepdims=False, ord=2",
        Strong(Converted(Same("x"), "bui=float c=real")),
    ),
    ("linalg.matrix_norm", "x, /, *, keepdims=False, ord='fro'", Strong(Converted(inexact("x"), "c=real"))),
    ("linalg.inv", "a", Strong(solved("a"))),
    ("linalg.pinv", "a, rtol=None, hermitian=False, *, rcond=None", Strong(solved("a"))),
    ("linalg.cholesky", "a, *, upper=False, symmetrize_input=True", solved("a")),
    ("linalg.tensorinv", "a, ind=2", Strong(solved("a"))),
    ("linalg.matrix_power", "a, n", Python()),
    ("linalg.det", "a", inexact("a")),
    (
        "linalg.slogdet",
        "a, *, method=None",
        Several.of(Strong(inexact("a")), Strong(Converted(inexact("a"), "c=real"))),
    ),
    (
        "linalg.svd",
        "a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None",
        If("compute_uv", Several.of(solved("a"), _REAL, solved("a")), _REAL, True),
    ),
    ("linalg.svdvals", "x, /", Converted(solved("x"), "c=real")),
    ("linalg.cond", "x, p=None", Converted(solved("x"), "c=real")),
    ("linalg.qr", "a, mode='reduced'", If("mode", solved("a"), Several.of(solved("a"), solved("a")), "r")),
    ("linalg.eig", "a", Several.of(_EIGEN, _EIGEN)),
    ("linalg.eigvals", "a", _EIGEN),
    ("linalg.eigh", "a, UPLO=None, symmetrize_input=True", Several.of(_REAL, solved("a"))),
    ("linalg.eigvalsh", "a, UPLO='L', *, symmetrize_input=True", _REAL),
    ("linalg.solve", "a, b", inexact("a b")),
    ("linalg.tensorsolve", "a, b, axes=None", inexact("a b")),
    (
        "linalg.lstsq",
        "a, b, rcond=None, *, numpy_resid=False",
        Several.of(Strong(solved("a b")), Strong(_RESIDUE), INDEX, _RESIDUE),
    ),
    ("linalg.matrix_rank", "M, rtol=None, *, hermitian=False, tol=None", _RANK),
    ("linalg.multi_dot", "arrays, *, precision=None", Product("*arrays")),
    ("linalg.cross", "x1, x2, /, *, axis=-1", Strong(Converted(Promoted("x1 x2"), "b=refused"))),
    ("linalg.outer", "x1, x2, /", Operator("mul", "x1 x2")),
    ("linalg.matmul", "x1, x2, /, *, precision=None, preferred_element_type=None", _product("x1 x2")),
    ("linalg.tensordot", "x1, x2, /, *, axes=2, precision=None, preferred_element_type=None", _product("x1 x2")),
    ("linalg.trace", "x, /, *, offset=0, dtype=None", summed("x")),
    ("linalg.diagonal", "x, /, *, offset=0", Weakening(Same("x"))),
    ("linalg.matrix_transpose", "x, /", Same("x")),
    ("fft.fft fft.ifft", "a, n=None, axis=-1, norm=None", _SPECTRUM),
    ("fft.fft2 fft.ifft2", "a, s=None, axes=..., norm=None", _SPECTRUM),
    ("fft.fftn fft.ifftn", "a, s=None, axes=None, norm=None", _SPECTRUM),
    ("fft.rfft fft.ihfft", "a, n=None, axis=-1, norm=None", _HALF_SPECTRUM),
    ("fft.rfft2", "a, s=None, axes=..., norm=None", _HALF_SPECTRUM),
    ("fft.rfftn", "a, s=None, axes=None, norm=None", _along_all(Strong(inexact("a")), _HALF_SPECTRUM)),
    ("fft.irfft fft.hfft", "a, n=None, axis=-1, norm=None", _SIGNAL),
    ("fft.irfft2", "a, s=None, axes=..., norm=None", _SIGNAL),
    ("fft.irfftn", "a, s=None, axes=None, norm=None", _along_all(_SPECTRUM, _SIGNAL)),
    ("fft.fftfreq", _GRID, Asked(FLOAT)),
    # A quotient of integers.
    ("fft.rfftfreq", _GRID, Asked(FLOAT, table=_QUOTIENTS)),
    ("fft.fftshift fft.ifftshift", "x, axes=None", Same("x")),
    under="numpy",
)
