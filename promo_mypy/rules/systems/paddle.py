"""PaddlePaddle's promotion (3.3): floats among themselves, and anything with complex; scalars and 0-D tensors yield.

Source: running Paddle on the CPU, and paddlepaddle.org.cn's guide "Introduction to Data Type Promotion". An operator
without a CPU kernel has a dtype here; an operator that no device supports is rejected (the CUDA kernels are listed in
Paddle's source, paddle/phi/kernels).
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Verdict
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import DOUBLE_LIMIT, Limits, PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems.paddle_apis import APIS
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect

_INTEGERS: Final = "uint8 int8 int16 int32 int64"
_REAL: Final = "bfloat16 float16 float32 float64"
_FLOAT8: Final = frozenset({"float8_e4m3fn", "float8_e5m2"})

#: The order of 0-D tensors and scalars: name -> what it promotes to directly.
COVERS: Final[Mapping[str, str]] = {
    "bool": "uint8 int8",
    "uint8": "int16",
    "int8": "int16",
    "int16": "int32",
    "int32": "int64",
    "int64": "bfloat16 float16",
    "float8_e4m3fn": "",
    "float8_e5m2": "",
    "bfloat16": "float32",
    "float16": "float32",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex64": "complex128",
    "complex128": "",
}

#: Pairs of n-d tensors that do not promote, though the order has dtypes above both.
REFUSED: Final[tuple[tuple[str, str], ...]] = ((f"bool {_INTEGERS}", f"bool {_INTEGERS} {_REAL}"),)

#: A Python number is a 0-D tensor of this dtype.
SCALARS: Final[Mapping[str, str]] = {"b": "bool", "i": "int64", "f": "float32", "c": "complex64"}

#: The same as rows of the lattice: beside a tensor of its kind or a higher one, a number yields.
FLOORS: Final[Mapping[tuple[str, str], str]] = {
    **{("b", kind): "" for kind in "buifc"},
    **{("i", kind): "" for kind in "uifc"},
    **{("f", kind): "" for kind in "fc"},
    ("c", "float64"): "complex128",
    ("c", "c"): "",
    **{(kind, row): dtype for kind, dtype in SCALARS.items() for row in ("b", "u", "i", "f", "") if kind == "c"},
    **{("f", kind): SCALARS["f"] for kind in ("b", "u", "i", "")},
    **{("i", kind): SCALARS["i"] for kind in ("b", "")},
    ("b", ""): SCALARS["b"],
}


@record
class Operation:
    """How an operator uses the promoted dtype of its operands."""

    kinds: str
    """The kinds of promoted dtypes for which it is defined."""
    gives: Literal["promoted", "bool", "quotient", "left", "real part"] = "promoted"
    never: frozenset[str] = _FLOAT8
    """Dtypes of these kinds that no device supports."""
    scales: bool = False
    """Whether a Python int or float scales a tensor of any number dtype, even one in `never`."""
    promotes: bool = True
    """False if tensors must have the same dtype, which Python bools and ints then take."""
    scalar_right: bool = True
    """False if a Python scalar is only supported on the left."""
    complex_number: bool = False
    """Whether a Python complex beside a 0-D tensor always gives complex64."""
    yields: bool = True
    """False if a 0-D tensor joins an n-d one of its kind instead of yielding to it."""


_BYTES: Final = _FLOAT8 | {"uint8", "int8"}
_SHORT: Final = _BYTES | {"int16"}
_HALF: Final = frozenset({"bfloat16", "float16"})

#: An operator without a row does not exist for tensors.
OPERATIONS: Final[Mapping[str, Operation]] = {
    "add": Operation("buifc", scales=True),
    "sub": Operation("uifc", never=_BYTES, scales=True),
    "mul": Operation("buifc", never=_SHORT, scales=True),
    "truediv": Operation("buifc", "quotient", complex_number=True),
    "floordiv": Operation("uif", yields=False),
    "mod": Operation("uifc", never=_SHORT, complex_number=True),
    "pow": Operation("uifc", never=_SHORT, complex_number=True),
    "matmul": Operation("uifc", "left", never=_SHORT),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui", promotes=False, scalar_right=False)),
    **dict.fromkeys(("lshift", "rshift"), Operation("ui", promotes=False)),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), Operation("buifc", "bool")),
    "neg": Operation("buifc"),
    "pos": Operation("uifc"),
    "abs": Operation("uifc", "real part", never=_SHORT),
    "invert": Operation("bui"),
}

_ELSEWHERE: Final = MappingProxyType({"bool": "paddle.bool"})
_APIS: Final = {row.name: row for row in APIS}
DIALECT: Final = Dialect("Paddle", "astype", "paddle", _ELSEWHERE, tuple(
    dtype for dtype in dt.ORDINARY if dtype.name in COVERS
), real="paddle.real({})")  # fmt: skip


class PaddleSystem(PromotionSystem):
    """paddle.Tensor in dynamic graphs."""

    rank_matters = True
    in_place = False

    def __init__(self) -> None:
        lattice = Lattice.of(COVERS, REFUSED, FLOORS)
        super().__init__("paddle", DIALECT, lattice)
        self._tensors: Final = lattice
        self._scalars: Final = lattice.order

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """The dtypes of Paddle; its "uint16" is bfloat16."""
        return dtype.name in COVERS

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:  # noqa: ARG002 (the interface)
        """Never: `x += y` rebinds the name."""
        return False

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:  # noqa: ARG002
        """Arithmetic accepts ints that fit a C double, but gives wrong values above 32 bits; other operators read 64
        bits.
        """
        if operation in COMPARISONS or operation in ("floordiv", "mod") or (operation == "truediv" and reflected):
            return Limits((-(2**63), 2**63 - 1), "the 64 bits that Paddle reads")
        return Limits((1 - DOUBLE_LIMIT, DOUBLE_LIMIT - 1), "a Python float")

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        joined = self._joined(operands)
        return dt.DTYPES[joined] if joined else reasons.no_common_dtype(self.dialect.library, operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS.get(operation)
        if row is None:
            return reasons.no_operator(self.dialect.library, operation)
        if row.gives == "left":
            return self._product(row, operands)
        if not row.promotes:
            return self._unpromoted(operation, row, operands)
        forms = [operand.form for operand in operands]
        if not row.yields and Form.ZERO_D in forms:
            operands = tuple(replace(operand, form=Form.ZERO_D) for operand in operands)
        joined = self._joined(operands)
        if joined is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        dtype = dt.DTYPES[joined]
        if row.complex_number and any(o.dtype is dt.py_complex for o in operands) and Form.ARRAY not in forms:
            return dt.complex64
        scaled = row.scales and any(operand.dtype in (dt.py_int, dt.py_float) for operand in operands)
        if dtype.kind not in row.kinds or (dtype.name in row.never and not (scaled and dtype.name not in _FLOAT8)):
            return reasons.not_defined(self.dialect.library, operation, operands, dtype)
        if row.gives == "bool":
            return dt.bool_
        if row.gives == "quotient" and dtype.kind in "ui":
            return dt.float32
        return dt.REAL_PARTS.get(dtype, dtype) if row.gives == "real part" else dtype

    def function(self, api: str, *operands: Operand) -> Verdict:
        """The dtype of paddle.<api>(*operands) by the document's table, or the reason of an error.

        Whether the function supports the dtype is not checked. Raises KeyError unless the table has the function.
        """
        row = _APIS[api]
        scalars = any(issubclass(operand.dtype, dt.PythonScalar) for operand in operands)
        rule = row.scalars if scalars else row.tensors
        if scalars and not row.numbers:
            return reasons.no_common_dtype(self.dialect.library, operands)
        if rule == "-":
            same = len({operand.dtype for operand in operands}) == 1
            return self._promote(operands) if same else reasons.no_common_dtype(self.dialect.library, operands)
        joined = self._promote(operands)
        if isinstance(joined, str):
            return joined
        if rule == "logic":
            return dt.bool_
        return dt.float32 if api == "divide" and joined.kind in "ui" else joined

    def _product(self, row: Operation, operands: tuple[Operand, ...]) -> Verdict:
        """@ promotes if one side is complex; else it gives the dtype of the left tensor."""
        left, right = (operand.dtype for operand in operands)
        assert issubclass(left, dt.Shaped), "@ takes no scalar"
        assert issubclass(right, dt.Shaped), "@ takes no scalar"
        if "c" in (left.kind, right.kind):
            wide = all(dtype.kind in "fc" and dtype.name not in _HALF | _FLOAT8 for dtype in (left, right))
            return self._promote(operands) if wide else reasons.no_common_dtype(self.dialect.library, operands)
        if left.kind not in row.kinds or left.name in row.never:
            return reasons.not_defined(self.dialect.library, "matmul", operands[:1], left)
        if left.name in _HALF and left is not right:  # never observed to work on any device
            return reasons.unequal_dtypes(self.dialect.library, "matmul", operands)
        return left

    def _unpromoted(self, operation: str, row: Operation, operands: tuple[Operand, ...]) -> Verdict:
        """Tensors of one dtype; a Python bool or int takes that dtype."""
        arrays = [operand.dtype for operand in operands if issubclass(operand.dtype, dt.Shaped)]
        right = operands[-1].dtype
        if issubclass(right, dt.PythonScalar) and not row.scalar_right:
            return reasons.scalar_on_the_right(self.dialect.library, operation, right)
        if len(set(arrays)) != 1:
            return reasons.unequal_dtypes(self.dialect.library, operation, operands)
        scalars = [operand.dtype for operand in operands if issubclass(operand.dtype, dt.PythonScalar)]
        if any(scalar.kind in "fc" for scalar in scalars):
            return reasons.no_common_dtype(self.dialect.library, operands)
        if arrays[0].kind not in row.kinds:
            return reasons.not_defined(self.dialect.library, operation, operands, arrays[0])
        return arrays[0]

    def _joined(self, operands: tuple[Operand, ...]) -> str | None:
        """n-d tensors join in the lattice of tensors. 0-D tensors yield to them, and Python scalars to both."""
        categories: dict[Form, list[str]] = {Form.ARRAY: [], Form.ZERO_D: [], Form.PYTHON: []}
        for operand in operands:
            form = Form.ZERO_D if operand.form is Form.SCALAR else operand.form
            name = SCALARS[operand.dtype.kind] if issubclass(operand.dtype, dt.PythonScalar) else operand.dtype.name
            categories[form].append(name)
        joined = self._tensors.join(categories[Form.ARRAY]) if categories[Form.ARRAY] else ""
        for form in (Form.ZERO_D, Form.PYTHON):
            names = categories[form]
            if joined is None or not names:
                continue
            lower = self._scalars.join(names)
            if not joined or lower is None:
                joined = lower
            elif _kind(lower) > _kind(joined) or "c" in (dt.DTYPES[lower].kind, dt.DTYPES[joined].kind):
                same = dt.DTYPES[lower].kind == dt.DTYPES[joined].kind
                joined = joined if same else self._scalars.join((joined, lower))
        return joined


def _kind(name: str) -> int:
    return ("b", "ui", "f", "c").index(next(k for k in ("b", "ui", "f", "c") if dt.DTYPES[name].kind in k))


def system(_name: str) -> PaddleSystem:
    """Paddle."""
    return PaddleSystem()
