"""CuPy's promotion (14): NumPy's rule, applied to CuPy's own lists of loops.

Source: running CuPy 14.2 on an NVIDIA H100, and before that its resolution of loops on the host.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import Limits
from promo_mypy.rules.systems.numpy import COVERS, OPERATIONS, NumpySystem, Ufunc
from promo_mypy.rules.systems.numpy import DIALECT as DIALECT_NUMPY

#: Of ml_dtypes only bfloat16 has loops.
_BFLOAT16: Final = frozenset({"bfloat16"})
_FLOATING: Final = Ufunc("fc", _BFLOAT16)
_REAL: Final = Ufunc("f", _BFLOAT16)
_ORDERED: Final = Ufunc("buifc", _BFLOAT16)
_NUMBERS: Final = Ufunc("uifc", _BFLOAT16)
_ROUNDED: Final = Ufunc("buif", _BFLOAT16)
_TRUTH: Final = Ufunc("buif", _BFLOAT16, "bool")

#: The ufuncs that no operator calls, or that differ from the operator.
UFUNCS: Final[Mapping[str, Ufunc]] = MappingProxyType({
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), _ORDERED),
    # The complex loops are listed, but do not compile.
    **dict.fromkeys(("arctan2", "hypot", "copysign", "nextafter", "i0"), _FLOATING),
    **dict.fromkeys(("logaddexp", "logaddexp2", "heaviside"), _REAL),
    **dict.fromkeys(("gcd", "lcm"), Ufunc("bui", refuses_bool=True)),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor", "logical_not"), _TRUTH),
    "fmod": Ufunc("uif", _BFLOAT16),
    **dict.fromkeys(
        ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
         "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rint", "sinc"),
        _FLOATING,
    ),
    **dict.fromkeys(("cbrt", "deg2rad", "rad2deg", "radians", "degrees", "fabs", "modf", "frexp"), _REAL),
    **dict.fromkeys(("square", "reciprocal", "sign", "conjugate"), _NUMBERS),
    "positive": Ufunc("buifc", _BFLOAT16, refuses_bool=True),
    **dict.fromkeys(("floor", "ceil", "trunc", "fix"), _ROUNDED),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), Ufunc("fc", _BFLOAT16, "bool")),
    "signbit": Ufunc("f", _BFLOAT16, "bool"),
    "bitwise_count": Ufunc("ui"),
})  # fmt: skip

#: Operators whose loops differ from NumPy's.
OPERATIONS_CUPY: Final[Mapping[str, Ufunc]] = {
    "divmod": replace(OPERATIONS["divmod"], extensions=frozenset()),
    "matmul": Ufunc("buifc", _BFLOAT16),
    # The operator copies; the ufunc `positive` rejects bool.
    "pos": _ORDERED,
}

_DTYPES: Final = (COVERS.keys() - {"float128", "complex256"}) | _BFLOAT16
DIALECT: Final = replace(DIALECT_NUMPY, library="CuPy", namespace="cp", elsewhere=MappingProxyType(
    {"bool": "cp.bool_", "bfloat16": "ml_dtypes.bfloat16"}
))  # fmt: skip


class CupySystem(NumpySystem):
    """cupy.ndarray."""

    rebound = frozenset({"imatmul"})
    squares = ()

    def __init__(self) -> None:
        super().__init__("cupy", DIALECT)

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """NumPy's dtypes without longdouble, and bfloat16."""
        return dtype.name in _DTYPES

    def function(self, name: str, *operands: Operand) -> Verdict:
        """The dtype of cupy.<name>(*operands), or the reason of an error. Raises KeyError for a name outside UFUNCS."""
        return self._call(name, UFUNCS[name], operands)

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """Comparisons convert the int to an array first, which must hold it. Negative powers of integers are allowed.

        Source of the powers: the kernel, which gives 0 except for the powers of 1 and -1.
        """
        if operation in COMPARISONS and dtype.kind in "ui":
            return Limits((int(dt.int64.minimum), int(dt.uint64.maximum)), "int64 or uint64, which CuPy compares with")
        limits = super()._limits(operation, dtype, reflected=reflected)
        return limits and replace(limits, negative=True)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS_CUPY.get(operation, OPERATIONS[operation])
        return self._call(operation, row, operands)


def system(_name: str) -> CupySystem:
    """CuPy."""
    return CupySystem()
