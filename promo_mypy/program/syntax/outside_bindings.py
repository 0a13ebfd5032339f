"""Read the values that a module binds to attributes of objects other than `self`."""

import ast
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from promo_mypy.program.syntax.bound_values import additions, bindings, container_of
from promo_mypy.program.syntax.registrations import is_of_self, registered_outside


class Binding(Enum):
    """What a module does to an attribute."""

    BOUND = auto()
    """It binds it to the value."""
    AUGMENTED = auto()
    """The value is the right operand of an augmented assignment to it."""
    ADDED = auto()
    """It adds the value to it."""


class Outside(NamedTuple):
    """An attribute of an object, and a value of it."""

    binding: Binding
    owner: ast.expr
    attribute: str
    value: ast.expr


def outside_bindings(nodes: Iterable[ast.AST]) -> Iterator[Outside]:
    """The values of such attributes among the nodes of a module."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(attr)), value]):
                yield Outside(Binding.BOUND, owner, attr, value)
        binding = Binding.AUGMENTED if isinstance(node, ast.AugAssign) else Binding.BOUND
        for target, value in bindings(node):
            if isinstance(target, ast.Attribute) and not is_of_self(target):
                yield Outside(binding, target.value, target.attr, value)
        for target, value, _ in additions(node):
            container = container_of(target)
            if isinstance(container, ast.Attribute) and not is_of_self(container):
                yield Outside(Binding.ADDED, container.value, container.attr, value)


def hidden_attributes(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Attributes that a module binds otherwise, so that their values are not known."""
    for node in nodes:
        match node:
            case ast.Delete(targets=targets):
                deleted = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Attribute))
                yield from (each.attr for each in deleted if isinstance(each.ctx, ast.Del) and not is_of_self(each))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name != "self":
                yield from registered_outside(node)
