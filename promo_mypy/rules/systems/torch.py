"""PyTorch's promotion (2.13): one join per category of operand, and the categories combined by kind.

Source: running PyTorch on the CPU, and pytorch.org/docs/stable/tensor_attributes.html for the categories. An operator
without a CPU kernel has a dtype here; an operator that no device supports is rejected.
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

_FLOAT8: Final = "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu"
#: The newer unsigned integers, which join only floats.
_BARE_UNSIGNED: Final = "uint1 uint2 uint4 uint16 uint32 uint64"

#: name -> what it promotes to directly.
COVERS: Final[Mapping[str, str]] = {
    "bool": "uint8 int8",
    "uint8": "int16",
    "int8": "int16",
    "int16": "int32",
    "int32": "int64",
    "int64": "bfloat16 float16",
    **dict.fromkeys(_BARE_UNSIGNED.split(), "bfloat16 float16 float4_e2m1fn_x2"),
    **dict.fromkeys(["int1", "int2", "int4", *_FLOAT8.split()], ""),
    "float4_e2m1fn_x2": "",
    "bfloat16": "float32",
    "float16": "float32 complex32",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex32": "complex64",
    "complex64": "complex128",
    "complex128": "",
}

_ORDINARY_INTEGERS: Final = "uint8 int8 int16 int32 int64"
#: Pairs of groups that never promote, though the order has dtypes above both.
REFUSED: Final[tuple[tuple[str, str], ...]] = (
    (_BARE_UNSIGNED, f"bool {_ORDINARY_INTEGERS}"),
    (_BARE_UNSIGNED, "complex32 complex64 complex128"),
    (_BARE_UNSIGNED, _BARE_UNSIGNED),
)

#: Float -> the complex dtype with parts of that precision, if PyTorch has one.
COMPLEX_OF: Final[Mapping[str, str]] = {
    "bfloat16": "complex64",
    "float16": "complex32",
    "float32": "complex64",
    "float64": "complex128",
}


@record
class Operation:
    """How an operator uses the promoted dtype of its operands."""

    kinds: str
    """The kinds of promoted dtypes for which it is defined."""
    gives: Literal["promoted", "bool", "quotient", "real part"] = "promoted"
    bool_operands: bool = True
    """False if a bool operand is rejected, whatever it promotes to."""
    promotes: bool = True
    """False if the operands must have the same dtype."""
    least_bits: int = 0
    """Dtypes with fewer bits are rejected."""


#: An operator without a row does not exist for tensors.
OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "mul"), Operation("buifc")),
    "sub": Operation("uifc", bool_operands=False),
    "truediv": Operation("buifc", "quotient"),
    **dict.fromkeys(("floordiv", "mod"), Operation("uif")),
    "pow": Operation("uifc"),
    "matmul": Operation("uifc", promotes=False),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui")),
    **dict.fromkeys(("lshift", "rshift"), Operation("ui")),
    **dict.fromkeys(("eq", "ne"), Operation("buifc", "bool")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("buif", "bool")),
    **dict.fromkeys(("neg", "pos"), Operation("uifc")),
    "abs": Operation("buifc", "real part"),
    "invert": Operation("bui", least_bits=8),
}

_KINDS: Final = ("b", "ui", "f", "c")

DIALECT: Final = Dialect("PyTorch", "to", "torch", MappingProxyType({}), tuple(
    dtype for dtype in dt.ORDINARY if dtype.name not in _BARE_UNSIGNED.split()
))  # fmt: skip


class TorchSystem(PromotionSystem):
    """torch.Tensor under one default dtype (torch.set_default_dtype)."""

    rank_matters = True

    def __init__(self, default_dtype: str = "float32") -> None:
        """Raises ValueError unless the default is one of the floats that PyTorch accepts."""
        if default_dtype not in COMPLEX_OF:
            raise ValueError(f"torch_default_dtype must be one of {', '.join(COMPLEX_OF)}, not {default_dtype!r}")
        lattice = Lattice.of(COVERS, REFUSED, _floors(default_dtype))
        super().__init__("torch", DIALECT, lattice)
        self.order: Final = lattice.order
        self._default: Final = default_dtype
        self._join_pair: Final = lattice.join

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """The dtypes of torch that take part in promotion: neither quantized nor bits; nothing weak."""
        return dtype.name in self.order.above

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
        """torch.can_cast: the rule for in-place operations and `out=`. Integers narrower than a byte do not count as
        integers.
        """
        return _rank(source) <= _rank(target) or (source.kind == "f" and target.kind in "ui" and target.bits < 8)

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """Ints of 64 bits wrap to the tensor's dtype, except as exponents; longer ones raise."""
        if operation == "pow" and not reflected and (dtype.kind in "ui" or dtype is dt.float16):
            exponent = dt.int64 if dtype is dt.uint64 else dtype
            return Limits.of(exponent, ", the dtype of the exponent", negative=dtype.kind == "f")
        if dtype is dt.bool_ and not (operation == "truediv" and reflected):
            return Limits.of(dt.int64, ", the dtype beside bool", negative=operation != "pow" or reflected)
        return Limits((-(2**63), 2**64 - 1), "the 64 bits that PyTorch reads")

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        promoted = self._promoted_name(operands)
        if promoted is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        return dt.DTYPES[promoted]

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS.get(operation)
        if row is None:
            return reasons.no_operator(self.dialect.library, operation)
        name = self._promoted_name(operands)
        if not row.promotes and len({operand.dtype for operand in operands}) > 1:
            return reasons.unequal_dtypes(self.dialect.library, operation, operands)
        if name is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        dtype = dt.DTYPES[name]
        if not row.bool_operands and any(operand.dtype.kind == "b" for operand in operands):
            return reasons.not_defined(self.dialect.library, operation, operands, dt.bool_)
        # With a Python bool as exponent, the result is ones or the base itself.
        static = operation == "pow" and operands[1].dtype is dt.py_bool
        if (dtype.kind not in row.kinds and not static) or dtype.bits < row.least_bits:
            return reasons.not_defined(self.dialect.library, operation, operands, dtype)
        if row.gives == "bool":
            return dt.bool_
        if row.gives == "quotient" and dtype.kind in "bui":
            return dt.DTYPES[self._default]
        return dt.REAL_PARTS.get(dtype, dtype) if row.gives == "real part" else dtype

    def _promoted_name(self, operands: tuple[Operand, ...]) -> str | None:
        """torch.result_type: n-d tensors decide, 0-d tensors next, Python scalars last; but a higher kind always
        counts.
        """
        categories: dict[Form, list[str]] = {Form.ARRAY: [], Form.ZERO_D: [], Form.PYTHON: []}
        for operand in operands:
            categories[Form.ZERO_D if operand.form is Form.SCALAR else operand.form].append(self._name(operand))
        joined = None
        for form in (Form.PYTHON, Form.ZERO_D, Form.ARRAY):
            names = categories[form]
            if not names:
                continue
            higher: str | None = names[0]
            for name in names[1:]:
                higher = None if higher is None else self._join(higher, name)
            joined = higher if higher is None or joined is None else self._yield(higher, joined)
            if joined is None:
                return None
        return joined

    def _yield(self, higher: str, lower: str) -> str | None:
        """The dtype of a category `higher` beside a category that yields to it.

        - The same or a lower kind is ignored. Only bool counts, as the lowest integer.
        - A float beside complex becomes the complex dtype of its own precision.
        - An integer takes over a complex dtype unchanged, and joins a float.
        """
        kinds = dt.DTYPES[higher].kind, dt.DTYPES[lower].kind
        if kinds[0] == "c":
            return higher
        if kinds[0] == "f":
            return COMPLEX_OF.get(higher) if kinds[1] == "c" else higher
        if kinds[0] in "ui" and kinds[1] == "c":
            return lower
        if kinds[0] == "b" or kinds[1] == "f":
            return self._join(higher, lower)
        return higher

    def _join(self, one: str, other: str) -> str | None:
        """torch.promote_types."""
        return self._join_pair((one, other))

    def _name(self, operand: Operand) -> str:
        if not issubclass(operand.dtype, dt.PythonScalar):
            return operand.dtype.name
        return {"b": "bool", "i": "int64", "f": self._default, "c": COMPLEX_OF[self._default]}[operand.dtype.kind]


def _floors(default: str) -> Mapping[tuple[str, str], str]:
    """The dtype of a Python number: it yields to tensors of its kind or a higher one; else it is the default dtype."""
    wide = COMPLEX_OF[default]
    return {
        **{("i", kind): "int64" for kind in ("b", "")},
        **{("i", kind): "" for kind in "uifc"},
        **{("f", kind): default for kind in ("b", "u", "i", "")},
        **{("f", kind): "" for kind in "fc"},
        **{("c", kind): wide for kind in ("b", "u", "i", "")},
        **{("c", name): number for name, number in COMPLEX_OF.items()},
        ("c", "c"): "",
    }


def _rank(dtype: type[dt.Shaped]) -> int:
    return next(rank for rank, kinds in enumerate(_KINDS) if dtype.kind in kinds)


def system(default_dtype: str) -> TorchSystem:
    """PyTorch under that default dtype. Raises ValueError unless it is one of the floats that PyTorch accepts."""
    return TorchSystem(default_dtype)
