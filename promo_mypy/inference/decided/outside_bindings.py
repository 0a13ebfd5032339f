"""Read what a module binds attributes to whose owner is not `self`: those of any object with such an attribute."""

import ast
from collections import defaultdict
from typing import Final

from promo_mypy.inference.bound_values import additions, bindings, container_of
from promo_mypy.inference.registrations import registered_outside


class OutsideBindings:
    """The values of such attributes, by name.

    Attributes:
        bound: the values to which the module binds them.
        added: what the module adds to them.
        hidden: attributes that it binds otherwise, so that their values are not known.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.bound: Final[defaultdict[str, list[ast.expr]]] = defaultdict(list)
        self.added: Final[defaultdict[str, list[ast.expr]]] = defaultdict(list)
        self.hidden: Final[set[str]] = set()
        for node in ast.walk(tree):
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.AugAssign(target=ast.Attribute(attr=attr) as changed) if _is_outside(changed):
                self.hidden.add(attr)
            case ast.Attribute(attr=attr, ctx=ast.Del()) if _is_outside(node):
                self.hidden.add(attr)
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(attr)), value]):
                self.bound[attr].append(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner != "self":
                self.hidden.update(registered_outside(node))
        for target, value in bindings(node):
            if isinstance(target, ast.Attribute) and _is_outside(target):
                self.bound[target.attr].append(value)
        for target, value, _ in additions(node):
            container = container_of(target)
            if isinstance(container, ast.Attribute) and _is_outside(container):
                self.added[container.attr].append(value)


def _is_outside(attribute: ast.Attribute) -> bool:
    return not (isinstance(attribute.value, ast.Name) and attribute.value.id == "self")
