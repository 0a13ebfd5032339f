"""The standard's products and its extensions linalg and fft. Source: the standard 2025.12, array-api-strict 2.6."""

from typing import Final

from promo_mypy.rules.functions.array_api.elementwise import (
    COMPLEX,
    FLOATING,
    INDEX,
    NUMERIC,
    REAL_FLOATING,
    SUMS,
    X,
    only,
)
from promo_mypy.rules.functions.language.choosing import Checked
from promo_mypy.rules.functions.language.promoting import Product, Promoted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default

_BOTH: Final = Promoted("x1 x2", arrays="x1 x2")
_SOLVED: Final = only(FLOATING)
_REAL: Final = only(f"{FLOATING} c=real")
_EIGEN: Final = only(f"{FLOATING} f=complexed")
_UNARY: Final = "x, /"
_PRODUCTS: Final = (
    ("matmul", "x1, x2, /", Product("x1 x2", arrays="x1 x2")),
    ("tensordot", "x1, x2, /, *, axes=2", only(NUMERIC, _BOTH)),
    ("vecdot", "x1, x2, /, *, axis=-1", only(NUMERIC, _BOTH)),
    ("matrix_transpose", _UNARY, X),
)
_AXIS: Final = "x, /, *, n=None, axis=-1, norm='backward'"
_AXES: Final = "x, /, *, s=None, axes=None, norm='backward'"
_FREQUENCIES: Final = Asked(Default("f"), table=REAL_FLOATING)

ROWS: Final[Rows] = {
    **table("array_api_strict", *_PRODUCTS),
    **table(
        "array_api_strict",
        *_PRODUCTS,
        ("cholesky", "x, /, *, upper=False", _SOLVED),
        ("cross", "x1, x2, /, *, axis=-1", only(NUMERIC, _BOTH)),
        ("det inv", _UNARY, _SOLVED),
        ("diagonal", "x, /, *, offset=0", X),
        ("eig", _UNARY, Several.of(_EIGEN, _EIGEN)),
        ("eigvals", _UNARY, _EIGEN),
        ("eigh", _UNARY, Several.of(_REAL, _SOLVED)),
        ("eigvalsh svdvals", _UNARY, _REAL),
        ("matrix_norm", "x, /, *, keepdims=False, ord='fro'", _REAL),
        ("matrix_power", "x, n, /", _SOLVED),
        ("matrix_rank", "x, /, *, rtol=None", Checked(INDEX, _SOLVED)),
        ("outer", "x1, x2, /", only(NUMERIC, _BOTH)),
        ("pinv", "x, /, *, rtol=None", _SOLVED),
        ("qr", "x, /, *, mode='reduced'", Several.of(_SOLVED, _SOLVED)),
        ("slogdet", _UNARY, Several.of(_SOLVED, _REAL)),
        ("solve", "x1, x2, /", only(FLOATING, _BOTH)),
        ("svd", "x, /, *, full_matrices=True", Several.of(_SOLVED, _REAL, _SOLVED)),
        ("trace", "x, /, *, offset=0, dtype=None", Checked(Asked(only(SUMS)), only(NUMERIC))),
        ("vector_norm", "x, /, *, axis=None, keepdims=False, ord=2", _REAL),
        under="linalg",
    ),
    **table(
        "array_api_strict",
        ("fft ifft", _AXIS, only(COMPLEX)),
        ("fftn ifftn", _AXES, only(COMPLEX)),
        ("rfft ihfft", _AXIS, only(f"{REAL_FLOATING} f=complexed")),
        ("rfftn", _AXES, only(f"{REAL_FLOATING} f=complexed")),
        ("irfft hfft", _AXIS, only(f"{COMPLEX} c=real")),
        ("irfftn", _AXES, only(f"{COMPLEX} c=real")),
        ("fftfreq rfftfreq", "n, /, *, d=1.0, dtype=None, device=None", _FREQUENCIES),
        ("fftshift ifftshift", "x, /, *, axes=None", only(FLOATING)),
        under="fft",
    ),
}
