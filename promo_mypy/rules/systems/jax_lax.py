"""The promotion of jax.lax (0.10, x64 on): none, but weak operands of exactly the same width are accepted.

The operators stand for functions of jax.lax: + add, / div, % rem, ** pow, @ dot, & bitwise_and, << shift_left,
>> shift_right_arithmetic, ~ bitwise_not. Source: running them.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.promotion import Limits
from promo_mypy.rules.systems.jax import COVERS as COVERS_JAX
from promo_mypy.rules.systems.jax import DIALECT as DIALECT_JAX
from promo_mypy.rules.systems.joining import JoiningSystem, Operation

#: A weak number has the dtype of its width and joins nothing else.
COVERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(COVERS_JAX, ""),
    "i*": "int64",
    "f*": "float64",
    "c*": "complex128",
}

_SMALL: Final = frozenset(dtype.name for dtype in dt.SMALL)
_SMALL_INTEGERS: Final = frozenset(name for name in _SMALL if "int" in name)

#: An operator without a row has no function in jax.lax.
OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "sub", "mul", "truediv"), Operation("uifc")),
    "mod": Operation("uif"),
    "pow": Operation("fc"),
    "matmul": Operation("buifc"),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui")),
    **dict.fromkeys(("lshift", "rshift"), Operation("ui")),
    **dict.fromkeys(("eq", "ne"), Operation("buifc", "bool")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("buif", "bool")),
    "neg": Operation("uifc"),
    "abs": Operation("ifc", "real part", never=_SMALL_INTEGERS),
    "invert": Operation("bui"),
}

#: dot converts everything to the last dtype of this row among its operands, weak ones included.
DOT: Final = (
    "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex64 complex128"
)

_DOT: Final = tuple(DOT.split())

DIALECT: Final = replace(
    DIALECT_JAX,
    library="jax.lax",
    instead=MappingProxyType({"floordiv": "jnp.floor_divide(x, y)", "divmod": "jnp.divmod(x, y)", "pos": "x"}),
)
_WEAK: Final = (dt.weak_int64, dt.weak_float64, dt.weak_complex128)


class LaxSystem(JoiningSystem):
    """jax.lax: explicit about dtypes."""

    in_place = False

    def __init__(self) -> None:
        super().__init__("jax-lax", DIALECT, Lattice.of(COVERS), OPERATIONS, {})

    @property
    def weak_dtypes(self) -> tuple[type[dt.Shaped], ...]:
        """The dtypes of Python numbers and of jax.numpy's weak results."""
        return _WEAK

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        if operation == "pow":
            base, exponent = (self._array(operand) for operand in operands)
            if base.kind in "fc" and exponent.kind in "ui":  # repeated multiplication: the base keeps its dtype
                return base if exponent.weak else base.strong
        if operation == "matmul":
            arrays = [self._array(operand) for operand in operands]
            names = [array.strong.name for array in arrays]
            if arrays[0] is not arrays[1] and all(name in _DOT for name in names):
                widest = dt.DTYPES[max(names, key=_DOT.index)]
                return dt.WEAK[widest] if all(array.weak for array in arrays) else widest
        return super()._operate(operation, operands)

    def _array(self, operand: Operand) -> type[dt.Shaped]:
        if not issubclass(operand.dtype, dt.PythonScalar):
            return operand.dtype
        return self.dtype_of(self._lattice.counts_as(operand.dtype.kind) or "bool")

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:  # noqa: ARG002
        return Limits.of(dt.int64, ", the dtype of JAX's Python ints")


def system(_name: str) -> LaxSystem:
    """jax.lax."""
    return LaxSystem()
