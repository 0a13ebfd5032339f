"""The one interface of all promotion systems: operands in, a dtype or a `Refusal` out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Final, Self

from promo_mypy.rules.dtypes import DTYPES, ORDINARY, PYTHON_SCALARS, PythonScalar, Shaped, key, py_int
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Form, Operand, Refusal, Result, Verdict
from promo_mypy.rules.operations import BINARY, IN_PLACE, UNARY
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect
from promo_mypy.rules.wording.remedies import literal_remedy, negative_power_remedy, remedy

#: Python ints at and beyond this cannot become a C double: they would round to 2**1024.
DOUBLE_LIMIT: Final = 2**1024 - 2**970

#: What a random key takes part in, with other keys.
_OF_KEYS: Final = frozenset({"eq", "ne", "pos", "promote"})


class UnknownOperationError(KeyError):
    """An operation that no table lists."""

    def __str__(self) -> str:
        return str(self.args[0])


@record
class Limits:
    """The values that a Python int may have: a range, and for the exponents of integers a sign."""

    range: tuple[int, int] | None
    what: str = ""
    """What has this range, for a message."""
    negative: bool = True

    @classmethod
    def of(cls, dtype: type[Shaped], purpose: str = "", *, negative: bool = True) -> Self:
        """The range of an integer dtype, or of a float dtype in whole numbers; `purpose` follows its name."""
        return cls((int(dtype.minimum), int(dtype.maximum)), f"{dtype.name}{purpose}", negative)


class PromotionSystem(ABC):
    """The promotion rules of one library in one setting. Answers are computed once and kept."""

    rank_matters: bool = False
    """True where a 0-d operand yields to an n-d one, so that the forms ARRAY and ZERO_D give different dtypes."""
    rank_operations: frozenset[str] = frozenset()
    """The plain operations that look at ranks where promotion does not."""
    in_place: bool = True
    """False where arrays are immutable, so that `x += y` rebinds the name to a new array."""
    rebound: frozenset[str] = frozenset()
    """In-place operations that arrays do not have where they are mutable, so that Python rebinds the name."""

    def __init__(self, name: str, dialect: Dialect, lattice: Lattice | None = None) -> None:
        """`lattice`: the order that arrays join in, where one describes it."""
        self.name: Final = name
        self.dialect: Final = dialect
        self.lattice: Final = lattice
        self._promoted: dict[tuple[Operand, ...], Result] = {}
        self._resolved: dict[tuple[str, tuple[Operand, ...]], Result] = {}

    @property
    def base(self) -> "PromotionSystem | None":
        """The system that this one is on another lattice, if it is that."""
        return None

    @property
    def weak_dtypes(self) -> tuple[type[Shaped], ...]:
        """The dtypes of the library's weak arrays; none where only Python's scalars are weak."""
        return ()

    @property
    def dtypes(self) -> tuple[type[Shaped], ...]:
        """The ordinary dtypes that the library has, in promotion order, and its weak ones."""
        return (*(dtype for dtype in ORDINARY if self.has(dtype)), *self.weak_dtypes)

    @property
    def operands(self) -> tuple[Operand, ...]:
        """What a table has rows and columns for: the dtypes, and Python's numbers where no array is weak."""
        scalars = () if self.weak_dtypes else (PYTHON_SCALARS[f"py_{name}"] for name in ("int", "float", "complex"))
        return tuple(Operand(dtype) for dtype in (*self.dtypes, *scalars))

    @property
    def covers(self) -> Mapping[str, tuple[str, ...]] | None:
        """Node of the lattice -> the nodes directly above it, from the bottom up; None without a lattice."""
        return None if self.lattice is None else self.lattice.order.covers

    @property
    def is_lattice(self) -> bool:
        """Whether promotion is a join in an order where every pair that joins has one least upper bound."""
        return self.lattice is not None and self.lattice.is_lattice

    def rank_decides(self, operation: str) -> bool:
        """Whether an operation may give another dtype for 0-d operands than for n-d ones."""
        return self.rank_matters or IN_PLACE.get(operation, operation) in self.rank_operations

    def node_of(self, dtype: type[Shaped]) -> str:
        """The node of the lattice that an array of that dtype stands on: "i*" for a weak integer of any width."""
        known = self.lattice is None or dtype.name in self.lattice.covers
        return dtype.name if known or not dtype.weak else f"{dtype.kind}*"

    def dtype_of(self, node: str) -> type[Shaped]:
        """The dtype of a node; that of "i*", "f*", "c*" is the library's weak one, or 64 bits wide (complex: 128)."""
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

        divmod gives the dtype that both of its results have. Raises UnknownOperationError, TypeError for a wrong
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
        """The dtype that an operator or "promote" gives, or the reason why the library refuses. Not kept."""
        reason = self._screen(operation, operands)
        if reason is not None:
            return reason
        if operation == "promote":
            return self._promote(operands)
        if operation not in IN_PLACE:
            return self._operate(operation, operands)
        # In place: computed as the plain operation, then stored if the library casts that far by itself.
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

        `reflected`: the int stands on the left. Division by zero and shift counts are not considered. None says
        nothing about the dtypes themselves: ask `resolve`, too. Source of the bounds: running the library.
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
            told = negative_power_remedy(self.dialect)
        elif limits.range is not None and not limits.range[0] <= value <= limits.range[1]:
            reason = reasons.out_of_range(value, limits.what, limits.range)
            told = literal_remedy(self.dialect, dtype, value, limits.range[1])
        else:
            return None
        literal = Operand(py_int)
        return Refusal(self.name, operation, (literal, operand) if reflected else (operand, literal), reason, told)

    def resolve_literal(self, operation: str, operand: Operand, value: int, *, reflected: bool = False) -> Result:
        """The dtype of `array <operation> value` for the value of a Python int, or the refusal.

        Only in numpy-legacy does the value choose among dtypes.
        """
        refused = self.check_literal(operation, operand, value, reflected=reflected)
        operands = (Operand(py_int), operand) if reflected else (operand, Operand(py_int))
        return refused or self.resolve(operation, *operands)

    @abstractmethod
    def has(self, dtype: type[Shaped]) -> bool:
        """Whether the library has arrays of this dtype that the rules know."""

    @abstractmethod
    def can_cast(self, source: type[Shaped], target: type[Shaped]) -> bool:
        """Whether the library stores a result of dtype `source` into an array of dtype `target` in place."""

    @abstractmethod
    def _limits(self, operation: str, dtype: type[Shaped], *, reflected: bool) -> Limits | None:
        """The values that a Python int may have beside an array of `dtype`; None if any will do."""

    @abstractmethod
    def _promote(self, operands: tuple[Operand, ...]) -> Verdict: ...

    @abstractmethod
    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        """A plain operator on operands that the library has."""

    def _answer(self, operation: str, operands: tuple[Operand, ...]) -> Result:
        verdict = self.verdict(operation, operands)
        if not isinstance(verdict, str):
            return verdict
        return Refusal(self.name, operation, operands, verdict, partial(remedy, self, operation, operands))

    def _screen(self, operation: str, operands: tuple[Operand, ...]) -> str | None:
        """The reason to refuse what needs no table: absent dtypes, arithmetic on keys, scalars beside @."""
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
