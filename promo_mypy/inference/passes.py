"""What mypy found for an expression before it looked at it for the last time.

mypy checks some code several times and keeps the last type. For a loop, or a function that had to wait for another
one, that is the right one. Two kinds of code are checked once for each situation that they may be in: the body of
`finally` (first for every way into it, then for the normal one), and a lambda (for each function that it is handed to).
There what was found before counts, too.

No part of mypy's plugin surface tells of passes. So mypy's table of types, which it fills in as it goes, is replaced
by one that remembers. (tests/inference/test_passes.py)
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from mypy.checker import TypeChecker
from mypy.checker_state import checker_state
from mypy.nodes import Expression
from mypy.types import Type


class Passes:
    """Follows mypy through some modules; `follow` is called whenever mypy asks the plugin something."""

    def __init__(self, modules: Collection[str]) -> None:
        self._modules = modules
        self._current: object = None
        self._tables: Final[dict[str, _Types]] = {}

    def follow(self) -> None:
        """See to it that the types in the module that mypy is at are remembered; cheap if they are."""
        current = checker_state.type_checker
        if current is self._current:
            return
        self._current = current
        if isinstance(current, TypeChecker) and current.tree.fullname in self._modules:
            table = current._type_maps[0]
            if not isinstance(table, _Types):
                current._type_maps[0] = self._tables[current.tree.fullname] = _Types(table)

    def earlier(self, module: str, node: Expression) -> list[Type] | None:
        """The types that an expression had before its last one; None if the first passes over it were not seen.

        mypy asks the plugin about calls, operators and attributes: what comes before the first one is not seen.
        """
        table = self._tables.get(module)
        return None if table is None or node in table.unseen else table.earlier.get(node, [])


class _Types(dict[Expression, Type]):
    """mypy's table, with the types that were replaced in it."""

    def __init__(self, known: Mapping[Expression, Type]) -> None:
        super().__init__(known)
        self.unseen: Final = frozenset(known)
        self.earlier: Final[dict[Expression, list[Type]]] = {}

    def __setitem__(self, node: Expression, typ: Type) -> None:
        before = self.get(node)
        if before is not None and before is not typ:
            self.earlier.setdefault(node, []).append(before)
        super().__setitem__(node, typ)

    def update(self, found: Any = (), /, **_: Any) -> None:
        """What mypy found in a trial that it takes over."""
        pairs: Iterable[tuple[Expression, Type]] = found.items()
        for node, typ in pairs:
            self[node] = typ
