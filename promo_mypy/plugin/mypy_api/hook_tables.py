"""Tables from qualified name to hook. A name without a hook costs one dictionary look-up.

mypy asks for few names, but often for the same name, so a table caches that it has no hook for a name. mypy gets the
tables' own `__getitem__`, so that a look-up runs no Python code.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from mypy.nodes import TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type

from promo_mypy.plugin.mypy_api.symbols import Symbols

Hook = TypeVar("Hook")
TypeHook = Callable[[AnalyzeTypeContext], Type]


class HookTable(dict[str, Hook | None]):
    """Hooks by exact name."""

    def __missing__(self, fullname: str) -> Hook | None:
        """None for a name that is not in the table. The table caches the name."""
        self[fullname] = None
        return None


class FoundTable(HookTable[Hook]):
    """Hooks by exact name. A function finds the hooks of other names."""

    def __init__(self, rows: Mapping[str, Hook], find: Callable[[str], Hook | None]) -> None:
        super().__init__(rows)
        self._rows = rows
        self._find = find

    def __missing__(self, fullname: str) -> Hook | None:
        """The hook that the function finds. The table caches it."""
        self[fullname] = found = self._find(fullname)
        return found

    def drop_cache(self) -> None:
        """Drop the names that were found: what they stand for may have changed."""
        if len(self) > len(self._rows):
            self.clear()
            self.update(self._rows)


class MethodTable(FoundTable[Hook]):
    """Hooks of methods, for the class that defines one and for classes that inherit it.

    mypy asks for a method under the name of the receiver's own class: `Parameter.__add__`, though the method is
    `TensorBase.__add__`. Only the names of known methods are looked up in base classes. A function finds the hooks of
    other methods.
    """

    def __init__(
        self, rows: Mapping[str, Hook], symbols: Symbols, find: Callable[[str], Hook | None] = lambda _: None
    ) -> None:
        super().__init__(rows, find)
        self._methods = frozenset(fullname.rpartition(".")[2] for fullname in rows)
        self._symbols = symbols

    def __missing__(self, fullname: str) -> Hook | None:
        """The hook of the inherited method, or that of another method. The table caches it."""
        found = None
        cls, _, method = fullname.rpartition(".")
        if method in self._methods and not cls.startswith("builtins."):
            info = self._symbols.info(cls)
            found = self._inherited(info, method) if info is not None else None
        self[fullname] = found = found or self._find(fullname)
        return found

    def _inherited(self, info: TypeInfo, method: str) -> Hook | None:
        """The hook of the nearest base class with one, up to the class that defines the method.

        `ndarray.__eq__` has a hook, though a base class of ndarray defines it.
        """
        for base in info.mro:
            found = self._rows.get(f"{base.fullname}.{method}")
            if found is not None or method in base.names:
                return found
        return None


class TypeTable(HookTable[TypeHook]):
    """Hooks of names in annotations. A hook may ask mypy for the type of the name without the hook."""

    def __init__(self, rows: Mapping[str, TypeHook]) -> None:
        super().__init__(rows)
        self._aside: dict[str, TypeHook | None] = {}

    def __missing__(self, fullname: str) -> TypeHook | None:
        """None for a name that is not in the table, and once for a name whose hook stepped aside."""
        self[fullname] = self._aside.pop(fullname, None)
        return None

    def step_aside(self, fullname: str) -> None:
        """Return None at the next look-up of that name."""
        self._aside[fullname] = self.pop(fullname)

    def step_back(self, fullname: str) -> None:
        """Restore the hook, whether the name was looked up or not."""
        if fullname in self._aside:
            self[fullname] = self._aside.pop(fullname)
