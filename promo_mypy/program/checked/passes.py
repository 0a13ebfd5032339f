"""Record the types that mypy inferred for an expression before its last pass.

mypy checks some code several times and keeps the last type. For a loop or a deferred function, that type is right. Two
kinds of code are checked once for each context: the body of `finally` (first for every way into it, then for the normal
one), and a lambda (for each function that it is passed to). For these, earlier types count, too.

mypy's plugin API does not show passes. So mypy's table of types, which it fills during checking, is replaced by a table
that keeps earlier types. (tests/program/test_passes.py)
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from mypy.checker import TypeChecker
from mypy.checker_state import checker_state
from mypy.nodes import Expression
from mypy.types import Type

from promo_mypy.plugin.interface.trees import is_aside


class Passes:
    """Follows mypy through some modules; `follow` is called for every hook that mypy looks up."""

    def __init__(self, modules: Collection[str]) -> None:
        self._modules = modules
        self._current: object = None
        self._tables: Final[dict[str, _Types]] = {}

    def follow(self) -> None:
        """Make sure that the types of the current module are recorded. Cheap after the first call."""
        current = checker_state.type_checker
        if current is self._current or is_aside(current):
            return
        self._current = current
        if isinstance(current, TypeChecker) and current.tree.fullname in self._modules:
            table = current._type_maps[0]
            if not isinstance(table, _Types):
                current._type_maps[0] = self._tables[current.tree.fullname] = _Types(table)

    def earlier(self, module: str, node: Expression) -> list[Type] | None:
        """The types that an expression had before its last one; None if the first passes over it were not recorded.

        mypy looks up hooks for calls, operators and attributes. Expressions before the first of these are not recorded.
        """
        table = self._tables.get(module)
        return None if table is None or node in table.unseen else table.earlier.get(node, [])


class _Types(dict[Expression, Type]):
    """mypy's table of types, with the types that were replaced in it."""

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
        """Record the types of a trial inference that mypy accepts."""
        pairs: Iterable[tuple[Expression, Type]] = found.items()
        for node, typ in pairs:
            self[node] = typ
