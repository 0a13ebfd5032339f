"""The interface of all promotion systems: they turn operands into a dtype or a `Refusal`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, Self

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.dtypes import DTYPES, ORDINARY, PYTHON_SCALARS, PythonScalar, Shaped, key, py_int
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Refusal, Result, Verdict
from promo_mypy.rules.operations import BINARY, IN_PLACE, UNARY
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect

Number = int | float | complex

#: The first Python int that cannot become a C double: it would round to 2**1024.
DOUBLE_LIMIT: Final = 2**1024 - 2**970

#: The operations that PRNG keys support, with other keys.
_OF_KEYS: Final = frozenset({"eq", "ne", "pos", "promote"})


class UnknownOperationError(KeyError):
    """The name of an unknown operation."""

    def __str__(self) -> str:
        return str(self.args[0])


@record
class Limits:
    """The values that a Python int may have: a range; and a sign, for exponents of integers."""

    range: tuple[int, int] | None
    what: str = ""
    """The name of the range in a message."""
    negative: bool = True

    @classmethod
    def of(cls, dtype: type[Shaped], purpose: str = "", *, negative: bool = True) -> Self:
        """The range of an integer dtype, or of a float dtype in whole numbers. Messages add `purpose` to its name."""
        return cls((int(dtype.minimum), int(dtype.maximum)), f"{dtype.name}{purpose}", negative)


class PromotionSystem(ABC):
    """The promotion rules of one library in one configuration. Answers are cached."""

    examples: Mapping[type[PythonScalar], tuple[Number, ...]] = MappingProxyType({})
    """Values of Python numbers, if the dtype depends on the value: other values give no other dtype."""
    rank_matters: bool = False
    """True if a 0-d operand yields to an n-d one, so that the forms ARRAY and ZERO_D give different dtypes."""
    rank_operations: frozenset[str] = frozenset()
    """The plain operations whose dtype depends on ranks although promotion does not."""
    in_place: bool = True
    """False if arrays are immutable, so that `x += y` rebinds the name to a new array."""
    rebound: frozenset[str] = frozenset()
    """In-place operations that mutable arrays lack, so that Python rebinds the name."""

    def __init__(self, name: str, dialect: Dialect, lattice: Lattice | None = None) -> None:
        """`lattice`: the order in which arrays join, if there is one."""
        self.name: Final = name
        self.dialect: Final = dialect
        self.lattice: Final = lattice
        self._promoted: dict[tuple[Operand, ...], Result] = {}
        self._resolved: dict[tuple[str, tuple[Operand, ...]], Result] = {}

    @property
    def base(self) -> "PromotionSystem | None":
        """The system that this one changes the lattice of, if any."""
        return None

    @property
    def weak_dtypes(self) -> tuple[type[Shaped], ...]:
        """The dtypes of the library's weak arrays; empty if only Python scalars are weak."""
        return ()

    @property
    def dtypes(self) -> tuple[type[Shaped], ...]:
        """The ordinary dtypes that the library has, in promotion order, and its weak ones."""
        return (*(dtype for dtype in ORDINARY if self.has(dtype)), *self.weak_dtypes)

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The rows and columns of a table: the dtypes, and Python numbers if no array is weak."""
        scalars = () if self.weak_dtypes else (PYTHON_SCALARS[f"py_{name}"] for name in ("int", "float", "complex"))
        return tuple(Operand(dtype) for dtype in (*self.dtypes, *scalars))

    @property
    def covers(self) -> Mapping[str, tuple[str, ...]] | None:
        """Node of the lattice -> the nodes directly above it, from the bottom up; None without a lattice."""
        return None if self.lattice is None else self.lattice.order.covers

    @property
    def is_lattice(self) -> bool:
        """Whether promotion is a join in an order in which every pair that joins has one least upper bound."""
        return self.lattice is not None and self.lattice.is_lattice

    def rank_decides(self, operation: str) -> bool:
        """Whether the operation may give another dtype for 0-d operands than for n-d ones."""
        return self.rank_matters or IN_PLACE.get(operation, operation) in self.rank_operations

    def node_of(self, dtype: type[Shaped]) -> str:
        """The node of the lattice for an array of that dtype: "i*" for a weak integer of any width."""
        known = self.lattice is None or dtype.name in self.lattice.covers
        return dtype.name if known or not dtype.weak else f"{dtype.kind}*"

    def dtype_of(self, node: str) -> type[Shaped]:
        """The dtype of a node; "i*", "f*" and "c*" stand for the library's weak dtype, or 64 (complex: 128) bits."""
        if node in DTYPES:
            return DTYPES[node]
        weak = (dtype for dtype in self.weak_dtypes if dtype.kind == node[0])
        return next(weak, DTYPES[{"i": "int64", "f": "float64", "c": "complex128"}[node[0]]])

    def promote(self, *operands: Operand) -> Result:
        """The dtype that the library's own `result_type` gives for all operands together.

        Raises TypeError without operands, ValueError for a category in place of a dtype.
        """
        found = self._promoted.get(operands)
        if found is None:
            if not operands:
                raise TypeError("promote needs operands")
            found = self._promoted[operands] = self._answer("promote", operands)
        return found

    def resolve(self, operation: str, *operands: Operand) -> Result:
        """The dtype of the result of an operator: "add", "neg", "eq", "iadd" (operand 0 is the target), ...

        For divmod, it is the dtype of both results. Raises UnknownOperationError, TypeError for a wrong
        number of operands, ValueError for a category in place of a dtype.
        """
        question = (operation, operands)
        found = self._resolved.get(question)
        if found is None:
            plain = IN_PLACE.get(operation, operation)
            if plain not in BINARY and plain not in UNARY:
                raise UnknownOperationError(f"no operation is called {operation!r}")
            if len(operands) != (2 if plain in BINARY else 1):
                raise TypeError(f"{operation} takes {2 if plain in BINARY else 1} operands, got {len(operands)}")
            found = self._resolved[question] = self._answer(operation, operands)
        return found

    def verdict(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        """The dtype that an operator or "promote" gives, or the reason why the library raises. Not cached."""
        reason = self._screen(operation, operands)
        if reason is not None:
            return reason
        if operation == "promote":
            return self._promote(operands)
        if operation not in IN_PLACE:
            return self._operate(operation, operands)
        # In place: compute the plain operation, then store the result if the library allows that cast.
        result = self.verdict(IN_PLACE[operation], operands)
        target = operands[0].dtype
        # Scalars are immutable: Python falls back to `x = x + y`.
        immutable = not self.in_place or operands[0].form is Form.SCALAR or issubclass(target, PythonScalar)
        rebinds = immutable or operation in self.rebound
        if isinstance(result, str) or rebinds:
            return result
        assert issubclass(target, Shaped), "a Python scalar rebinds"
        return target if self.can_cast(result, target) else reasons.cannot_store(self.dialect.library, result, target)

    def check_literal(self, operation: str, operand: Operand, value: int, *, reflected: bool = False) -> Refusal | None:
        """The refusal if `array <operation> value` raises because of the value of the Python int, else None.

        `reflected`: the int stands on the left. Division by zero and shift counts are not checked. None does
        not mean that the dtypes are compatible: call `resolve`, too. Source of the bounds: running the library.
        """
        plain = IN_PLACE.get(operation, operation)
        dtype = operand.dtype
        if issubclass(dtype, PythonScalar) or plain not in BINARY or plain == "matmul" or not self.has(dtype):
            return None
        limits = self._limits(plain, dtype, reflected=reflected)
        if limits is None:
            return None
        if value < 0 and not limits.negative:
            reason = reasons.negative_power(self.dialect.library, value)
            from promo_mypy.rules.wording.value_remedies import negative_power_remedy

            advice = negative_power_remedy(self.dialect)
        elif limits.range is not None and not limits.range[0] <= value <= limits.range[1]:
            reason = reasons.out_of_range(value, limits.what, limits.range)
            from promo_mypy.rules.wording.value_remedies import literal_remedy

            place = None if operation in IN_PLACE else int(reflected)  # the target of an assignment is no value
            advice = literal_remedy(self.dialect, dtype, value, limits.range[1], place)
        else:
            return None
        literal = Operand(py_int)
        return Refusal(self.name, operation, (literal, operand) if reflected else (operand, literal), reason, advice)

    def resolve_literal(
        self, operation: str, operand: Operand, value: Number, *, reflected: bool = False, function: bool = False
    ) -> Result:
        """The dtype of `array <operation> value` for the value of a Python number, or the refusal.

        `function`: of the library's function for the operation, such as np.power, instead. The value affects the dtype
        only in numpy-legacy, and in the powers of NumPy's bools, where only the operator squares.
        """
        refused = self.check_literal(operation, operand, value, reflected=reflected) if isinstance(value, int) else None
        plain = IN_PLACE.get(operation, operation)
        if function:
            literal = self.literal_operand(operand, value, plain)
        else:
            literal = self.operator_literal(plain, operand, value, reflected=reflected)
        return refused or self.resolve(operation, *((literal, operand) if reflected else (operand, literal)))

    def literal_operand(self, operand: Operand, value: Number, operation: str = "promote") -> Operand:  # noqa: ARG002 (the interface)
        """What a Python number of that value counts as beside an operand of a plain operation."""
        return Operand.of(f"py_{type(value).__name__}")

    def operator_literal(self, operation: str, operand: Operand, value: Number, *, reflected: bool) -> Operand:  # noqa: ARG002 (the interface)
        """What a Python number counts as in `array <operation> value`; `reflected`: in `value <operation> array`."""
        return self.literal_operand(operand, value, operation)

    def examples_of(self, operation: str) -> Mapping[type[PythonScalar], tuple[Number, ...]]:  # noqa: ARG002 (the interface)
        """The examples of Python numbers for an operator."""
        return self.examples

    @abstractmethod
    def has(self, dtype: type[Shaped]) -> bool:
        """Whether the library has arrays of this dtype."""

    @abstractmethod
    def can_cast(self, source: type[Shaped], target: type[Shaped]) -> bool:
        """Whether the library stores a result of dtype `source` into an array of dtype `target` in place."""

    def casts(self, source: type[Shaped], target: type[Shaped], casting: object) -> bool:
        """Whether a call with `casting=` casts so. Only NumPy and its relatives have the argument."""
        match casting:
            case "no" | "equiv":
                return source is target
            case "unsafe":
                return True
            case _:
                return self.can_cast(source, target)

    @abstractmethod
    def _limits(self, operation: str, dtype: type[Shaped], *, reflected: bool) -> Limits | None:
        """The values that a Python int may have beside an array of `dtype`; None if there is no limit."""

    @abstractmethod
    def _promote(self, operands: tuple[Operand, ...]) -> Verdict: ...

    @abstractmethod
    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        """A plain operator on operands of dtypes that the library has."""

    def _answer(self, operation: str, operands: tuple[Operand, ...]) -> Result:
        verdict = self.verdict(operation, operands)
        if not isinstance(verdict, str):
            return verdict
        return Refusal(self.name, operation, operands, verdict, partial(_remedy, self, operation, operands))

    def _screen(self, operation: str, operands: tuple[Operand, ...]) -> str | None:
        """The reason of errors that need no table: missing dtypes, arithmetic on keys, scalars beside @."""
        for operand in operands:
            dtype = operand.dtype
            if operation == "matmul" and operand.form is not Form.ARRAY:
                return reasons.scalar_in_matmul(operand)
            if issubclass(dtype, PythonScalar):
                continue
            if not dtype.exact:
                raise ValueError(f"{dtype.name} is a category, not a dtype: ask resolve_sets")
            if not self.has(dtype):
                return reasons.absent(self.dialect.library, dtype)
            if dtype is key and not (operation in _OF_KEYS and all(o.dtype is key for o in operands)):
                return reasons.random_key()
        return None


def _remedy(system: PromotionSystem, operation: str, operands: tuple[Operand, ...]) -> Remedy:
    from promo_mypy.rules.wording.remedies import remedy  # few programs have mistakes

    return remedy(system, operation, operands)
