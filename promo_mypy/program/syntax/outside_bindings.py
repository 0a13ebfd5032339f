"""Read the values that a module binds to attributes of objects other than `self`."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import Final, Generic, NamedTuple, TypeVar

from promo_mypy.program.syntax.bound_values import additions, bindings, container_of
from promo_mypy.program.syntax.registrations import is_of_self, registered_outside

Reader = TypeVar("Reader")


class Outside(NamedTuple):
    """An object, and a value of one of its attributes."""

    owner: ast.expr
    value: ast.expr


class OutsideBindings:
    """The values of such attributes among the nodes of a module, by name.

    Attributes:
        bound: those to which the module binds them.
        augmented: the right operands of augmented assignments to them.
        added: what the module adds to them.
        hidden: attributes that it binds otherwise, so that their values are not known.
    """

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.bound: Final[defaultdict[str, list[Outside]]] = defaultdict(list)
        self.augmented: Final[defaultdict[str, list[Outside]]] = defaultdict(list)
        self.added: Final[defaultdict[str, list[Outside]]] = defaultdict(list)
        self.hidden: Final[set[str]] = set()
        for node in nodes:
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.Delete(targets=targets):
                deleted = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Attribute))
                self.hidden.update(
                    each.attr for each in deleted if isinstance(each.ctx, ast.Del) and not is_of_self(each)
                )
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(attr)), value]):
                self.bound[attr].append(Outside(owner, value))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name != "self":
                self.hidden.update(registered_outside(node))
        kept = self.augmented if isinstance(node, ast.AugAssign) else self.bound
        for target, value in bindings(node):
            if isinstance(target, ast.Attribute) and not is_of_self(target):
                kept[target.attr].append(Outside(target.value, value))
        for target, value, _ in additions(node):
            container = container_of(target)
            if isinstance(container, ast.Attribute) and not is_of_self(container):
                self.added[container.attr].append(Outside(container.value, value))


class ProgramOutsideBindings(Generic[Reader]):
    """The values of such attributes in all modules of a program, each with the reader of its module."""

    def __init__(self) -> None:
        self.bound: Final[defaultdict[str, list[tuple[Reader, Outside]]]] = defaultdict(list)
        self.augmented: Final[defaultdict[str, list[tuple[Reader, Outside]]]] = defaultdict(list)
        self.added: Final[defaultdict[str, list[tuple[Reader, Outside]]]] = defaultdict(list)
        self.hidden: Final[set[str]] = set()

    def add(self, reader: Reader, found: OutsideBindings) -> None:
        """Add what one module binds."""
        self.hidden.update(found.hidden)
        kinds = (self.bound, found.bound), (self.augmented, found.augmented), (self.added, found.added)
        for every, own in kinds:
            for attribute, values in own.items():
                every[attribute] += [(reader, each) for each in values]
