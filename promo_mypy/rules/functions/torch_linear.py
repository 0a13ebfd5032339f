"""PyTorch's products, torch.linalg and torch.fft. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.choosing import Checked, Several
from promo_mypy.rules.functions.conversions import Converted
from promo_mypy.rules.functions.rows import Rows, Rule, table
from promo_mypy.rules.functions.vocabulary import (
    Alike,
    Asked,
    Default,
    Fixed,
    Into,
    Operator,
    Same,
    Summed,
)

#: LAPACK computes in float32, float64, complex64 and complex128.
_SOLVED: Final = "bui=refused bfloat16=refused float16=refused"
_REFUSED: Final = "bui=refused"
_INDEX: Final = Fixed(dt.int64)


def _solved(names: str) -> Rule:
    return Converted(Alike(names), _SOLVED)


def _product(names: str) -> Rule:
    return Converted(Alike(names, arrays=names), "b=refused")


_A: Final = _solved("A")
_REAL: Final = Converted(_A, "c=real")
_SIZED: Final = "c=real bui=refused"
_SPECTRUM: Final = Into(Converted(Same("input"), "bfloat16=refused float16=refused bui=complex f=complexed"))
_HALF: Final = Into(Converted(Same("input"), "bfloat16=refused float16=refused c=refused bui=complex f=complexed"))
_SIGNAL: Final = Into(Converted(Same("input"), "bfloat16=refused float16=refused bui=float c=real"))
_ALONG: Final = "input, n=None, dim=-1, norm=None, *, out=None"
_IN_PLANE: Final = "input, s=None, dim=(-2, -1), norm=None, *, out=None"
_IN_SPACE: Final = "input, s=None, dim=None, norm=None, *, out=None"
_GRID: Final = "n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False"

ROWS: Final[Rows] = table(
    "torch",
    ("dot", "input, tensor, *, out=None", Into(_product("input tensor"))),
    ("vdot inner", "input, other, *, out=None", Into(_product("input other"))),
    ("outer", "input, vec2, *, out=None", Into(Operator("mul", "input vec2", arrays="input vec2"))),
    ("matmul", "input, other, *, out=None", Into(Operator("matmul", "input other"))),
    ("mm bmm", "input, mat2, *, out=None", Into(_product("input mat2"))),
    ("mv", "input, vec, *, out=None", Into(_product("input vec"))),
    ("addmm", "input, mat1, mat2, *, beta=1, alpha=1, out=None", Into(_product("input mat1 mat2"))),
    ("baddbmm", "input, batch1, batch2, *, beta=1, alpha=1, out=None", Into(_product("input batch1 batch2"))),
    ("einsum", "equation, *operands", Summed("*operands", "equation")),
    ("tensordot", "a, b, dims=2, out=None", Into(_product("a b"))),
    ("kron", "input, other, *, out=None", Into(Operator("mul", "input other", arrays="input other"))),
    ("cross", "input, other, dim=None, *, out=None", Into(_product("input other"))),
    (
        "cdist",
        "x1, x2, p=2.0, compute_mode=...",
        Converted(Alike("x1 x2"), "buic=refused bfloat16=refused float16=refused"),
    ),
    (
        "norm",
        "input, p='fro', dim=None, keepdim=False, out=None, dtype=None",
        Into(Converted(Asked(Same("input")), _SIZED)),
    ),
    ("inverse pinverse", "input", Converted(Same("input"), _SOLVED)),
    ("det logdet", "input", Converted(Same("input"), _SOLVED)),
    (
        "linalg.norm",
        "input, ord=None, dim=None, keepdim=False, *, out=None, dtype=None",
        Into(Converted(Asked(Same("input")), _SIZED)),
    ),
    (
        "linalg.vector_norm",
        "input, ord=2, dim=None, keepdim=False, *, dtype=None, out=None",
        Into(Converted(Asked(Same("input")), _SIZED)),
    ),
    (
        "linalg.matrix_norm",
        "input, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None, out=None",
        Into(Converted(Asked(Same("input")), _SIZED)),
    ),
    ("linalg.inv linalg.det linalg.inv_ex", "A, *, out=None", Into(_A)),
    ("linalg.pinv", "A, *, atol=None, rtol=None, hermitian=False, out=None", Into(_A)),
    ("linalg.cholesky", "A, *, upper=False, out=None", Into(_A)),
    ("linalg.slogdet", "A, *, out=None", Several.of(_A, _REAL)),
    ("linalg.svd", "A, full_matrices=True, *, driver=None, out=None", Several.of(_A, _REAL, _A)),
    ("linalg.svdvals", "A, *, driver=None, out=None", Into(_REAL)),
    ("linalg.qr", "A, mode='reduced', *, out=None", Several.of(_A, _A)),
    ("linalg.eig", "A, *, out=None", Several.of(Converted(_A, "f=complexed"), Converted(_A, "f=complexed"))),
    ("linalg.eigvals", "A, *, out=None", Converted(_A, "f=complexed")),
    ("linalg.eigh", "A, UPLO='L', *, out=None", Several.of(_REAL, _A)),
    ("linalg.eigvalsh", "A, UPLO='L', *, out=None", Into(_REAL)),
    ("linalg.solve", "A, B, *, left=True, out=None", Into(_solved("A B"))),
    ("linalg.solve_triangular", "A, B, *, upper, left=True, unitriangular=False, out=None", Into(_solved("A B"))),
    (
        "linalg.lstsq",
        "A, B, rcond=None, *, driver=None",
        Several.of(_solved("A B"), Converted(_solved("A B"), "c=real"), _INDEX, Converted(_solved("A B"), "c=real")),
    ),
    ("linalg.matrix_rank", "A, *, atol=None, rtol=None, hermitian=False, out=None", Checked(_INDEX, _A)),
    ("linalg.matrix_power", "A, n, *, out=None", Into(Converted(Same("A"), "b=refused"))),
    ("linalg.matrix_exp", "A", Converted(Same("A"), _REFUSED)),
    ("linalg.cond", "A, p=None, *, out=None", Into(_REAL)),
    ("linalg.cross", "input, other, *, dim=-1, out=None", Into(_product("input other"))),
    ("linalg.multi_dot", "tensors, *, out=None", Into(_product("*tensors"))),
    ("fft.fft fft.ifft", _ALONG, _SPECTRUM),
    ("fft.fft2 fft.ifft2", _IN_PLANE, _SPECTRUM),
    ("fft.fftn fft.ifftn", _IN_SPACE, _SPECTRUM),
    ("fft.rfft fft.ihfft", _ALONG, _HALF),
    ("fft.rfft2", _IN_PLANE, _HALF),
    ("fft.rfftn", _IN_SPACE, _HALF),
    ("fft.irfft fft.hfft", _ALONG, _SIGNAL),
    ("fft.irfft2", _IN_PLANE, _SIGNAL),
    ("fft.irfftn", _IN_SPACE, _SIGNAL),
    ("fft.fftfreq fft.rfftfreq", _GRID, Into(Asked(Default("f")))),
    ("fft.fftshift fft.ifftshift", "input, dim=None", Same("input")),
)
