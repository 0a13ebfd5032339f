"""Read what a module of PyTorch registers: buffers and parameters, which are attributes from then on."""

import ast
from collections.abc import Iterator
from typing import Final, TypeGuard

#: Method -> the names of its second parameter: GPyTorch has another one.
_REGISTERING: Final = {"register_buffer": ("tensor",), "register_parameter": ("param", "parameter")}


def registration(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The attribute of `self`, and its value, that `self.register_buffer("name", value)` and the like bind."""
    match _registered(node) if isinstance(node, ast.Call) and is_of_self(node.func) else ():
        case [ast.Constant(value=str(name)), value]:
            return name, value
    return None


def registered_outside(node: ast.AST) -> Iterator[str]:
    """The attribute that such a call binds of any other object."""
    match _registered(node):
        case [ast.Constant(value=str(name)), _]:
            yield name


def registers_anything(node: ast.AST) -> bool:
    """Whether this is such a call whose attribute is not written out."""
    return bool(_registered(node)) and registration(node) is None


def _registered(node: ast.AST) -> list[ast.expr]:
    """The name and the value that are registered; empty for any other node."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method), args=positional, keywords=named) if method in _REGISTERING:
            given = {each.arg: each.value for each in named}
            return [*positional[:2], *(given[name] for name in ("name", *_REGISTERING[method]) if name in given)]
    return []


def is_of_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Whether it is an attribute of `self`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
