"""A call with bound arguments, and the queries that rules use.

A rule that cannot answer raises `Unresolved` if a decisive argument is unknown, and `Refused` if the library
raises. Both end in `resolve_call`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NoReturn

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import (
    Argument,
    DtypeArgument,
    Items,
    Many,
    Unknown,
    Value,
    scalar_of,
)
from promo_mypy.rules.operands import Form, Operand, Verdict
from promo_mypy.rules.promotion import Number, PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons

DType = type[dt.Shaped]

#: Libraries that infer the dtype of a new array as NumPy does.
NUMPY_LIKE: Final = frozenset({"numpy", "cupy", "dask"})
#: Library -> the dtype that it uses for a Python int that the default integer cannot hold.
_LONG: Final[Mapping[str, DType]] = {**dict.fromkeys(NUMPY_LIKE, dt.uint64), "tensorflow": dt.int64}
_PYTHON: Final = {scalar.kind: scalar for scalar in dt.PYTHON_SCALARS.values()}


@lru_cache(maxsize=4096)
def _promotion(system: PromotionSystem, operands: tuple[Operand, ...]) -> Verdict:
    """The promotion without a remedy: the remedy depends on the function, too."""
    if not operands:
        raise Unresolved
    return system.verdict("promote", operands)


class Unresolved(Exception):  # noqa: N818 (it is an answer)
    """A decisive argument is unknown."""


class Refused(Exception):  # noqa: N818 (an answer, not an error)
    """The library raises. The reason is a sentence without capital and full stop."""


@record
class Call:
    """A call of a library's function under one promotion system."""

    system: PromotionSystem
    library: str
    function: str
    """Below the library's own name: "linalg.norm"."""
    bound: Mapping[str, Argument]

    def given(self, name: str) -> bool:
        """Whether the parameter has an argument other than None. Raises `Unresolved` if that is unknown."""
        argument = self._argument(name)
        if isinstance(argument, Unknown):
            raise Unresolved
        return argument != Value(None)

    def is_unknown(self, name: str) -> bool:
        """Whether the argument for the parameter is unknown."""
        return isinstance(self._argument(name), Unknown)

    def has(self, name: str) -> bool:
        """Whether the parameter certainly has an argument other than None."""
        return not self.is_unknown(name) and self.given(name)

    def value(self, name: str) -> object:
        """The literal that is passed for the parameter. Raises `Unresolved` for anything else."""
        argument = self._argument(name)
        if not isinstance(argument, Value):
            raise Unresolved
        return argument.value

    def operand(self, name: str) -> Operand:
        """The argument as an operand; a list becomes an array. Raises `Unresolved`."""
        return self.as_operand(self.bound[name])

    def operands(self, *names: str, full: bool = False, operation: str = "promote") -> tuple[Operand, ...]:
        """The arguments as operands, without None; for "*arrays", each item of the sequence.

        `full`: Python numbers count as arrays of their default dtype. Raises `Unresolved`, also if there is no operand.
        """
        given = [argument for name in names for argument in self._each(name)]
        found = tuple(map(self.as_operand, given))
        if not found:
            raise Unresolved
        if full:
            return tuple(map(self._widened, found))
        return self._by_value(given, found, operation) if self.system.examples else found

    def dtype(self, name: str) -> DType | None:
        """The dtype argument, as the library stores it; None if it is missing. Raises `Unresolved` and `Refused`."""
        if not self.given(name):
            return None
        argument = self.bound[name]
        if not isinstance(argument, DtypeArgument):
            raise Unresolved
        return self.stored(argument.dtype)

    def stored(self, dtype: DType) -> DType:
        """The dtype of an array that is requested as `dtype`; JAX narrows it while x64 is off. Raises `Refused`."""
        return self.promoted(Operand(dtype))

    def default(self, kind: str) -> DType:
        """The dtype of an array that the library makes from a Python number of that kind: never weak."""
        return self.promoted(Operand(_PYTHON[kind])).strong

    def promoted(self, *operands: Operand) -> DType:
        """The dtype that the operands promote to: the library's result_type. Raises `Refused`; `Unresolved` without
        operands.
        """
        return self.dtype_of(_promotion(self.system, operands))

    def dtype_of(self, verdict: Verdict) -> DType:
        """The dtype of a verdict. Raises `Refused`."""
        if isinstance(verdict, str):
            raise Refused(verdict)
        return verdict

    def refuse(self, dtype: DType, *operands: Operand) -> NoReturn:
        """The library does not define the function for the dtype of the operands, or for the dtype that they promote
        to.
        """
        library = self.system.dialect.library
        raise Refused(reasons.not_defined(library, self.function, operands or (Operand(dtype),), dtype))

    def as_operand(self, argument: Argument) -> Operand:
        """An argument as an operand. Raises `Unresolved` if it is not an array, `Refused` if no array can be made of
        it.
        """
        match argument:
            case Operand():
                return argument
            case Value(value):
                scalar = scalar_of(value)
                if scalar is not None:
                    return scalar
            case Items() | Many():
                return Operand(self.inferred(argument))
        raise Unresolved

    def inferred(self, argument: Argument) -> DType:
        """The dtype of an array made from nested sequences of numbers and arrays. Raises `Unresolved` and `Refused`.

        NumPy converts the numbers to arrays first: a float beside a float32 array is float64. PyTorch does the same
        with its default dtypes, and a 0-d array counts as any other. In other libraries the numbers promote
        as Python numbers, and the result is strong.
        """
        leaves = tuple(self.leaves(argument))
        if not leaves:
            return self.default("f")
        if self.library not in NUMPY_LIKE:
            # Numbers without arrays take the highest of their kinds, even if arrays of those kinds do not promote.
            if all(issubclass(leaf.dtype, dt.PythonScalar) for leaf in leaves):
                return self.default(max((leaf.dtype.kind for leaf in leaves), key="bifc".index))
            if self.library == "torch":
                return self.promoted(*dict.fromkeys(Operand(self._widened(leaf).dtype) for leaf in leaves))
            return self.promoted(*dict.fromkeys(leaves)).strong
        joined = _promotion(self.system, tuple(dict.fromkeys(map(self._widened, leaves))))
        if isinstance(joined, str):  # NumPy makes an array of Python objects, which the rules do not have
            raise Unresolved
        return joined

    def number(self, value: object) -> Operand | None:
        """The array that a Python number becomes; None for anything else. Raises `Unresolved` and `Refused`.

        Some libraries store a long int in another dtype. NumPy stores longer ones as Python objects.
        """
        if type(value) is int and not _fits(value, self.default("i")):
            longer = _LONG.get(self.library, self.default("i"))
            if _fits(value, longer):
                return Operand(longer)
            if self.library in NUMPY_LIKE:
                raise Unresolved
            raise Refused(reasons.out_of_range(value, longer.name, (int(longer.minimum), int(longer.maximum))))
        return scalar_of(value)

    def leaves(self, argument: Argument) -> Iterator[Operand]:
        """The numbers and arrays in nested sequences. Raises `Unresolved` and `Refused`."""
        match argument:
            case Items(items):
                for item in items:
                    yield from self.leaves(item)
            case Many(item):
                yield from self.leaves(item)
            case Value(value) if (number := self.number(value)) is not None:
                yield number
            case _:
                yield self.as_operand(argument)

    def _argument(self, name: str) -> Argument:
        """The argument; None if the row has no such parameter. A row may share the rule of another library."""
        return self.bound.get(name, Value(None))

    def _by_value(
        self, given: Sequence[Argument], operands: tuple[Operand, ...], operation: str
    ) -> tuple[Operand, ...]:
        """The operands, with Python numbers as their values count beside the arrays."""
        arrays = tuple(dict.fromkeys(operand for operand in operands if operand.form is Form.ARRAY))
        if not arrays or not any(isinstance(argument, Value) for argument in given):
            return operands
        beside = Operand(self.promoted(*arrays)) if len(arrays) > 1 else arrays[0]
        return tuple(self._counted(*each, beside, operation) for each in zip(given, operands, strict=True))

    def _counted(self, argument: Argument, operand: Operand, beside: Operand, operation: str) -> Operand:
        """A number as its value counts. One of unknown value counts as one that the arrays' dtype holds."""
        if not issubclass(operand.dtype, dt.PythonScalar) or not isinstance(argument, Value):
            return operand
        value = argument.value
        return self.system.literal_operand(beside, value, operation) if isinstance(value, Number) else operand

    def _each(self, name: str) -> Iterator[Argument]:
        argument = self.bound[name.removeprefix("*")]
        if name.startswith("*") and isinstance(argument, Items | Many):
            for item in argument.items if isinstance(argument, Items) else (argument.item,):
                if not (isinstance(item, Value) and isinstance(item.value, str)):  # a pattern among the arrays
                    yield item
        elif argument != Value(None):
            yield argument

    def _widened(self, operand: Operand) -> Operand:
        if issubclass(operand.dtype, dt.PythonScalar):
            return Operand(self.default(operand.dtype.kind))
        return operand


def _fits(value: int, dtype: DType) -> bool:
    return dtype.minimum <= value <= dtype.maximum
