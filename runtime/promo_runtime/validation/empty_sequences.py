"""Find the expressions that may have another dtype because a sequence was empty, at the call itself or after it."""

import ast
from collections.abc import Iterator, Set

from promo_runtime.validation.inferred_expressions import Span

_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def following(tree: ast.Module, calls: Set[Span]) -> frozenset[Span]:
    """The places of expressions that contain one of the calls, or a variable that is bound to such an expression.

    Variables are followed inside one function.
    """
    found: set[Span] = set()
    for scope in (node for node in ast.walk(tree) if isinstance(node, _Scope)):
        found |= _following(scope, calls)
    return frozenset(found)


def _following(scope: _Scope, calls: Set[Span]) -> set[Span]:
    nodes = list(_own_nodes(scope))
    names: set[str] = set()
    while True:
        tainted = {id(node) for node in nodes if _is_tainted(node, calls, names)}
        bound = {name for node in nodes for name in _bound(node, tainted)}
        if bound <= names:
            return {Span.of(node) for node in nodes if id(node) in tainted and isinstance(node, ast.expr)}
        names |= bound


def _is_tainted(node: ast.AST, calls: Set[Span], names: Set[str]) -> bool:
    return isinstance(node, ast.expr) and any(
        (isinstance(each, ast.Call) and Span.of(each) in calls) or (isinstance(each, ast.Name) and each.id in names)
        for each in ast.walk(node)
    )


def _bound(node: ast.AST, tainted: Set[int]) -> Iterator[str]:
    """The names that a statement binds to such an expression."""
    value = getattr(node, "iter" if isinstance(node, ast.For) else "value", None)
    if id(value) not in tainted:
        return
    for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
        if target is not None:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, _Scope):
            yield child
            yield from _own_nodes(child)
