"""Qualified names to hooks, so that mypy's question for a name that is not ours is one look-up in a dictionary.

mypy asks for few names, and for each of them often: a table remembers that it has no hook for a name. mypy is given
the tables' own `__getitem__`, so that the answer comes without a step in Python.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type

from promo_mypy.plugin.mypy_api.symbols import Symbols

Hook = TypeVar("Hook")
TypeHook = Callable[[AnalyzeTypeContext], Type]


class HookTable(dict[str, Hook | None]):
    """Hooks by exact name."""

    def __missing__(self, fullname: str) -> Hook | None:
        """None for a name that is not in the table; it is from then on."""
        self[fullname] = None
        return None


class FoundTable(HookTable[Hook]):
    """Hooks by exact name, and those that a function finds for other names."""

    def __init__(self, rows: Mapping[str, Hook], find: Callable[[str], Hook | None]) -> None:
        super().__init__(rows)
        self._find = find

    def __missing__(self, fullname: str) -> Hook | None:
        """What is found once is remembered."""
        self[fullname] = found = self._find(fullname)
        return found


class MethodTable(HookTable[Hook]):
    """Hooks of methods, for the class that defines one and for classes that inherit it.

    mypy asks for a method under the name of the receiver's own class: `Parameter.__add__`, though the method is
    `TensorBase.__add__`. Only names of methods that we know are looked up that way.
    """

    def __init__(self, rows: Mapping[str, Hook], symbols: Symbols) -> None:
        super().__init__(rows)
        self._rows = rows
        self._methods = frozenset(fullname.rpartition(".")[2] for fullname in rows)
        self._symbols = symbols

    def __missing__(self, fullname: str) -> Hook | None:
        """The hook of the method that it inherits; None for methods that are not ours."""
        found = None
        cls, _, method = fullname.rpartition(".")
        if method in self._methods and not cls.startswith("builtins."):
            info = self._symbols.info(cls)
            definer = info.get_containing_type_info(method) if info is not None else None
            found = self._rows.get(f"{definer.fullname}.{method}") if definer is not None else None
        self[fullname] = found
        return found

    def forget(self) -> None:
        """Go back to the exact names: what a class inherits may have changed."""
        if len(self) > len(self._rows):
            self.clear()
            self.update(self._rows)


class TypeTable(HookTable[TypeHook]):
    """Hooks of names in annotations, which may ask mypy what it makes of the name without them."""

    def __init__(self, rows: Mapping[str, TypeHook]) -> None:
        super().__init__(rows)
        self._aside: dict[str, TypeHook | None] = {}

    def __missing__(self, fullname: str) -> TypeHook | None:
        """None for a name that is not in the table, and once for one whose hook has stepped aside."""
        self[fullname] = self._aside.pop(fullname, None)
        return None

    def step_aside(self, fullname: str) -> None:
        """Answer None to the next question for that name."""
        self._aside[fullname] = self.pop(fullname)

    def step_back(self, fullname: str) -> None:
        """Answer as before, whether the question came or not."""
        if fullname in self._aside:
            self[fullname] = self._aside.pop(fullname)
