"""Find out whether a class binds attributes whose names the program does not show."""

import ast
from collections.abc import Iterator
from typing import Final

from promo_mypy.program.syntax.registrations import registers_anything

_BINDING: Final = frozenset({"setattr", "__setattr__", "__dict__", "vars"})
_READING: Final = frozenset({"copy", "items", "keys", "values", "get"})
_COPYING: Final = frozenset({"dict", "list", "set", "sorted", "len", "iter"})


def binds_dynamically(cls: ast.ClassDef) -> bool:
    """Whether a statement in it may bind any attribute. Code that only reads `__dict__` or `vars(...)` binds none."""
    nodes = [*ast.walk(cls)]
    binding = {id(each) for each in nodes if _name(each) in _BINDING}
    if binding:  # in few classes
        read = (each for node in nodes for whole in _read_wholes(node) for each in (whole, *_function_of(whole)))
        binding.difference_update(map(id, read))
    return bool(binding) or any(map(registers_anything, nodes))


def _read_wholes(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of which a node reads items, or makes a copy."""
    match node:
        case ast.Call(func=ast.Attribute(value=whole, attr=attr)) if attr in _READING:
            yield whole
        case ast.Call(func=ast.Name(id=name), args=[whole]) if name in _COPYING:
            yield whole
        case ast.Subscript(value=whole, ctx=ast.Load()):
            yield whole
        case ast.Compare(ops=operators, comparators=operands):
            tested = zip(operators, operands, strict=True)
            yield from (whole for operator, whole in tested if isinstance(operator, ast.In | ast.NotIn))
        case ast.For(iter=whole) | ast.comprehension(iter=whole):
            yield whole
        case ast.Dict(keys=keys, values=values):  # `**whole` has no key
            yield from (whole for key, whole in zip(keys, values, strict=True) if key is None)


def _function_of(whole: ast.expr) -> Iterator[ast.expr]:
    """`vars` in `vars(x)`."""
    if isinstance(whole, ast.Call):
        yield whole.func


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
