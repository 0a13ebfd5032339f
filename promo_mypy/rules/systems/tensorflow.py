"""TensorFlow's promotion (2.21): none between tensors, and its NumPy mode with a lattice of five weak dtypes.

Source: running TensorFlow on the CPU; tensorflow.org/guide/tf_numpy_type_promotion for the design of the NumPy mode.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Verdict
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import DOUBLE_LIMIT, Limits
from promo_mypy.rules.systems.joining import JoiningSystem, Operation
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect, holds

_UNSIGNED: Final = "uint8 uint16 uint32 uint64"
_DTYPES: Final = (
    f"bool {_UNSIGNED} int8 int16 int32 int64 float8_e4m3fn float8_e5m2 bfloat16 float16 float32 float64 "
    "complex64 complex128"
)
#: float8 is stored and cast, never computed with.
_FLOAT8: Final = frozenset({"float8_e4m3fn", "float8_e5m2"})

#: Tensors join only with their own dtype.
COVERS: Final[Mapping[str, str]] = dict.fromkeys(_DTYPES.split(), "")

#: A Python number becomes a tensor of the other operand's dtype, if that can hold numbers of its kind.
FLOORS: Final[Mapping[tuple[str, str], str | None]] = {
    **dict.fromkeys((("b", kind) for kind in "uifc"), None),
    **{("b", name): "" for name in "bool uint64 int32 int64 float16 float32 float64 complex128".split()},  # noqa: SIM905
    **{("i", kind): "" for kind in "uifc"},
    **{("f", kind): "" for kind in "fc"},
    ("c", "c"): "",
    ("b", ""): "bool",
    ("i", ""): "int32",
    ("f", ""): "float32",
    ("c", ""): "complex128",
}
#: The tensor that a Python number without a tensor becomes.
DEFAULTS: Final = {kind: dtype for (kind, row), dtype in FLOORS.items() if dtype and not row}

#: The NumPy mode: name -> what it promotes to directly.
COVERS_NUMPY: Final[Mapping[str, str]] = {
    "bool": "int32*",
    "int32*": "int64*",
    "int64*": "uint8 int8 float32*",
    "uint8": "uint16 int16",
    "int8": "int16",
    "uint16": "uint32 int32",
    "int16": "int32",
    "uint32": "uint64 int64",
    "int32": "int64",
    "uint64": "float64*",
    "int64": "float64*",
    "float32*": "float64*",
    "float64*": "bfloat16 float16 complex128*",
    "complex128*": "complex64",
    "bfloat16": "float32",
    "float16": "float32",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex64": "complex128",
    "complex128": "",
    **dict.fromkeys(sorted(_FLOAT8), ""),
}

#: In the NumPy mode Python numbers are weak tensors; a bool still becomes a tensor of the other operand's dtype.
FLOORS_NUMPY: Final[Mapping[tuple[str, str], str | None]] = {
    **{row: dtype for row, dtype in FLOORS.items() if row[0] == "b"},
    **{("i", kind): "int32*" for kind in ("b", "u", "i", "f", "c", "")},
    **{("f", kind): "float32*" for kind in ("b", "u", "i", "f", "c", "")},
    **{("c", kind): "complex128*" for kind in ("b", "u", "i", "f", "c", "")},
}
_NUMPY_WEAK: Final = (dt.weak_int32, dt.weak_int64, dt.weak_float32, dt.weak_float64, dt.weak_complex128)

QUOTIENTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("uint8", "uint16", "int8", "int16"), "float32"),
    **dict.fromkeys(("uint32", "uint64", "int32", "int64"), "float64"),
    **dict.fromkeys(("int32*", "int64*"), "float64*"),
}

#: An operator without a row does not exist for tensors: shifts are functions of tf.bitwise.
OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "sub"), Operation("uifc", never=_FLOAT8)),
    "mul": Operation("buifc", never=_FLOAT8),
    "truediv": Operation("uifc", "quotient", never=_FLOAT8),
    **dict.fromkeys(("floordiv", "mod"), Operation("uif", never=_FLOAT8)),
    "pow": Operation("ifc", never=_FLOAT8),
    "matmul": Operation(
        "ifc",
        never=_FLOAT8 | {"int8", "int16"},
        extra=MappingProxyType({frozenset({"bfloat16", "float32"}): "float32"}),
    ),
    **dict.fromkeys(("and", "or", "xor"), Operation("bui")),
    **dict.fromkeys(("eq", "ne"), Operation("buifc", "bool", never=_FLOAT8)),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("uif", "bool", never=_FLOAT8)),
    "neg": Operation("ifc", never=_FLOAT8),
    "abs": Operation("ifc", "real part", never=_FLOAT8),
    "invert": Operation("bui"),
}

#: The functions in place of operators that tensors lack. They require tensors of the same dtype.
FUNCTIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("bitwise.left_shift", "bitwise.right_shift", "bitwise.bitwise_and"), Operation("ui")),
    "logical_and": Operation("b"),
}

#: In the NumPy mode == and all arithmetic promote; other comparisons and logical operators do not.
OPERATIONS_NUMPY: Final[Mapping[str, Operation]] = {
    **OPERATIONS,
    **{
        operation: replace(OPERATIONS[operation], promotes=False)
        for operation in ("and", "or", "xor", "ne", "lt", "le", "gt", "ge")
    },
    "pos": Operation("buifc", never=_FLOAT8),
}
_BITWISE: Final = ("and", "or", "xor")

_INSTEAD: Final = {"lshift": "tf.bitwise.left_shift(x, y)", "rshift": "tf.bitwise.right_shift(x, y)"}
DIALECT: Final = Dialect(
    "TensorFlow", "", "tf", function="tf.cast", real="tf.math.real({})", instead=MappingProxyType(_INSTEAD)
)
#: + x is an operator of the NumPy mode.
_DIALECT_PLAIN: Final = replace(DIALECT, instead=MappingProxyType({**_INSTEAD, "pos": "x"}))


class TensorFlowSystem(JoiningSystem):
    """tf.Tensor by default: tensors of two dtypes do not promote. Python numbers become tensors of the other dtype."""

    in_place = False

    def __init__(self) -> None:
        super().__init__("tensorflow", _DIALECT_PLAIN, Lattice.of(COVERS, floors=FLOORS), OPERATIONS, QUOTIENTS)

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        """tf.add: the first operand becomes a tensor first, and the others must become tensors of its dtype."""
        first, *others = operands
        if issubclass(first.dtype, dt.PythonScalar):
            first = Operand(dt.DTYPES[DEFAULTS[first.dtype.kind]])
        return self._operate("add", (first, *others)) if others else super()._promote((first,))

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        # `*` of a bool and anything is a mask: TensorFlow multiplies with `and`.
        if operation == "mul" and self._masks(operands):
            return dt.bool_
        return super()._operate(operation, self._converted(operands))

    def _converted(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """A NumPy scalar becomes a tensor of the other operand's dtype, whatever its own is."""
        tensors = [o.dtype for o in operands if o.form in (Form.ARRAY, Form.ZERO_D)]
        return tuple(replace(o, dtype=tensors[0]) if tensors and o.form is Form.SCALAR else o for o in operands)

    def _masks(self, operands: tuple[Operand, ...]) -> bool:
        """Whether a bool tensor makes a product a bool: the left operand does, and the right one beside a tensor."""
        left, right = operands
        return left.dtype is dt.bool_ or (right.dtype is dt.bool_ and not issubclass(left.dtype, dt.PythonScalar))

    def function(self, name: str, *operands: Operand) -> Verdict:
        """The dtype of tf.<name>(*operands), for the functions in place of operators."""
        if len({operand.dtype for operand in operands}) > 1:
            return reasons.no_common_dtype(self.dialect.library, operands)
        dtype = operands[0].dtype
        assert issubclass(dtype, dt.Shaped), "tensors of one dtype"
        row = FUNCTIONS[name]
        return dtype if dtype.kind in row.kinds else reasons.not_defined(self.dialect.library, name, operands, dtype)

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """Ints of 64 bits wrap to the tensor's dtype. uint64 accepts any int, except in uint64 + int. Most floats
        accept more.
        """
        if dtype.kind in "fc" and dtype not in (dt.bfloat16, dt.complex64):
            return Limits((1 - DOUBLE_LIMIT, DOUBLE_LIMIT - 1), "a Python float")
        if dtype is dt.uint64:
            return Limits.of(dt.uint64) if operation == "add" and not reflected else None
        return Limits((-(2**63), 2**63 - 1), _BITS)


_BITS: Final = "the 64 bits that TensorFlow reads"


class TensorFlowNumpySystem(TensorFlowSystem):
    """Tensors after tf.experimental.numpy.experimental_enable_numpy_behavior, in the mode "all" or "safe".

    The rules are those of operators and tf functions. tnp.add and tnp.promote_types ignore the mode: they follow
    NumPy's promote_types.
    """

    def __init__(self, name: str, lattice: Lattice) -> None:
        super(TensorFlowSystem, self).__init__(name, DIALECT, lattice, OPERATIONS_NUMPY, QUOTIENTS)

    @property
    def weak_dtypes(self) -> tuple[type[dt.Shaped], ...]:
        """The dtypes of Python numbers, and of results computed from them only."""
        return _NUMPY_WEAK

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        """tnp.result_type, which loses weakness. A single operand becomes a tensor, weak for Python numbers."""
        verdict = super(TensorFlowSystem, self)._promote(operands)
        return verdict if isinstance(verdict, str) or len(operands) == 1 else verdict.strong

    def _converted(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return operands

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """In an operation that promotes, a Python int is a weak int32."""
        row = OPERATIONS_NUMPY.get(operation)
        if dtype is dt.uint64 and operation in COMPARISONS and operation != "eq":
            return Limits((int(dt.int32.minimum), int(dt.uint64.maximum)), "TensorFlow's uint64")
        if row is None or not row.promotes or (operation == "mul" and dtype is dt.bool_):
            return super()._limits(operation, dtype, reflected=reflected)
        if dtype is dt.uint64 and operation == "add" and not reflected:
            return Limits((0, int(dt.int32.maximum)), "uint64 beside TensorFlow's weak int32")
        return Limits.of(dt.int32, ", the dtype of TensorFlow's Python ints")

    def _masks(self, operands: tuple[Operand, ...]) -> bool:
        return any(operand.dtype is dt.bool_ for operand in operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = OPERATIONS_NUMPY.get(operation)
        if row is None or row.promotes:
            return super()._operate(operation, operands)
        # Without promotion the rules are those of plain tensors, but a number on the left of & | ^ is rejected.
        reflected = issubclass(operands[0].dtype, dt.PythonScalar) and len(operands) > 1
        if reflected and operation in _BITWISE:
            return reasons.no_common_dtype(self.dialect.library, operands)
        plain = tuple(replace(o, dtype=o.dtype.strong) if issubclass(o.dtype, dt.Shaped) else o for o in operands)
        return _plain().verdict(operation, plain)


def _safe(lattice: Lattice) -> Lattice:
    """The mode "safe" rejects promotions that widen both operands or lose numbers of a strong one."""
    return replace(lattice, refused=frozenset(
        frozenset(pair)
        for pair in combinations_with_replacement(lattice.covers, 2)
        if (joined := lattice.join(pair)) and not _is_safe(dt.DTYPES[joined], *(dt.DTYPES[name] for name in pair))
    ))  # fmt: skip


def _is_safe(joined: type[dt.Shaped], *operands: type[dt.Shaped]) -> bool:
    return any(joined.strong is operand.strong for operand in operands) and all(
        operand.weak or operand.kind == "b" or holds(joined, operand) for operand in operands
    )


def _plain() -> TensorFlowSystem:
    from promo_mypy.rules.systems import get_system

    plain = get_system("tensorflow")
    assert isinstance(plain, TensorFlowSystem), "that is its name"
    return plain


def system(name: str) -> TensorFlowSystem:
    """The system of that name: "tensorflow", "tensorflow-numpy-all" or "tensorflow-numpy-safe"."""
    if name == "tensorflow":
        return TensorFlowSystem()
    lattice = Lattice.of(COVERS_NUMPY, floors=FLOORS_NUMPY)
    return TensorFlowNumpySystem(name, lattice if name == "tensorflow-numpy-all" else _safe(lattice))
