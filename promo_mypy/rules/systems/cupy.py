"""CuPy's promotion (14): NumPy's, found in CuPy's own lists of loops.

Source: the lists of loops of CuPy 14.2, and its resolution run on the host; no kernel was run.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.promotion import Operand, Verdict
from promo_mypy.rules.systems.numpy import COVERS, OPERATIONS, NumpySystem, Ufunc
from promo_mypy.rules.systems.numpy import DIALECT as DIALECT_NUMPY

#: Of ml_dtypes only bfloat16 has loops.
_BFLOAT16: Final = frozenset({"bfloat16"})
_FLOATING: Final = Ufunc("fc", _BFLOAT16)
_REAL: Final = Ufunc("f", _BFLOAT16)
_ORDERED: Final = Ufunc("buifc", _BFLOAT16)
_NUMBERS: Final = Ufunc("uifc", _BFLOAT16)
_ROUNDED: Final = Ufunc("buif", _BFLOAT16)

#: The ufuncs that no operator calls.
UFUNCS: Final[Mapping[str, Ufunc]] = MappingProxyType({
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), _ORDERED),
    **dict.fromkeys(("arctan2", "hypot", "copysign", "nextafter"), _FLOATING),
    "logaddexp": _REAL,
    **dict.fromkeys(("gcd", "lcm"), Ufunc("bui", refuses_bool=True)),
    "logical_and": Ufunc("buif", _BFLOAT16, "bool"),
    "fmod": Ufunc("uif", _BFLOAT16),
    **dict.fromkeys(
        ("sin", "cos", "tan", "arcsin", "arctan", "sinh", "tanh", "exp", "exp2", "expm1",
         "log", "log1p", "log2", "log10", "sqrt", "rint"),
        _FLOATING,
    ),
    **dict.fromkeys(("cbrt", "deg2rad"), _REAL),
    **dict.fromkeys(("square", "reciprocal", "sign", "conjugate"), _NUMBERS),
    **dict.fromkeys(("floor", "ceil", "trunc"), _ROUNDED),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), Ufunc("fc", _BFLOAT16, "bool")),
    "logical_not": Ufunc("buif", _BFLOAT16, "bool"),
})  # fmt: skip

#: Operators whose loops are not NumPy's.
OPERATIONS_CUPY: Final[Mapping[str, Ufunc]] = {"divmod": replace(OPERATIONS["divmod"], extensions=frozenset())}

_DTYPES: Final = (COVERS.keys() - {"float128", "complex256"}) | _BFLOAT16
DIALECT: Final = replace(DIALECT_NUMPY, library="CuPy", namespace="cp", elsewhere=MappingProxyType(
    {"bool": "cp.bool_", "bfloat16": "ml_dtypes.bfloat16"}
))  # fmt: skip


class CupySystem(NumpySystem):
    """cupy.ndarray."""

    def __init__(self) -> None:
        super().__init__("cupy", DIALECT)

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """NumPy's dtypes without longdouble, and bfloat16."""
        return dtype.name in _DTYPES

    def function(self, name: str, *operands: Operand) -> Verdict:
        """The dtype of cupy.<name>(*operands), or why there is none. Raises KeyError unless UFUNCS has the name."""
        return self._call(name, UFUNCS[name], operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS_CUPY.get(operation, OPERATIONS[operation])
        return self._call(operation, row, operands)


def system(_name: str) -> CupySystem:
    """CuPy."""
    return CupySystem()
