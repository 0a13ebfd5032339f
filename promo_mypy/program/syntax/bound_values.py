"""Read what a statement binds to values, or adds to a container."""

import ast
from collections.abc import Iterator
from typing import Final

_ADDING: Final = frozenset({"append", "appendleft", "extend", "insert", "add", "update", "setdefault"})


def bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target, and its value; in a loop or a comprehension, and for a part of a target, the whole value."""
    for target, value in _written(node):
        yield from _unpacked(target, value)


def additions(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """A container, what is added to it, and whether under a label that is a string."""
    match node:
        case ast.Call(func=ast.Attribute(value=target, attr=attr), args=[*_, value]) if attr in _ADDING:
            yield target, value, False
        case ast.Assign(targets=targets, value=value):
            yield from (
                (each.value, value, _is_label(each.slice)) for each in targets if isinstance(each, ast.Subscript)
            )
        case ast.AugAssign(target=ast.Subscript(value=target, slice=place), value=value):
            yield target, value, _is_label(place)


def bound_otherwise(node: ast.AST) -> Iterator[str]:
    """Names bound without an expression, in the scope of the statement."""
    match node:
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (each.asname or each.name.partition(".")[0] for each in aliases)


def container_of(target: ast.expr) -> ast.expr:
    """The outermost container in which a target is."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _written(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign():
            for target in node.targets:
                yield target, node.value
        case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value) | ast.NamedExpr(value=value):
            yield node.target, value
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield node.target, node.iter
        case ast.withitem(optional_vars=ast.expr() as target):
            yield target, node.context_expr


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    match target:
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            items = [value] * len(targets)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
                items = value.elts
            for each, item in zip(targets, items, strict=True):
                yield from _unpacked(each, item)
        case ast.Starred(value=each):
            yield from _unpacked(each, value)
        case _:
            yield target, value


def _is_label(place: ast.expr) -> bool:
    return isinstance(place, ast.Constant) and isinstance(place.value, str)
