"""PyTorch's products, torch.linalg and torch.fft. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, IfScalar, WithDimensions
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Alike, Operator, Promoted, Summed
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Exactly, Kept, Multiplied, Reduced
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Same
from promo_mypy.rules.functions.torch.widening import Widened

#: LAPACK computes in float32, float64, complex64 and complex128.
_SOLVED: Final = "bui=refused bfloat16=refused float16=refused"
_REFUSED: Final = "bui=refused"
_INDEX: Final = Fixed(dt.int64)
#: LAPACK's status codes and pivots.
_INFO: Final = Fixed(dt.int32)
_SAME_RANK: Final = Kept("input")
_REDUCED: Final = Reduced("input")
_OF_A: Final = Kept("A")
_VALUES: Final = Kept("A", -1)
_DETERMINANT: Final = Kept("A", -2)


def solved(names: str) -> Rule:
    """The dtype that some matrices share, for functions of LAPACK."""
    return Converted(Alike(names), _SOLVED)


def _product(names: str) -> Rule:
    return Converted(Alike(names, arrays=names), "b=refused")


_BYTES: Final = "int8=int8 buifc=refused"
#: The product of bytes, summed in int32.
_SUMMED_BYTES: Final = Checked(
    Checked(Fixed(dt.int32), Converted(Same("self"), f"uint8=uint8 {_BYTES}")), Converted(Same("mat2"), _BYTES)
)
_A: Final = solved("A")
_REAL: Final = Converted(_A, "c=real")
_INPUT: Final = solved("input")
_REAL_INPUT: Final = Converted(_INPUT, "c=real")
_SIZED: Final = "c=real bui=refused"
# CUDA transforms half precision, if the length of the signal is a power of two.
_SPECTRUM: Final = Converted(Same("input"), "bfloat16=refused bui=complex f=complexed")
_HALF: Final = Converted(Same("input"), "bfloat16=refused c=refused bui=complex f=complexed")
_SIGNAL: Final = Converted(Same("input"), "bfloat16=refused bui=float c=real")
_ADDED: Final = "input vec1 vec2"
_ALONG: Final = "input, n=None, dim=-1, norm=None, *, out=None"
_IN_PLANE: Final = "input, s=None, dim=(-2, -1), norm=None, *, out=None"
_IN_SPACE: Final = "input, s=None, dim=None, norm=None, *, out=None"
_GRID: Final = "n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False"

ROWS: Final[Rows] = table(
    "torch",
    ("dot", "input, tensor, *, out=None", _product("input tensor"), Exactly(0)),
    ("vdot", "input, other, *, out=None", _product("input other"), Exactly(0)),
    (
        "inner",
        "input, other, *, out=None",
        IfScalar("input other", Operator("mul", "input other", arrays="input other"), _product("input other")),
    ),
    ("outer", "input, vec2, *, out=None", Operator("mul", "input vec2", arrays="input vec2"), Exactly(2)),
    ("matmul", "input, other, *, out=None", Operator("matmul", "input other"), Multiplied("input", "other")),
    ("mm", "input, mat2, *, out=None", _product("input mat2"), Exactly(2)),
    ("_int_mm", "self, mat2, *, out=None", _SUMMED_BYTES, Exactly(2)),
    ("bmm", "input, mat2, *, out=None", _product("input mat2"), Exactly(3)),
    ("mv", "input, vec, *, out=None", _product("input vec"), Exactly(1)),
    ("addmm", "input, mat1, mat2, *, beta=1, alpha=1, out=None", _product("input mat1 mat2"), Exactly(2)),
    ("addmv", "input, mat, vec, *, beta=1, alpha=1, out=None", _product("input mat vec"), Exactly(1)),
    (
        "addr",
        "input, vec1, vec2, *, beta=1, alpha=1, out=None",
        WithDimensions(Promoted(_ADDED, arrays=_ADDED)),
        Exactly(2),
    ),
    *(
        (name, "input, batch1, batch2, *, beta=1, alpha=1, out=None", _product("input batch1 batch2"), rank)
        for name, rank in (("baddbmm", Exactly(3)), ("addbmm", Exactly(2)))
    ),
    ("einsum", "equation, *operands", Summed("*operands", "equation")),
    ("tensordot", "a, b, dims=2, out=None", _product("a b")),
    (
        "kron",
        "input, other, *, out=None",
        WithDimensions(Operator("mul", "input other", arrays="input other")),
        Broadcast("input other"),
    ),
    ("cross", "input, other, dim=None, *, out=None", _product("input other"), Broadcast("input other")),
    (
        "cdist",
        "x1, x2, p=2.0, compute_mode=...",
        Converted(Alike("x1 x2"), "buic=refused bfloat16=refused float16=refused"),
    ),
    (
        "norm",
        "input, p='fro', dim=None, keepdim=False, out=None, dtype=None",
        Converted(Widened(Same("input")), _SIZED),
        _REDUCED,
    ),
    ("inverse pinverse", "input", Converted(Same("input"), _SOLVED), _SAME_RANK),
    ("det logdet", "input", Converted(Same("input"), _SOLVED), Kept("input", -2)),
    ("slogdet", "input", Several.of(_INPUT, _REAL_INPUT), Kept("input", -2)),
    ("svd", "input, some=True, compute_uv=True, *, out=None", Several.of(_INPUT, _REAL_INPUT, _INPUT)),
    ("qr geqrf", "input, some=True, *, out=None", Several.of(_INPUT, _INPUT)),
    ("cholesky cholesky_inverse", "input, upper=False, *, out=None", _INPUT, _SAME_RANK),
    (
        "lu_unpack",
        "LU_data, LU_pivots, unpack_data=True, unpack_pivots=True, *, out=None",
        Several.of(Same("LU_data"), Same("LU_data"), Same("LU_data")),
    ),
    (
        "triangular_solve",
        "input, A, upper=True, transpose=False, unitriangular=False, *, out=None",
        Several.of(solved("input A"), solved("A")),
    ),
    (
        "linalg.norm",
        "input, ord=None, dim=None, keepdim=False, *, out=None, dtype=None",
        Converted(Widened(Same("input")), _SIZED),
        _REDUCED,
    ),
    (
        "linalg.vector_norm",
        "input, ord=2, dim=None, keepdim=False, *, dtype=None, out=None",
        Converted(Widened(Same("input")), _SIZED),
        _REDUCED,
    ),
    (
        "linalg.matrix_norm",
        "input, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None, out=None",
        Converted(Widened(Same("input")), _SIZED),
        _REDUCED,
    ),
    ("linalg.inv", "A, *, out=None", _A, _OF_A),
    ("linalg.det", "A, *, out=None", _A, _DETERMINANT),
    ("linalg.inv_ex", "A, *, check_errors=False, out=None", Several.of(_A, _INFO)),
    ("linalg.pinv", "A, *, atol=None, rtol=None, hermitian=False, out=None", _A, _OF_A),
    ("linalg.cholesky", "A, *, upper=False, out=None", _A, _OF_A),
    ("linalg.cholesky_ex", "A, *, upper=False, check_errors=False, out=None", Several.of(_A, _INFO)),
    ("linalg.lu", "A, *, pivot=True, out=None", Several.of(_A, _A, _A)),
    ("linalg.lu_factor", "A, *, pivot=True, out=None", Several.of(_A, _INFO)),
    ("linalg.lu_factor_ex", "A, *, pivot=True, check_errors=False, out=None", Several.of(_A, _INFO, _INFO)),
    ("linalg.lu_solve", "LU, pivots, B, *, left=True, adjoint=False, out=None", solved("LU B")),
    ("linalg.ldl_factor", "A, *, hermitian=False, out=None", Several.of(_A, _INFO)),
    ("linalg.ldl_factor_ex", "A, *, hermitian=False, check_errors=False, out=None", Several.of(_A, _INFO, _INFO)),
    ("linalg.householder_product", "A, tau, out=None", solved("A tau")),
    ("linalg.slogdet", "A, *, out=None", Several.of(_A, _REAL), _DETERMINANT),
    ("linalg.svd", "A, full_matrices=True, *, driver=None, out=None", Several.of(_A, _REAL, _A)),
    ("linalg.svdvals", "A, *, driver=None, out=None", _REAL, _VALUES),
    ("linalg.qr", "A, mode='reduced', *, out=None", Several.of(_A, _A), _OF_A),
    ("linalg.eig", "A, *, out=None", Several.of(Converted(_A, "f=complexed"), Converted(_A, "f=complexed"))),
    ("linalg.eigvals", "A, *, out=None", Converted(_A, "f=complexed"), _VALUES),
    ("linalg.eigh", "A, UPLO='L', *, out=None", Several.of(_REAL, _A)),
    ("linalg.eigvalsh", "A, UPLO='L', *, out=None", _REAL, _VALUES),
    ("linalg.solve", "A, B, *, left=True, out=None", solved("A B")),
    ("linalg.solve_ex", "A, B, *, left=True, check_errors=False, out=None", Several.of(solved("A B"), _INFO)),
    ("linalg.solve_triangular", "A, B, *, upper, left=True, unitriangular=False, out=None", _A),
    (
        "linalg.lstsq",
        "A, B, rcond=None, *, driver=None",
        Several.of(solved("A B"), Converted(solved("A B"), "c=real"), _INDEX, Converted(solved("A B"), "c=real")),
    ),
    ("linalg.tensorinv", "A, ind=2, *, out=None", _A),
    ("linalg.tensorsolve", "A, B, dims=None, *, out=None", solved("A B")),
    ("linalg.vecdot", "x, y, *, dim=-1, out=None", Converted(Alike("x y"), _REFUSED)),
    ("linalg.matrix_rank", "A, *, atol=None, rtol=None, hermitian=False, out=None", Checked(_INDEX, _A), _DETERMINANT),
    ("linalg.matrix_power", "A, n, *, out=None", Converted(Same("A"), "b=refused"), _OF_A),
    ("linalg.matrix_exp", "A", Converted(Same("A"), _REFUSED), _OF_A),
    ("linalg.cond", "A, p=None, *, out=None", _REAL, _DETERMINANT),
    ("linalg.cross", "input, other, *, dim=-1, out=None", _product("input other"), Broadcast("input other")),
    ("linalg.multi_dot", "tensors, *, out=None", _product("*tensors")),
    ("fft.fft fft.ifft", _ALONG, _SPECTRUM, _SAME_RANK),
    ("fft.fft2 fft.ifft2", _IN_PLANE, _SPECTRUM, _SAME_RANK),
    ("fft.fftn fft.ifftn", _IN_SPACE, _SPECTRUM, _SAME_RANK),
    ("fft.rfft fft.ihfft", _ALONG, _HALF, _SAME_RANK),
    ("fft.rfft2", _IN_PLANE, _HALF, _SAME_RANK),
    ("fft.rfftn", _IN_SPACE, _HALF, _SAME_RANK),
    ("fft.irfft fft.hfft", _ALONG, _SIGNAL, _SAME_RANK),
    ("fft.irfft2", _IN_PLANE, _SIGNAL, _SAME_RANK),
    ("fft.irfftn", _IN_SPACE, _SIGNAL, _SAME_RANK),
    ("fft.fftfreq fft.rfftfreq", _GRID, Asked(Default("f"), table="buic=refused"), Exactly(1)),
    ("fft.fftshift fft.ifftshift", "input, dim=None", Same("input"), _SAME_RANK),
)
