"""The one interface of all promotion systems: operands in, a dtype or a `Refusal` out."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

from promo_mypy.rules import refusals
from promo_mypy.rules.dialects import Dialect
from promo_mypy.rules.dtypes import PYTHON_SCALARS, PythonScalar, Shaped, key, parse


class Form(enum.Enum):
    """What carries the dtype: it matters where a 0-d array or a scalar yields to an n-d array."""

    ARRAY = "array"
    ZERO_D = "0-d array"
    SCALAR = "library scalar"
    PYTHON = "Python scalar"


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of an operation: an exact dtype (or the class of a Python scalar) and its form.

    A Python scalar has the form PYTHON whatever is given.
    """

    dtype: type[Shaped] | type[PythonScalar]
    form: Form = Form.ARRAY
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if issubclass(self.dtype, PythonScalar):
            object.__setattr__(self, "form", Form.PYTHON)
        # Computed once: operands are hashed for every expression that mypy checks.
        object.__setattr__(self, "_hash", hash((self.dtype, self.form)))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def of(cls, name: str, form: Form = Form.ARRAY) -> Self:
        """The operand of that name: "float32", "float32*", "py_int". Raises UnknownDtypeError."""
        return cls(PYTHON_SCALARS[name] if name in PYTHON_SCALARS else parse(name), form)

    @property
    def name(self) -> str:
        """The dtype's name, or Python's for a Python scalar: "float32", "float32*", "int"."""
        return self.dtype.name if issubclass(self.dtype, Shaped) else self.dtype.name.removeprefix("py_")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the library refuses: reason and remedy are sentences without capital and full stop, ready for a message."""

    system: str
    operation: str
    operands: tuple[Operand, ...]
    reason: str
    remedy: str


Result = type[Shaped] | Refusal


class UnknownOperationError(KeyError):
    """An operation that no table lists."""

    def __str__(self) -> str:
        return str(self.args[0])


_AUGMENTED: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip
COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
BINARY: Final = COMPARISONS.union(_AUGMENTED, {"divmod"})
UNARY: Final = frozenset({"neg", "pos", "abs", "invert"})
IN_PLACE: Final[Mapping[str, str]] = {"i" + plain: plain for plain in _AUGMENTED}
"""Augmented assignment -> the operation it performs."""


class PromotionSystem(ABC):
    """The promotion rules of one library in one setting. Answers are computed once and kept."""

    rank_matters: ClassVar[bool] = False
    """True where a 0-d operand yields to an n-d one, so that the forms ARRAY and ZERO_D give different dtypes."""
    in_place: ClassVar[bool] = True
    """False where arrays are immutable, so that `x += y` rebinds the name to a new array."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name: Final = name
        self.dialect: Final = dialect
        self._promoted: dict[tuple[Operand, ...], Result] = {}
        self._resolved: dict[tuple[str, tuple[Operand, ...]], Result] = {}

    def promote(self, *operands: Operand) -> Result:
        """The dtype that the library's own `result_type` gives for all operands together.

        Raises TypeError without operands, ValueError for a category in place of a dtype.
        """
        found = self._promoted.get(operands)
        if found is None:
            if not operands:
                raise TypeError("promote needs operands")
            found = self._promoted[operands] = self._screen("promote", operands) or self._promote(operands)
        return found

    def resolve(self, operation: str, *operands: Operand) -> Result:
        """The dtype of the result of an operator: "add", "neg", "eq", "iadd" (operand 0 is the target), ...

        divmod gives the dtype that both of its results have. Raises UnknownOperationError, TypeError for a wrong
        number of operands, ValueError for a category in place of a dtype.
        """
        question = (operation, operands)
        found = self._resolved.get(question)
        if found is None:
            found = self._resolved[question] = self._answer(operation, operands)
        return found

    def joins(self, *operands: Operand) -> bool:
        """Whether `+` is defined for the operands."""
        return not isinstance(self.resolve("add", *operands), Refusal)

    @abstractmethod
    def check_literal(self, operation: str, operand: Operand, value: int, *, reflected: bool = False) -> Refusal | None:
        """The refusal if `array <operation> value` raises because of the value of the Python int, else None.

        `reflected`: the int stands on the left. Division by zero and shift counts are not considered. None says
        nothing about the dtypes themselves: ask `resolve`, too. Source of the bounds: running the library.
        """

    @abstractmethod
    def has(self, dtype: type[Shaped]) -> bool:
        """Whether the library has arrays of this dtype that the rules know."""

    @abstractmethod
    def can_cast(self, source: type[Shaped], target: type[Shaped]) -> bool:
        """Whether the library stores a result of dtype `source` into an array of dtype `target` in place."""

    @abstractmethod
    def _promote(self, operands: tuple[Operand, ...]) -> Result: ...

    @abstractmethod
    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Result:
        """A plain operator on operands that the library has."""

    def _answer(self, operation: str, operands: tuple[Operand, ...]) -> Result:
        plain = IN_PLACE.get(operation, operation)
        arity = 1 if plain in UNARY else 2
        if plain not in BINARY and plain not in UNARY:
            raise UnknownOperationError(f"no operation is called {operation!r}")
        if len(operands) != arity:
            raise TypeError(f"{operation} takes {arity} operands, got {len(operands)}")
        if plain != operation:
            return self._update(operation, plain, operands)
        refusal = self._screen(operation, operands)
        if refusal is None and operation == "matmul":
            scalar = next((operand for operand in operands if operand.form is not Form.ARRAY), None)
            if scalar is not None:
                refusal = self._refuse(operation, operands, refusals.needs_arrays(scalar))
        return refusal or self._operate(operation, operands)

    def _update(self, operation: str, plain: str, operands: tuple[Operand, ...]) -> Result:
        """In place: computed as the plain operation, then stored if the library casts that far by itself."""
        outcome = self.resolve(plain, *operands)
        if isinstance(outcome, Refusal):
            return replace(outcome, operation=operation)
        target = operands[0].dtype
        # Scalars are immutable: Python falls back to `x = x + y`.
        if not self.in_place or operands[0].form is Form.SCALAR or issubclass(target, PythonScalar):
            return outcome
        if self.can_cast(outcome, target):
            return target
        return self._refuse(operation, operands, refusals.cannot_store(self.dialect, outcome, target))

    def _screen(self, operation: str, operands: tuple[Operand, ...]) -> Refusal | None:
        """Refuses what needs no table: dtypes that the library lacks, and arithmetic on random keys."""
        for operand in operands:
            dtype = operand.dtype
            if issubclass(dtype, PythonScalar):
                continue
            if not dtype.exact:
                raise ValueError(f"{dtype.name} is a category, not a dtype: ask resolve_sets")
            if not self.has(dtype):
                return self._refuse(operation, operands, refusals.absent(self.dialect, dtype))
            if dtype is key and not (operation in ("eq", "ne", "promote") and all(o.dtype is key for o in operands)):
                return self._refuse(operation, operands, refusals.random_key())
        return None

    def _refuse(self, operation: str, operands: tuple[Operand, ...], why: refusals.Explanation) -> Refusal:
        return Refusal(self.name, operation, operands, why.reason, why.remedy)
