"""JAX's promotion (0.10): a lattice over dtypes and the weak types i*, f*, c* of Python scalars.

Source: running jax.numpy, and jax.readthedocs.io/en/latest/jep/9407-type-promotion.html for the design.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import refusals
from promo_mypy.rules.dialects import Dialect
from promo_mypy.rules.order import Order
from promo_mypy.rules.promotion import Operand, PromotionSystem, Refusal, Result

_SMALL_INTEGERS: Final = "uint2 uint4 int2 int4"
_SMALL_FLOATS: Final = (
    "float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
    "float8_e5m2fnuz float8_e8m0fnu"
)


def _alone(names: str) -> dict[str, str]:
    """Rows of dtypes that promote to nothing."""
    return dict.fromkeys(names.split(), "")


#: The lattice with 64-bit dtypes enabled: name -> what it promotes to directly.
COVERS: Final[Mapping[str, str]] = {
    "bool": "i*",
    "i*": f"uint8 int8 {_SMALL_INTEGERS}",
    **_alone(_SMALL_INTEGERS),
    "uint8": "uint16 int16",
    "int8": "int16",
    "uint16": "uint32 int32",
    "int16": "int32",
    "uint32": "uint64 int64",
    "int32": "int64",
    "uint64": "f*",
    "int64": "f*",
    "f*": f"{_SMALL_FLOATS} bfloat16 float16 c*",
    **_alone(_SMALL_FLOATS),
    "bfloat16": "float32",
    "float16": "float32",
    "c*": "complex64",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex64": "complex128",
    "complex128": "",
}

#: Without 64-bit dtypes uint32 meets the signed integers in int32.
COVERS_X32: Final[Mapping[str, str]] = {**COVERS, "uint32": "int32 uint64"}

_INTEGERS: Final = f"{_SMALL_INTEGERS} uint8 int8 uint16 int16 uint32 int32 uint64 int64"

#: jax_numpy_dtype_promotion="strict": only Python scalars and weak arrays promote.
COVERS_STRICT: Final[Mapping[str, str]] = {
    "bool": "",
    "i*": f"{_INTEGERS} f*",
    **_alone(_INTEGERS),
    "f*": f"{_SMALL_FLOATS} bfloat16 float16 float32 float64 c*",
    **_alone(f"{_SMALL_FLOATS} bfloat16 float16 float32 float64"),
    "c*": "complex64 complex128",
    "complex64": "",
    "complex128": "",
}

#: What becomes of an array of a 64-bit dtype without jax_enable_x64: it is narrowed where it is made.
NARROWED: Final[Mapping[type[dt.Shaped], type[dt.Shaped]]] = {
    dt.uint64: dt.uint32,
    dt.int64: dt.int32,
    dt.float64: dt.float32,
    dt.complex128: dt.complex64,
    dt.weak_int64: dt.weak_int32,
    dt.weak_float64: dt.weak_float32,
    dt.weak_complex128: dt.weak_complex64,
}

#: Division computes bool and integers in floating point; the dtypes of two bits are left as they are (0.10).
QUOTIENTS: Final[Mapping[type[dt.Shaped], type[dt.Shaped]]] = {
    **dict.fromkeys(
        (dt.bool_, dt.uint4, dt.int4, dt.uint8, dt.int8, dt.uint16, dt.int16, dt.uint32, dt.int32), dt.float32
    ),
    dt.uint64: dt.float64,
    dt.int64: dt.float64,
}


@dataclass(frozen=True, slots=True)
class Operation:
    """How an operator uses the joined dtype of its operands."""

    kinds: str
    """Kinds of the joined dtype that it is defined for."""
    gives: Literal["joined", "bool", "quotient", "real part"] = "joined"
    bool_counts_as: type[dt.Shaped] = dt.bool_
    """What a joined bool is computed as."""
    never: frozenset[type[dt.Shaped]] = frozenset()
    """Dtypes of an admitted kind without an implementation."""


_SIGNED_SMALL: Final = frozenset({dt.int2, dt.int4})
_ALL_SMALL: Final = frozenset({dt.int2, dt.int4, dt.uint2, dt.uint4})

OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "mul", "matmul"), Operation("buifc")),
    "sub": Operation("uifc"),
    "truediv": Operation("buifc", "quotient"),
    **dict.fromkeys(("floordiv", "mod", "divmod"), Operation("buif", bool_counts_as=dt.int32)),
    "pow": Operation("buifc", bool_counts_as=dt.int32),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui")),
    **dict.fromkeys(("lshift", "rshift"), Operation("bui", bool_counts_as=dt.int32)),
    **dict.fromkeys(("eq", "ne"), Operation("buifck", "bool")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("buifc", "bool")),
    "neg": Operation("uifc"),
    "pos": Operation("buifc"),
    "abs": Operation("buifc", "real part", never=_SIGNED_SMALL),
    "invert": Operation("bui"),
}

_ELSEWHERE: Final = MappingProxyType({"bool": "jnp.bool_"})
DIALECT: Final = Dialect("JAX", "astype", "jnp", _ELSEWHERE)
DIALECT_X32: Final = Dialect(
    "JAX", "astype", "jnp", _ELSEWHERE, tuple(dtype for dtype in dt.ORDINARY if dtype not in NARROWED)
)


class JaxSystem(PromotionSystem):
    """jax.numpy under one setting of jax_enable_x64 and jax_numpy_dtype_promotion.

    Without x64, 64-bit operands count as the 32-bit arrays that JAX really makes.
    """

    in_place = False

    def __init__(self, name: str, covers: Mapping[str, str], *, x64: bool, strict: bool = False) -> None:
        super().__init__(name, DIALECT if x64 else DIALECT_X32)
        self.order: Final = Order(covers)
        self._x64: Final = x64
        self._strict: Final = strict
        width = (dt.weak_int64, dt.weak_float64, dt.weak_complex128) if x64 else (
            dt.weak_int32, dt.weak_float32, dt.weak_complex64,
        )  # fmt: skip
        self._weak: Final = dict(zip("ifc", width, strict=True))

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """All dtypes of the lattice, their weak forms, and random keys."""
        return dtype.strong.name in self.order.above or dtype is dt.key

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:  # noqa: ARG002 (the interface)
        """Never: arrays are immutable."""
        return False

    def promote_types(self, *dtypes: type[dt.Shaped]) -> type[dt.Shaped] | None:
        """jnp.promote_types: of dtypes rather than of arrays, so nothing is narrowed and weakness is lost."""
        name = self.order.join(self._node(dtype) for dtype in dtypes)
        return None if name is None else self._dtype(name, x64=True).strong

    def check_literal(self, operation: str, operand: Operand, value: int, *, reflected: bool = False) -> Refusal | None:
        """JAX converts the int to its default integer dtype first, and wraps it to the array's dtype after that.

        An int as exponent is static and never converted, but integers take no negative one.
        """
        dtype = operand.dtype
        if issubclass(dtype, dt.PythonScalar) or operation in ("matmul", "imatmul"):
            return None
        question = (operand, Operand(dt.py_int))
        if operation in ("pow", "ipow") and not reflected:
            if value < 0 and dtype.kind in "bui":
                return self._refuse(operation, question, refusals.negative_power(self.dialect, value))
            return None
        default = self._weak["i"].strong
        bounds = (int(default.minimum), int(default.maximum))
        if bounds[0] <= value <= bounds[1]:
            return None
        what = f"{default.name}, the dtype of JAX's Python ints"
        return self._refuse(operation, question, refusals.out_of_range(self.dialect, dtype, value, what, bounds))

    def _promote(self, operands: tuple[Operand, ...]) -> Result:
        joined = self._join(operands)
        return joined or self._refuse("promote", operands, refusals.no_common_dtype(self, operands))

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Result:
        row = OPERATIONS[operation]
        dtype = self._join(operands)
        if dtype is None:
            return self._refuse(operation, operands, refusals.no_common_dtype(self, operands))
        if dtype.kind not in row.kinds or dtype in row.never:
            return self._refuse(operation, operands, refusals.not_defined(self, operation, operands, dtype))
        if row.gives == "bool":
            return dt.bool_
        if row.gives == "quotient":
            quotient = self._narrowed(QUOTIENTS.get(dtype.strong, dtype))
            return dt.WEAK[self._narrowed(dt.float64)] if dtype.weak and dtype.kind == "i" else quotient
        if row.gives == "real part":
            return dt.REAL_PARTS.get(dtype, dtype)
        if operation == "pow":
            return self._power(operands, dtype)
        return row.bool_counts_as if dtype is dt.bool_ else dtype

    def _power(self, operands: tuple[Operand, ...], joined: type[dt.Shaped]) -> Result:
        """Powers are not promoted like products.

        - A Python bool or int as exponent is static: the result has the dtype of the base, weak if the base is.
        - An integer array as exponent leaves an inexact base its dtype, made strong.
        - Otherwise the joined dtype; an integer one is made strong.
        """
        base, exponent = (self._array_dtype(operand) for operand in operands)
        if operands[1].dtype in (dt.py_bool, dt.py_int):
            return dt.int32 if base is dt.bool_ else base
        if base.kind in "fc" and exponent.kind in "iu" and not exponent.weak:
            return base.strong
        if joined in _ALL_SMALL:
            return self._refuse("pow", operands, refusals.not_defined(self, "pow", operands, joined))
        if joined is dt.bool_:
            return dt.int32
        return joined.strong if joined.kind in "iu" else joined

    def _join(self, operands: tuple[Operand, ...]) -> type[dt.Shaped] | None:
        dtypes = {self._array_dtype(operand) for operand in operands}
        if len(dtypes) == 1:
            return next(iter(dtypes))
        # Weak operands alone join at their own width: weak int32 with weak float32 is weak float32, whatever the
        # default float is.
        if all(dtype.weak for dtype in dtypes) and not self._strict:
            name = self.order.join(dtype.strong.name for dtype in dtypes)
            return None if name is None else dt.WEAK.get(self._dtype(name).strong)
        name = self.order.join(self._node(dtype) for dtype in dtypes)
        return None if name is None else self._dtype(name)

    def _array_dtype(self, operand: Operand) -> type[dt.Shaped]:
        """The dtype of the array that JAX makes of the operand."""
        dtype = operand.dtype
        if issubclass(dtype, dt.PythonScalar):
            return dt.bool_ if dtype is dt.py_bool else self._weak[dtype.kind]
        return self._narrowed(dtype)

    def _narrowed(self, dtype: type[dt.Shaped]) -> type[dt.Shaped]:
        return dtype if self._x64 else NARROWED.get(dtype, dtype)

    @staticmethod
    def _node(dtype: type[dt.Shaped]) -> str:
        return dtype.kind + "*" if dtype.weak else dtype.name

    def _dtype(self, node: str, *, x64: bool = False) -> type[dt.Shaped]:
        if not node.endswith("*"):
            return dt.DTYPES[node]
        weak = self._weak[node[0]]
        return next((wide for wide, narrow in NARROWED.items() if narrow is weak), weak) if x64 else weak
