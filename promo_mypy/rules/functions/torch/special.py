"""torch.special, and functions of signals and numerical analysis. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules.functions.language.choosing import Checked, If, WithDimensions
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.optional_arrays import UnlessArrays
from promo_mypy.rules.functions.language.promoting import Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rank_rules import Exactly, Kept
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Listed
from promo_mypy.rules.functions.language.vocabulary import Same
from promo_mypy.rules.functions.torch.elementwise import real
from promo_mypy.rules.functions.torch.linear import solved

_ONE: Final = "input, *, out=None"
_TWO: Final = "input, other, *, out=None"
_X: Final = Same("input")
#: Bool and integers are computed in the default float; half precision has no kernel, on the CPU as on CUDA.
_PRECISE: Final = "bui=float c=refused bfloat16=refused float16=refused"


def _polynomial(family: str, letters: str) -> str:
    return " ".join(f"special.{family}_{letter}" for letter in letters.split())


def _summed(names: str) -> Rule:
    """Differences of bools are rejected."""
    rule: Rule = WithDimensions(Converted(Promoted(names), "b=refused ui=float"))
    for name in names.split():
        rule = Checked(rule, Converted(Same(name), "b=refused"))
    return rule


_INTEGRAL: Final = If("x", _summed("y x"), _summed("y"))
_FRAMED: Final = "window=None, center=True"

ROWS: Final[Rows] = table(
    "torch",
    (
        "fake_quantize_per_tensor_affine",
        "input, scale, zero_point, quant_min, quant_max",
        Converted(_X, "buic=refused"),
        Kept("input"),
    ),
    ("special.entr special.i0e special.i1 special.i1e special.ndtr", _ONE, real("input")),
    (
        "special.airy_ai special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1 special.erfcx"
        " special.log_ndtr special.ndtri special.spherical_bessel_j0 special.modified_bessel_i0"
        " special.modified_bessel_i1 special.modified_bessel_k0 special.modified_bessel_k1"
        " special.scaled_modified_bessel_k0 special.scaled_modified_bessel_k1",
        _ONE,
        Converted(_X, _PRECISE),
    ),
    (
        " ".join(
            (
                _polynomial("chebyshev_polynomial", "t u v w"),
                _polynomial("shifted_chebyshev_polynomial", "t u v w"),
                _polynomial("hermite_polynomial", "h he"),
                "special.laguerre_polynomial_l special.legendre_polynomial_p special.zeta",
            )
        ),
        _TWO,
        Converted(Promoted("input other"), _PRECISE),
    ),
    ("special.xlog1py", _TWO, real("input other")),
    ("igamma igammac", _TWO, Converted(Promoted("input other", arrays="input other"), "buic=refused")),
    ("mvlgamma", "input, p, *, out=None", real("input")),
    ("polygamma", "n, input, *, out=None", real("input")),
    ("trapezoid trapz cumulative_trapezoid", "y, x=None, *, dx=None, dim=-1", _INTEGRAL),
    (
        "gradient",
        "input, *, spacing=1, dim=None, edge_order=1",
        UnlessArrays(Listed(Converted(_X, "b=refused uint8=refused ui=float")), "spacing"),
        Kept("input"),
    ),
    ("dist", "input, other, p=2", Converted(Operator("sub", "input other"), "bui=refused c=real"), Exactly(0)),
    ("renorm", "input, p, dim, maxnorm, *, out=None", Converted(_X, "bui=refused")),
    ("vander", "x, N=None, increasing=False", Converted(Same("x"), "bui=int64"), Exactly(2)),
    (
        "linalg.vander",
        "x, *, N=None",
        Converted(Same("x"), "b=refused bfloat16=refused float16=refused ui=int64"),
        Kept("x", 1),
    ),
    ("diagflat", "input, offset=0", _X, Exactly(2)),
    (
        "unravel_index",
        "indices, shape",
        Listed(Converted(Same("indices"), "ui=int64 bfc=refused")),
        Kept("indices"),
    ),
    ("split_with_sizes", "input, split_sizes, dim=0", Listed(_X), Kept("input")),
    ("lu_solve", "b, LU_data, LU_pivots, *, out=None", solved("b LU_data")),
    ("cholesky_solve", "B, L, upper=False, *, out=None", solved("B L")),
    ("orgqr", "input, tau, *, out=None", solved("input tau")),
    (
        "stft",
        f"input, n_fft, hop_length=None, win_length=None, {_FRAMED}, pad_mode='reflect', normalized=False,"
        " onesided=None, return_complex=None, align_to_window=None",
        Checked(
            If(
                "return_complex",
                Converted(Promoted("input window"), "bfloat16=refused float16=refused f=complexed"),
                Converted(Promoted("input window"), "bfloat16=refused float16=refused c=real"),
                value=True,
            ),
            Converted(_X, "bui=refused"),
        ),
    ),
    (
        "istft",
        f"input, n_fft, hop_length=None, win_length=None, {_FRAMED}, normalized=False, onesided=None, length=None,"
        " return_complex=False",
        If("return_complex", Converted(_X, "buif=refused"), Converted(_X, "buif=refused c=real"), value=True),
    ),
)
