"""PaddlePaddle's elementwise functions, reductions, products, linalg and fft. Source: running Paddle 3.3 on the CPU.

If only the CPU kernel is missing, the rule still gives a dtype, as for operators.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.choosing import Checked, If, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Alike, Promoted
from promo_mypy.rules.functions.language.protocols import Rule, one
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.records import rule
from promo_mypy.rules.systems.paddle import PaddleSystem


@rule
class Api(Rule):
    """A row of the document's table: the function on two tensors, or on a tensor and a number."""

    api: str
    names: str = "x y"

    def answer(self, call: Call) -> DType:
        """On another lattice the tensors join in that lattice."""
        operands = call.operands(*self.names.split())
        if not isinstance(call.system, PaddleSystem):
            return call.promoted(*operands)
        return call.dtype_of(call.system.function(self.api, *operands))


@rule
class Equal(Rule):
    """The common dtype of tensors, which do not promote. The result for a complex left tensor depends on the kernel."""

    names: str = "x y"
    product: bool = False
    """Whether the result depends on the kernel for a complex tensor on either side, and for float32 on the left."""

    def answer(self, call: Call) -> DType:
        """Rejects Python numbers."""
        dtypes = [operand.dtype for operand in call.operands(*self.names.split())]
        unequal = len(set(dtypes)) > 1 and all(issubclass(dtype, dt.Shaped) for dtype in dtypes)
        looked_at = dtypes if self.product else dtypes[:1]
        if unequal and (any(d.kind == "c" for d in looked_at) or (self.product and dtypes[0] is dt.float32)):
            raise Unresolved
        return one(call, Alike(self.names, arrays=self.names))


@rule
class _Floored(Rule):
    """Floor division of a tensor by a number. The number joins like a 0-D tensor and does not yield."""

    def answer(self, call: Call) -> DType:
        """The tensor counts as 0-D, so that the two join."""
        operands = [call.promoted(operand) for operand in call.operands("x", "y")]
        return call.promoted(*(Operand(dtype, Form.ZERO_D) for dtype in operands))


def _beside(api: str, number: Rule) -> Rule:
    """The rule for two tensors, or for a tensor and a number on its right."""
    return Checked(IfNumber("y", number, Api(api)), TENSOR)


TENSOR: Final = Promoted("x", arrays="x")
BOOL: Final = Fixed(dt.bool_)
INT64: Final = Fixed(dt.int64)
#: Not defined for small integers and complex numbers.
WIDE: Final = "b=refused uint8=refused int8=refused int16=refused c=refused"
#: Functions that return floats for integers.
FLOATING: Final = "bui=float32"

_X: Final = Same("x")
_OUT: Final = "name=None, *, out=None"
_UNARY: Final = f"x, {_OUT}"
_BINARY: Final = f"x, y, {_OUT}"
_OVER: Final = "x, axis=None, keepdim=False, name=None, *, out=None"
_REAL: Final = Converted(_X, "c=real")
_COUNTED: Final = "bfc=refused uint8=refused int8=refused int16=refused"
_EIGEN: Final = Converted(_X, "f=complexed")
_SUM: Final = Asked(Converted(_X, "b=int64 int32=int64"))
_FFT: Final = "x, n=None, axis=-1, norm='backward', name=None, *, out=None"
_FFTN: Final = "x, s=None, axes=None, norm='backward', name=None, *, out=None"
_SPECTRUM: Final = Converted(_X, "bui=complex64 f=complexed")
_HALF: Final = Converted(_X, "bui=complex64 f=complexed c=refused")
_ALIKE: Final = Alike("x y", arrays="x y")
_SAME: Final = Equal()
_BOTH: Final = Promoted("x y", arrays="x y")
_SCALED: Final = Checked(_X, Converted(Promoted("y"), "c=refused"))

ROWS: Final[Rows] = {
    **table(
        "paddle",
        (
            "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p log2 log10 sqrt rsqrt"
            " reciprocal sigmoid erf erfinv digamma lgamma",
            _UNARY,
            Converted(_X, FLOATING),
        ),
        ("square neg sign floor ceil conj", _UNARY, _X),
        ("frac", _UNARY, Converted(_X, f"{WIDE} bfloat16=refused")),
        ("trunc", "input: x, name=None", _X),
        ("round", "x, decimals=0, name=None, *, out=None", _X),
        ("abs angle", _UNARY, _REAL),
        ("real imag", "x, name=None", Converted(_X, "buif=refused c=real")),
        ("isnan isinf isfinite", "x, name=None", BOOL),
        ("logical_not", _UNARY, BOOL),
        ("bitwise_not", "x, out=None, name=None", Converted(_X, "fc=refused")),
        ("nan_to_num", "x, nan=0.0, posinf=None, neginf=None, name=None",
         Converted(_X, "buic=refused bfloat16=refused float16=refused")),
        ("scale", "x, scale=1.0, bias=0.0, bias_after_scale=True, act=None, name=None", _X),
        ("add", "x, y, name=None, *, alpha=1, out=None", Api("add")),
        ("subtract", "x, y, name=None, *, alpha=1, out=None", Api("subtract")),
        ("multiply", _BINARY, Api("multiply")),
        ("divide", "x, y, name=None, *, rounding_mode=None, out=None", Api("divide")),
        *((name, _BINARY, Api(name)) for name in ("maximum", "minimum")),
        *((name, _BINARY, _beside(name, _SCALED)) for name in ("remainder", "pow")),
        ("floor_divide", _BINARY, _beside("floor_divide", _Floored())),
        ("equal", _BINARY, _beside("equal", BOOL)),
        *((name, _BINARY, Api(name)) for name in ("not_equal", "less_than", "less_equal", "greater_than",
                                                  "greater_equal", "logical_and", "logical_or", "logical_xor")),
        *((name, "x, y, out=None, name=None", Api(name)) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")),
        *((name, "x, y, name=None", Api(name)) for name in ("fmax", "fmin", "nextafter")),
        ("atan2", "x, y, name=None", Converted(Api("atan2"), "bui=float64")),
        ("logaddexp", "x, y, name=None", Converted(Api("logaddexp"), FLOATING)),
        ("hypot", "x, y, name=None", Converted(_BOTH, FLOATING)),
        ("copysign", "x, y, name=None", Checked(IfNumber("y", _SCALED, _BOTH), TENSOR)),
        ("heaviside", "x, y, name=None", _ALIKE),
        ("gcd lcm", "x, y, name=None", Converted(_BOTH, "c=unknown")),
        ("bitwise_left_shift bitwise_right_shift", "x, y, is_arithmetic=True, out=None, name=None", _ALIKE),
        ("isclose", "x, y, rtol=1e-05, atol=1e-08, equal_nan=False, name=None", Checked(BOOL, _SAME)),
        ("allclose", "x, y, rtol=1e-05, atol=1e-08, equal_nan=False, name=None", Checked(BOOL, _SAME)),
        ("equal_all", "x, y, name=None", Checked(BOOL, _ALIKE)),
        ("clip", "x, min=None, max=None, name=None, *, out=None", _X),
        ("lerp", "x, y, weight, name=None", _SAME),
        # Reductions.
        ("sum", "x, axis=None, dtype=None, keepdim=False, name=None, *, out=None", _SUM),
        ("nansum", "x, axis=None, dtype=None, keepdim=False, name=None", _SUM),
        ("prod", "x, axis=None, keepdim=False, dtype=None, out=None, name=None", Asked(_X)),
        ("mean", "x, axis=None, keepdim=False, name=None, *, dtype=None, out=None", Asked(_X)),
        ("nanmean", "x, axis=None, keepdim=False, name=None", Converted(_X, FLOATING)),
        ("var", "x, axis=None, unbiased=None, keepdim=False, name=None, *, correction=1, out=None", _X),
        ("std", "x, axis=None, unbiased=True, keepdim=False, name=None", Converted(_X, FLOATING)),
        ("max min", "x, axis=None, keepdim=False, name=None", _X),
        ("amax amin", _OVER, _X),
        ("argmax argmin", "x, axis=None, keepdim=False, dtype=None, name=None", Asked(INT64)),
        ("any all", _OVER, BOOL),
        ("cumsum", "x, axis=None, dtype=None, name=None, *, out=None", Asked(Converted(_X, "ui=int64"))),
        ("cumprod", "x, dim=None, *, dtype=None, out=None, name=None", Asked(_X)),
        ("count_nonzero", "x, axis=None, keepdim=False, name=None", INT64),
        ("median", "x, axis=None, keepdim=False, mode='avg', name=None, *, out=None",
         If("mode", Converted(_X, "float64=float64 buifc=float32"), Python(), "avg")),
        ("logsumexp", _OVER, Converted(_X, FLOATING)),
        ("norm", "x, p=None, axis=None, keepdim=False, out=None, dtype=None, name=None", Asked(_REAL)),
        ("sort", "x, axis=-1, descending=False, stable=False, name=None", _X),
        ("argsort", "x, axis=-1, descending=False, stable=False, name=None", INT64),
        ("topk", "x, k, axis=None, largest=True, sorted=True, name=None, *, out=None", Several.of(_X, INT64)),
        ("kthvalue", "x, k, axis=None, keepdim=False, name=None", Several.of(_X, INT64)),
        ("mode", "x, axis=-1, keepdim=False, name=None", Several.of(_X, INT64)),
        ("unique", "x, return_index=False, return_inverse=False, return_counts=False, axis=None, dtype=None,"
         " sorted=True, name=None", If("return_index", Python(), If("return_inverse", Python(), If("return_counts",
         Python(), _X, True), True), True)),
        ("nonzero", "x, as_tuple=False, *, out=None", If("as_tuple", Python(), INT64, True)),
        ("diff", "x, n=1, axis=-1, prepend=None, append=None, name=None, *, out=None", _X),
        ("bincount", "x, weights=None, minlength=0, name=None",
         If("weights", Python(), Checked(INT64, Converted(_X, _COUNTED)))),
        ("histogram", "input: x, bins=100, min=0.0, max=0.0, weight=None, density=False, name=None",
         If("density", Fixed(dt.float32), If("weight", Python(), INT64), True)),
        # Products.
        ("dot", _BINARY, _SAME),
        ("matmul", "x, y, transpose_x=False, transpose_y=False, name=None, *, out=None", Equal(product=True)),
        ("outer", _BINARY, Api("multiply")),
        ("inner", "x, y, name=None", Equal(product=True)),
        ("kron", "x, y, name=None", Equal(product=True)),
        ("bmm", _BINARY, _SAME),
        ("einsum", "equation, *operands", Equal("*operands")),
        ("trace", "x, offset=0, axis1=0, axis2=1, name=None", _X),
    ),
    **table(
        "paddle",
        ("inv det", "x, name=None", _X),
        ("slogdet", "x, name=None", _X),
        ("cholesky", "x, upper=False, name=None", _X),
        ("svd", "x, full_matrices=False, name=None, *, out=None", Several.of(_X, _REAL, _X)),
        ("qr", "x, mode='reduced', name=None", If("mode", _X, Several.of(_X, _X), "r")),
        ("eig", "x, name=None", Several.of(_EIGEN, _EIGEN)),
        ("eigvals", "x, name=None", _EIGEN),
        ("eigh", "x, UPLO='L', name=None", Several.of(_REAL, _X)),
        ("eigvalsh", "x, UPLO='L', name=None", _REAL),
        ("pinv", "x, rcond=1e-15, hermitian=False, name=None", _X),
        ("matrix_rank", "x, tol=None, hermitian=False, atol=None, rtol=None, name=None", INT64),
        ("matrix_power", "x, n, name=None", _X),
        ("solve", "x, y, left=True, name=None, *, out=None", _SAME),
        under="linalg",
    ),
    **table(
        "paddle",
        ("fft ifft", _FFT, _SPECTRUM),
        ("fftn ifftn fft2 ifft2", _FFTN, _SPECTRUM),
        ("rfft ihfft", _FFT, _HALF),
        ("irfft hfft", _FFT, _REAL),
        under="fft",
    ),
}  # fmt: skip
