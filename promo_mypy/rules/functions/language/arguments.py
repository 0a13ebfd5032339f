"""The arguments of a call as pure data: operands, dtypes, literals, and list or tuple displays of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Self

from promo_mypy.rules.dtypes import PythonScalar, Shaped, parse, py_bool, py_complex, py_float, py_int
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.ranks import RankFacts
from promo_mypy.rules.records import record


@record
class DtypeArgument:
    """A dtype passed as an argument: `np.float32`, `"f4"`, `x.dtype`."""

    dtype: type[Shaped]

    @classmethod
    def of(cls, name: str) -> Self:
        """The dtype of that name. Raises UnknownDtypeError."""
        return cls(parse(name))


@record
class Value:
    """A literal: a Python number, a string, None."""

    value: bool | int | float | complex | str | None

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __eq__(self, other: object) -> bool:
        """True and 1 are different arguments."""
        return isinstance(other, Value) and type(self.value) is type(other.value) and self.value == other.value


@record
class Items:
    """A list or tuple display."""

    items: "tuple[Argument, ...]"


@record
class Many:
    """A sequence of unknown length whose items have one type: a `list[Array[float32]]`, `*arrays`."""

    item: "Argument"


@record
class Ranked:
    """An array in a question about ranks, without its dtype."""

    rank: RankFacts


@record
class Sizes:
    """The shape of an array in a question about ranks: as many sizes as that array has dimensions."""

    rank: RankFacts


@record
class Other:
    """Any other value: a device, a string that is not a literal."""


@record
class Unknown:
    """An unknown argument. A result that depends on it is unknown, too."""


OTHER: Final = Other()
UNKNOWN: Final = Unknown()

Argument = Operand | DtypeArgument | Value | Items | Many | Ranked | Sizes | Other | Unknown

_SCALARS: Final[dict[type, type[PythonScalar]]] = {
    bool: py_bool, int: py_int, float: py_float, complex: py_complex,
}  # fmt: skip


def scalar_of(value: object) -> Operand | None:
    """A Python number as an operand; None for anything else."""
    scalar = _SCALARS.get(type(value))
    return None if scalar is None else Operand(scalar)


@record
class Arguments:
    """The arguments of one call. `keywords` are sorted by name, so that calls with another order are equal."""

    positional: tuple[Argument, ...] = ()
    keywords: tuple[tuple[str, Argument], ...] = ()

    @classmethod
    def of(cls, *positional: Argument, **keywords: Argument) -> Self:
        """Arguments as a call writes them."""
        return cls(positional, tuple(sorted(keywords.items(), key=lambda item: item[0])))

    @property
    def given(self) -> tuple[Argument, ...]:
        """All arguments, those without a keyword first."""
        return (*self.positional, *(argument for _, argument in self.keywords))

    def mapped(self, change: Callable[[Argument], Argument]) -> Self:
        """The call with each argument changed."""
        return self.replaced(tuple(map(change, self.given)))

    def replaced(self, given: Sequence[Argument]) -> Self:
        """The call with other arguments in the places of `given`."""
        split = len(self.positional)
        names = (name for name, _ in self.keywords)
        return type(self)(tuple(given[:split]), tuple(zip(names, given[split:], strict=True)))


def operands_in(argument: Argument) -> Iterator[Operand]:
    """The operands in an argument, in its displays and sequences too."""
    match argument:
        case Operand():
            yield argument
        case Items(items):
            for item in items:
                yield from operands_in(item)
        case Many(item):
            yield from operands_in(item)
        case _:
            pass


def with_operands(argument: Argument, change: Callable[[Operand], Operand]) -> Argument:
    """The same argument with each operand changed, in its displays and sequences too."""
    match argument:
        case Operand():
            return change(argument)
        case Items(items):
            return Items(tuple(with_operands(item, change) for item in items))
        case Many(item):
            return Many(with_operands(item, change))
        case _:
            return argument


def with_dimensions(argument: Argument) -> Argument:
    """The same argument with an n-d array in place of every 0-d array."""
    return with_operands(argument, lambda each: Operand(each.dtype) if each.form is Form.ZERO_D else each)
