"""JAX's promotion (0.10): a lattice over dtypes and the weak types i*, f*, c* of Python scalars.

Source: running jax.numpy, and jax.readthedocs.io/en/latest/jep/9407-type-promotion.html for the design.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Verdict
from promo_mypy.rules.promotion import Limits, PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect

_SMALL_INTEGERS: Final = "uint1 uint2 uint4 int1 int2 int4"
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

#: Without 64-bit dtypes the join of uint32 and the signed integers is int32.
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

#: Without jax_enable_x64, an array of a 64-bit dtype is narrowed when it is created.
NARROWED: Final[Mapping[type[dt.Shaped], type[dt.Shaped]]] = {
    dt.uint64: dt.uint32,
    dt.int64: dt.int32,
    dt.float64: dt.float32,
    dt.complex128: dt.complex64,
    dt.weak_int64: dt.weak_int32,
    dt.weak_float64: dt.weak_float32,
    dt.weak_complex128: dt.weak_complex64,
}

#: Division computes bool and integers in floating point; those of one and two bits stay as they are (0.10).
QUOTIENTS: Final[Mapping[type[dt.Shaped], type[dt.Shaped]]] = {
    **dict.fromkeys(
        (dt.bool_, dt.uint4, dt.int4, dt.uint8, dt.int8, dt.uint16, dt.int16, dt.uint32, dt.int32), dt.float32
    ),
    dt.uint64: dt.float64,
    dt.int64: dt.float64,
}


@record
class Operation:
    """How an operator uses the joined dtype of its operands."""

    kinds: str
    """The kinds of joined dtypes for which it is defined."""
    gives: Literal["joined", "bool", "quotient", "power", "product", "real part"] = "joined"
    bool_counts_as: type[dt.Shaped] = dt.bool_
    """The dtype in which a joined bool is computed."""
    never: frozenset[type[dt.Shaped]] = frozenset()
    """Dtypes of these kinds without an implementation."""
    weak_keep_width: bool = True
    """Whether weak operands keep their own width, not the default width, if all operands are weak."""


_ALL_SMALL: Final = frozenset(dt.DTYPES[name] for name in _SMALL_INTEGERS.split())
_SIGNED_SMALL: Final = frozenset(dtype for dtype in _ALL_SMALL if dtype.kind == "i")

OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "mul"), Operation("buifc")),
    "matmul": Operation("buifc", "product", weak_keep_width=False),
    "sub": Operation("uifc"),
    "truediv": Operation("buifc", "quotient"),
    **dict.fromkeys(("floordiv", "mod", "divmod"), Operation("buif", bool_counts_as=dt.int32)),
    "pow": Operation("buifc", "power", bool_counts_as=dt.int32, never=_ALL_SMALL),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui")),
    **dict.fromkeys(("lshift", "rshift"), Operation("bui", bool_counts_as=dt.int32)),
    **dict.fromkeys(("eq", "ne"), Operation("buifck", "bool")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("buifc", "bool")),
    "neg": Operation("uifc"),
    "pos": Operation("buifck"),
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

    Without x64, 64-bit operands count as the 32-bit arrays that JAX creates.
    """

    rank_operations = frozenset({"pow"})
    in_place = False

    def __init__(self, name: str, covers: Mapping[str, str], *, x64: bool, strict: bool = False) -> None:
        lattice = Lattice.of(covers)
        super().__init__(name, DIALECT if x64 else DIALECT_X32, lattice)
        self.order: Final = lattice.order
        self._x64: Final = x64
        self._strict: Final = strict
        width = (dt.weak_int64, dt.weak_float64, dt.weak_complex128) if x64 else (
            dt.weak_int32, dt.weak_float32, dt.weak_complex64,
        )  # fmt: skip
        self._weak: Final = dict(zip("ifc", width, strict=True))

    @property
    def weak_dtypes(self) -> tuple[type[dt.Shaped], ...]:
        """i*, f* and c* at the width of the x64 setting."""
        return tuple(self._weak.values())

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """All dtypes of the lattice, their weak forms, and random keys."""
        return dtype.strong.name in self.order.above or dtype is dt.key

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:  # noqa: ARG002 (the interface)
        """Never: arrays are immutable."""
        return False

    def promote_types(self, *dtypes: type[dt.Shaped]) -> type[dt.Shaped] | None:
        """jnp.promote_types: for dtypes, not for arrays. So nothing is narrowed and weakness is lost."""
        name = self.order.join(self._node(dtype) for dtype in dtypes)
        return None if name is None else self._dtype(name, x64=True).strong

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """JAX converts an int to its default integer dtype first, and wraps it to the array's dtype after that.

        An int as exponent is static and never converted, but integers do not support a negative one.
        """
        if operation == "pow" and not reflected:
            return Limits(None, negative=dtype.kind not in "bui")
        return Limits.of(self._weak["i"].strong, ", the dtype of JAX's Python ints")

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        joined = self._join(operands)
        return joined or reasons.no_common_dtype(self.dialect.library, operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS[operation]
        if operation == "pow" and _is_static(operands[1]):
            # It does not take part in the promotion: the result has the base's dtype, weak if the base is weak.
            base = self._array_dtype(operands[0])
            return row.bool_counts_as if base is dt.bool_ else base
        dtype = self._join(operands, weak_keep_width=row.weak_keep_width)
        if dtype is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        if dtype.kind not in row.kinds or dtype in row.never:
            return reasons.not_defined(self.dialect.library, operation, operands, dtype)
        if row.gives == "bool":
            return dt.bool_
        if row.gives == "real part":
            return dt.REAL_PARTS.get(dtype, dtype)
        if row.gives == "quotient":
            quotient = self._narrowed(QUOTIENTS.get(dtype.strong, dtype))
            return dt.WEAK.get(quotient, quotient) if dtype.weak else quotient
        if row.gives == "power":
            return self._power(operands, dtype)
        if row.gives == "product":
            wide = next((self._array_dtype(o) for o in operands if self._loses(self._array_dtype(o), dtype)), None)
            if wide is not None:
                return reasons.narrowed_weak(self.dialect.library, wide, dtype)
        return row.bool_counts_as if dtype is dt.bool_ else dtype

    def _power(self, operands: tuple[Operand, ...], joined: type[dt.Shaped]) -> Verdict:
        """Powers of arrays by arrays.

        - An integer exponent leaves a float or complex base its dtype; a strong one makes it strong.
        - Otherwise the result has the joined dtype; an integer dtype becomes strong.
        """
        base, exponent = (self._array_dtype(operand) for operand in operands)
        if base.kind in "fc" and exponent.kind in "iu":
            return base if exponent.weak else base.strong
        if joined is dt.bool_:
            return dt.int32
        return joined.strong if joined.kind in "iu" else joined

    @staticmethod
    def _loses(operand: type[dt.Shaped], result: type[dt.Shaped]) -> bool:
        """Whether a weak operand of @ would be narrowed: dot_general accumulates no narrower than its operands."""
        return (
            operand.weak
            and operand.bits > result.bits
            and (operand.kind == result.kind == "c" or (operand.kind == "i" and result.kind in "iu"))
        )

    def _join(self, operands: tuple[Operand, ...], *, weak_keep_width: bool = True) -> type[dt.Shaped] | None:
        dtypes = {self._array_dtype(operand) for operand in operands}
        keep_width = weak_keep_width and not self._strict
        if len(dtypes) == 1:
            dtype = next(iter(dtypes))
            return dtype if not dtype.weak or keep_width or len(operands) == 1 else self._weak[dtype.kind]
        # Weak operands join at their own width if all are weak: weak int32 with weak float32 is weak float32, whatever
        # the default float is.
        if keep_width and all(dtype.weak for dtype in dtypes):
            name = self.order.join(dtype.strong.name for dtype in dtypes)
            return None if name is None else dt.WEAK.get(self._dtype(name).strong)
        name = self.order.join(self._node(dtype) for dtype in dtypes)
        return None if name is None else self._dtype(name)

    def _array_dtype(self, operand: Operand) -> type[dt.Shaped]:
        """The dtype of the array that JAX creates from the operand."""
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


def _is_static(exponent: Operand) -> bool:
    """Whether JAX reads an exponent as a Python int. Python bools and 0-d integers count as such.

    That holds for 0-d arrays with concrete values. A transformation traces arrays without values;
    traced 0-d arrays count like n-d arrays.
    """
    if issubclass(exponent.dtype, dt.PythonScalar):
        return exponent.dtype in (dt.py_bool, dt.py_int)
    return exponent.form is not Form.ARRAY and exponent.dtype.kind in "ui"


def system(name: str) -> JaxSystem:
    """The system of that name: "jax" (x64 on), "jax-x32" or "jax-strict"."""
    rows = {
        "jax": (COVERS, True, False),
        "jax-x32": (COVERS_X32, False, False),
        "jax-strict": (COVERS_STRICT, True, True),
    }
    covers, x64, strict = rows[name]
    return JaxSystem(name, covers, x64=x64, strict=strict)
