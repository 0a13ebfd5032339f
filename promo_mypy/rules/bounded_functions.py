"""Functions whose results have one of a few dtypes, whatever array they get: mostly linear algebra.

Source: running the libraries for every dtype that their arrays can have, those without a rule included. Libraries of
linear algebra have no kernels for other dtypes: they convert an array, or reject it.
"""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt

_DTypes = frozenset[type[dt.Shaped]]

_BOOL: Final[_DTypes] = frozenset({dt.bool_})
_REAL: Final[_DTypes] = frozenset({dt.float32, dt.float64})
_COMPLEX: Final[_DTypes] = frozenset({dt.complex64, dt.complex128})
WIDE: Final[_DTypes] = frozenset({dt.float64, dt.complex128})
"""Those that JAX has only with x64."""
_FLOAT64: Final[_DTypes] = frozenset({dt.float64})
_LONG: Final[_DTypes] = frozenset({dt.float64, dt.float128})
_SOLVED: Final = _REAL | _COMPLEX

_TABLE: Final[Mapping[str, tuple[tuple[_DTypes, str], ...]]] = {
    "numpy": ((_BOOL, "isfinite isnan isinf"), (_SOLVED, "roots")),
    "numpy.ma": ((_BOOL, "getmask getmaskarray"),),
    "numpy.linalg": (
        (_SOLVED, "inv pinv solve cholesky qr svd eig eigh eigvals det"),
        (_REAL, "eigvalsh svdvals cond"),
    ),
    "scipy.linalg": (
        (_SOLVED, "inv pinv solve cholesky qr svd eig eigh expm orth null_space solve_triangular lu"),
        (_REAL, "eigvalsh svdvals"),
        (_COMPLEX, "eigvals"),
        (WIDE, "det"),
    ),
    "scipy.special": (
        (_SOLVED, "gamma erf erfc digamma psi loggamma xlogy xlog1py"),
        (_REAL, "gammaln beta betaln gammainc gammaincc erfinv"),
    ),
    "scipy.spatial.distance": ((_LONG, "pdist cdist"),),
    "scipy.stats": ((_FLOAT64, "rankdata"),),
    "scipy.stats.mstats": ((_FLOAT64, "rankdata"),),
    "jax.numpy": ((_COMPLEX, "roots"),),
    "jax.numpy.linalg": (
        (_SOLVED, "inv pinv solve cholesky qr svd eigh"),
        (_REAL, "eigvalsh svdvals"),
        (_COMPLEX, "eigvals eig"),
    ),
    "jax.scipy.linalg": ((_SOLVED, "inv solve cholesky qr svd eigh expm lu"),),
    "torch.linalg": (
        (_SOLVED, "inv pinv solve cholesky qr svd eigh det solve_triangular"),
        (_REAL, "eigvalsh svdvals cond"),
        (_COMPLEX, "eigvals eig"),
    ),
}

BOUNDED: Final[Mapping[str, _DTypes]] = {
    f"{module}.{name}": dtypes for module, rows in _TABLE.items() for dtypes, names in rows for name in names.split()
}
"""Full name of a function -> the dtypes that its result, or an item of it, may have."""
