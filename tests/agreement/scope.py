"""The names that a statement may read, with their values, and random choices among them."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from promo_runtime.actual_dtypes import library_of_class
from tests.agreement.dialects import Dialect

INTS = ("0", "1", "2", "3", "-1", "7", "100", "200", "300", "-200", "40000", "70000", "2147483648", "10**12")
OTHERS = ("0.5", "1.0", "2.5", "-1.5", "1e30", "True", "False", "1j", "2 + 0j")
LENGTHS = ("{x}.shape[0]", "{x}.shape[-1]", "len({x})", "{x}.ndim")


@dataclass
class Scope:
    """A place in a program.

    Attributes:
        dialect: of the program.
        random: the source of choices.
        names: every name and its value, also imported ones.
        locals: the names of the program's own values.
        fixed: annotated locals, which must not be bound again.
        counter: the number of names.
        exact: whether the statement is always executed for arrays of the same dtypes.
        mistakes: whether there are statements of the kinds in which people make mistakes, too.
    """

    dialect: Dialect
    random: Random
    names: dict[str, Any]
    locals: list[str]
    fixed: set[str]
    counter: list[int]
    exact: bool = True
    mistakes: bool = False

    def inner(self, values: dict[str, Any]) -> "Scope":
        """A scope that knows only these values, as inside a function."""
        names = {name: value for name, value in self.names.items() if name not in self.locals} | values
        return Scope(self.dialect, self.random, names, list(values), set(), self.counter, mistakes=self.mistakes)

    def copy(self) -> "Scope":
        """The same names, to be changed on trial."""
        return replace(self, names=dict(self.names), locals=list(self.locals), fixed=set(self.fixed))

    def fresh(self, letter: str = "a") -> str:
        """A new name."""
        self.counter[0] += 1
        return f"{letter}{self.counter[0]}"

    def bind(self, name: str) -> None:
        """A local that the last statement bound."""
        if name not in self.locals:
            self.locals.append(name)

    def chance(self, share: float) -> bool:
        """True in that share of all cases."""
        return self.random.random() < share

    def one_of(self, *choices: Any) -> Any:
        """One of these."""
        return self.random.choice(choices)

    def array(self, *dimensions: int) -> str | None:
        """An array, usually of that many dimensions; None without such an array."""
        arrays = self.arrays()
        if dimensions and not self.chance(0.1):
            arrays = [name for name in arrays if getattr(self.names[name], "ndim", 0) in dimensions]
        # Prefer newer ones, so that programs become chains.
        return arrays[max(self.random.randrange(len(arrays)), self.random.randrange(len(arrays)))] if arrays else None

    def arrays(self) -> list[str]:
        """Every local array."""
        return [name for name in self.locals if is_array(self.names.get(name))]

    def number(self) -> str:
        """A Python number: a literal, a local, or the length of an array."""
        numbers = [name for name in self.locals if type(self.names.get(name)) in (bool, int, float, complex)]
        if numbers and self.chance(0.3):
            return self.random.choice(numbers)
        array = self.array(1, 2, 3) if self.chance(0.05) else None
        if array is not None and self.names[array].ndim:
            return self.random.choice(LENGTHS).format(x=array)
        if self.chance(0.6):
            return INTS[min(self.random.randrange(len(INTS)), self.random.randrange(len(INTS)))]
        return self.random.choice(OTHERS)

    def dtype(self) -> str:
        """A dtype of the library, as an argument."""
        name = self.random.choice(self.dialect.dtypes)
        if self.chance(0.05) and name in PYTHON_TYPES:
            return PYTHON_TYPES[name]
        if self.chance(0.1):
            array = self.array()
            if array is not None:
                return f"{array}.dtype"
        if self.chance(0.1) and self.dialect.library != "torch" and name != "bfloat16":
            return f'"{name}"'
        return self.dialect.dtype(name)

    def condition(self) -> str:
        """A condition for a branch."""
        array = self.array()
        return self.random.choice(self.dialect.conditions).format(x=array) if array else "len('ab') > 1"


PYTHON_TYPES = {"bool": "bool", "int64": "int", "float64": "float", "complex128": "complex"}


def is_array(value: Any) -> bool:
    """Whether a value is an array or a NumPy scalar that later statements may use."""
    return library_of_class(type(value)) is not None and getattr(value, "size", 1) is not None and _small(value)


def _small(value: Any) -> bool:
    shape = getattr(value, "shape", ())
    return len(shape) <= 3 and all(0 < length <= 12 for length in shape)
