"""NumPy's promotion (2.x, NEP 50) with the extension dtypes of ml_dtypes.

There are two rules. `promote` is np.result_type. An operator uses a loop of its ufunc: the first one, in
a fixed order, to which every operand casts safely. For the dtypes of ml_dtypes the two rules disagree.
Source: running NumPy 2.4 with ml_dtypes 0.6.
"""

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final, Literal

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Verdict
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import DOUBLE_LIMIT, Limits, Number, PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import numpy_extensions as ext
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect

#: NumPy's own dtypes: name -> the nearest ones to which it casts safely. The rows are also the order of the loops.
COVERS: Final[Mapping[str, str]] = {
    "bool": "int8 uint8",
    "int8": "int16 float16",
    "uint8": "int16 uint16 float16",
    "int16": "int32 float32",
    "uint16": "int32 uint32 float32",
    "int32": "int64",
    "uint32": "int64 uint64",
    "int64": "float64",
    "uint64": "float64",
    "float16": "float32",
    "float32": "float64 complex64",
    "float64": "float128 complex128",
    "float128": "complex256",
    "complex64": "complex128",
    "complex128": "complex256",
    "complex256": "",
}


@record
class Ufunc:
    """The loops that an operator has: kinds of NumPy's dtypes, and extension dtypes."""

    kinds: str
    extensions: frozenset[str] = frozenset()
    gives: Literal["loop", "bool", "real part"] = "loop"
    refuses_bool: bool = False
    """Whether the bool loop only raises."""
    integers_as: str | None = None
    """The loop that NumPy's bool and integers take instead."""


_EXTENSIONS: Final = frozenset(ext.CASTS)

OPERATIONS: Final[Mapping[str, Ufunc]] = {
    **dict.fromkeys(("add", "mul"), Ufunc("buifc", _EXTENSIONS)),
    "sub": Ufunc("buifc", _EXTENSIONS, refuses_bool=True),
    "truediv": Ufunc("fc", ext.INEXACT, integers_as="float64"),
    **dict.fromkeys(("floordiv", "mod"), Ufunc("uif", _EXTENSIONS - ext.COMPLEX)),
    "divmod": Ufunc("uif", ext.FLOATS),
    "pow": Ufunc("uifc", ext.INEXACT),
    "matmul": Ufunc("buifc"),
    **dict.fromkeys(("and", "or", "xor"), Ufunc("bui")),
    **dict.fromkeys(("lshift", "rshift"), Ufunc("ui")),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), Ufunc("buifc", _EXTENSIONS, "bool")),
    **dict.fromkeys(("neg", "pos"), Ufunc("buifc", ext.INEXACT, refuses_bool=True)),
    "abs": Ufunc("buifc", ext.INEXACT, "real part"),
    "invert": Ufunc("bui"),
}

#: (kind of the Python scalar, kind of the other operand, e for extensions) -> the dtype the scalar counts as;
#: "" is the other operand's own.
STAND_INS: Final[Mapping[tuple[str, str], str]] = {
    **{("b", kind): "bool" for kind in "buifce"},
    ("i", "b"): "int64",
    **{("i", kind): "" for kind in "uifc"},
    ("i", "e"): "int8",
    **{("f", kind): "float64" for kind in "bui"},
    **{("f", kind): "" for kind in "fc"},
    ("f", "e"): "float16",
    **{("c", kind): "complex128" for kind in "bui"},
    ("c", "f"): "complex64",
    ("c", "c"): "",
    ("c", "e"): "complex64",
}
#: result_type treats Python numbers beside extension dtypes differently from ufuncs; rows by name come first.
PROMOTE_STAND_INS: Final = {
    **STAND_INS,
    ("i", "e"): "",
    ("f", "e"): "float64",
    **{("i", name): "uint8" if name.startswith("u") else "int8" for name in ext.INTEGERS},
    **{("f", name): "float16" for name in (*ext.INTEGERS, "float8_e5m2")},
}

#: A Python scalar without an array.
DEFAULTS: Final = {"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}

#: The same for the order of NumPy's own dtypes; "" means no dtype beside the scalar.
FLOORS: Final = {
    **{row: dtype for row, dtype in STAND_INS.items() if "e" not in row},
    **{(kind, ""): dtype for kind, dtype in DEFAULTS.items()},
}

#: Exponents of an array of bools that give different dtypes.
_EXPONENTS: Final[Mapping[type[dt.PythonScalar], tuple[Number, ...]]] = MappingProxyType({dt.py_int: (0, 2)})

#: Same-kind casts go from left to right, or stay within a kind.
_KINDS: Final = "buifc"

DIALECT: Final = Dialect(
    "NumPy",
    "astype",
    "np",
    MappingProxyType(
        {"bool": "np.bool_", "float128": "np.longdouble", "complex256": "np.clongdouble"}
        | {name: f"ml_dtypes.{name}" for name in ext.CASTS}
    ),
)


class NumpySystem(PromotionSystem):
    """NumPy 2: scalars, 0-d and n-d arrays promote alike; only Python's scalars are weak."""

    squares: tuple[type[Number], ...] = (int,)
    """The classes of the number 2 by which `bools ** 2` is np.square, an int8. np.power gives an int64."""

    def __init__(self, name: str = "numpy", dialect: Dialect = DIALECT) -> None:
        lattice = Lattice.of(COVERS, floors=FLOORS)
        super().__init__(name, dialect, lattice)
        self.order: Final = lattice.order
        self._safe: Final = self._safe_casts()

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """NumPy's dtypes, longdouble as on x86, and those of ml_dtypes; nothing weak."""
        return dtype.name in self._safe

    def casts_safely(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
        """np.can_cast(source, target)."""
        return target.name in self._safe[source.name]

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
        """np.can_cast(source, target, casting="same_kind"): the rule for in-place operations and `out=`."""
        if self.casts_safely(source, target):
            return True
        if {source.name, target.name} & ext.COMPLEX:  # they have a kind of their own
            return False
        if target.name in ext.OPAQUE:
            return (source.name, target.name) not in ext.NEVER_SAME_KIND and (
                source.name not in ext.OPAQUE or source.itemsize != target.itemsize
            )
        return source.name not in ext.OPAQUE and _KINDS.index(source.kind) <= _KINDS.index(target.kind)

    def casts(self, source: type[dt.Shaped], target: type[dt.Shaped], casting: object) -> bool:
        """np.can_cast(source, target, casting)."""
        return self.casts_safely(source, target) if casting == "safe" else super().casts(source, target, casting)

    def operator_literal(self, operation: str, operand: Operand, value: Number, *, reflected: bool) -> Operand:
        """The number. The exponent 2 beside an array of bools counts as the int8 of the square."""
        is_base = operation == "pow" and not reflected and operand.dtype is dt.bool_ and operand.form is not Form.SCALAR
        if is_base and value == 2 and isinstance(value, self.squares):
            return Operand(dt.int8)
        return super().operator_literal(operation, operand, value, reflected=reflected)

    def examples_of(self, operation: str) -> Mapping[type[dt.PythonScalar], tuple[Number, ...]]:
        """Powers of bools depend on the value of the exponent."""
        return _EXPONENTS if operation == "pow" and self.squares else self.examples

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """The int must fit the dtype that it is converted to; comparisons with NumPy's integers are exact."""
        if dtype.name in ext.FLOATS:
            return Limits.of(dt.int64, f", which NumPy converts it to beside {dtype.name}")
        if dtype.kind in "fc" or operation == "truediv":
            if dtype is dt.float128:  # accepts any int
                return None
            return Limits((1 - DOUBLE_LIMIT, DOUBLE_LIMIT - 1), "a Python float")
        if operation in COMPARISONS and dtype.kind != "b" and dtype.name not in ext.INTEGERS:
            return None
        counts_as = dt.DTYPES[self._counts_as("i", dtype.name, STAND_INS)]
        return Limits.of(counts_as, negative=operation != "pow" or reflected)

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        names = self._stand_in(operands, PROMOTE_STAND_INS)
        joined = None if names is None else self._join(names)
        if joined is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        return dt.DTYPES[joined]

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        return self._call(operation, OPERATIONS[operation], operands)

    def _call(self, operation: str, row: Ufunc, operands: tuple[Operand, ...]) -> Verdict:
        names = self._stand_in(operands, STAND_INS)
        assert names is not None, "a pair with one array always has stand-ins"
        loop = self._loop(row, names)
        if loop is None:
            dtype = dt.DTYPES[self._loop(OPERATIONS["add"], names) or names[0]]
            return reasons.not_defined(self.dialect.library, operation, operands, dtype)
        if row.refuses_bool and loop == "bool":
            return reasons.not_defined(self.dialect.library, operation, operands, dt.bool_)
        dtype = dt.DTYPES[loop]
        if row.gives == "bool":
            return dt.bool_
        return dt.REAL_PARTS.get(dtype, dtype) if row.gives == "real part" else dtype

    def _loop(self, row: Ufunc, names: tuple[str, ...]) -> str | None:
        """The loop of the ufunc: first those of the extension operands from left to right, then NumPy's in order."""
        if row.integers_as and all(self._kind(name) in "bui" for name in names):
            return row.integers_as
        extensions = (name for name in names if name in row.extensions)
        own = (name for name in self.order.rows if dt.DTYPES[name].kind in row.kinds)
        return next((loop for loop in (*extensions, *own) if all(loop in self._safe[n] for n in names)), None)

    def _join(self, names: tuple[str, ...]) -> str | None:
        """np.result_type of dtypes: the join of all NumPy dtypes at once, but pair by pair with an extension.

        An extension promotes only to the dtype of an operand; a pair fails if neither casts safely to the other.
        """
        if any(self._pair(one, other) is None for one, other in combinations(names, 2)):
            return None
        for name in ext.CASTS:
            if name in names and all(name in self._safe[other] for other in names):
                return name
        own = [ext.PROMOTE_AS.get(name, name) for name in names]
        return self.order.join([name for name in own if name in self.order.above])

    def _pair(self, one: str, other: str) -> str | None:
        both = {one, other}
        if not both & ext.CASTS.keys():
            return self.order.join(both)
        for name in (*ext.CASTS, *self.order.rows):
            if name in both and all(name in self._safe[n] for n in both):
                return name
        stand_ins = [ext.PROMOTE_AS.get(name, name) for name in both]
        return self.order.join(stand_ins) if all(name in self.order.above for name in stand_ins) else None

    def _stand_in(self, operands: tuple[Operand, ...], table: Mapping[tuple[str, str], str]) -> tuple[str, ...] | None:
        """The names of the operands' dtypes, with a dtype for each Python scalar; None if the arrays do not join."""
        scalars = [operand.dtype for operand in operands if issubclass(operand.dtype, dt.PythonScalar)]
        arrays = tuple(operand.dtype.name for operand in operands if not issubclass(operand.dtype, dt.PythonScalar))
        if not scalars:
            return arrays
        if not arrays:
            return tuple(DEFAULTS[scalar.kind] for scalar in scalars)
        joined = arrays[0] if len(set(arrays)) == 1 else self._join(arrays)
        if joined is None:
            return None
        # The order of the operands counts: the loop of the first extension wins.
        return tuple(
            self._counts_as(operand.dtype.kind, joined, table)
            if issubclass(operand.dtype, dt.PythonScalar)
            else operand.dtype.name
            for operand in operands
        )

    def _counts_as(self, scalar: str, name: str, table: Mapping[tuple[str, str], str]) -> str:
        """The dtype that a Python scalar of that kind counts as beside the dtype `name`."""
        row = (scalar, name) if (scalar, name) in table else (scalar, self._kind(name))
        return table[row] or name

    @staticmethod
    def _kind(name: str) -> str:
        return "e" if name in ext.CASTS else dt.DTYPES[name].kind

    def _safe_casts(self) -> Mapping[str, frozenset[str]]:
        casts = {name: above | ext.CAST_INTO.get(name, frozenset()) for name, above in self.order.above.items()}
        for name, (extensions, own) in ext.CASTS.items():
            casts[name] = frozenset({name, *extensions.split()}).union(*(self.order.above[row] for row in own.split()))
        return casts


def system(name: str) -> NumpySystem:
    """NumPy 2, under one of its names."""
    return NumpySystem(name)
