"""A file's syntax tree to the values that its variables are bound to.

`jnp.float32` is Any and `torch.float32` is `dtype` to mypy, so a variable that holds a dtype has lost it; the
expression it was bound to has not. Only the file being checked is looked into: a module from mypy's cache has no
syntax tree, and the answer must not depend on what is cached.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from mypy.nodes import (
    Argument,
    AssignmentExpr,
    AssignmentStmt,
    Expression,
    ForStmt,
    FuncDef,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    Statement,
    TryStmt,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.patterns import AsPattern, MappingPattern, StarredPattern

from promo_mypy.plugin.trees.syntax_trees import nodes

Values = Mapping[Var, tuple[Expression, ...] | None]
Pair = tuple[object, Expression | None]

#: Kind of node -> the targets that it binds, and what to; None for a value that is no expression of its own. Nine of
#: ten nodes have none.
_BOUND_BY: Final[Mapping[type[Node], Callable[[Any], list[Pair]]]] = {
    AssignmentStmt: lambda node: [(lvalue, node.rvalue) for lvalue in node.lvalues],
    AssignmentExpr: lambda node: [(node.target, node.value)],
    OperatorAssignmentStmt: lambda node: [(node.lvalue, None)],
    ForStmt: lambda node: [(node.index, None)],
    WithStmt: lambda node: [(target, None) for target in node.target],
    TryStmt: lambda node: [(name, None) for name in node.vars],
    AsPattern: lambda node: [(node.name, None)],
    StarredPattern: lambda node: [(node.capture, None)],
    MappingPattern: lambda node: [(node.rest, None)],
    FuncDef: lambda node: [(argument, None) for argument in node.arguments],
    LambdaExpr: lambda node: [(argument, None) for argument in node.arguments],
}


def bindings(tree: MypyFile) -> Values:
    """Variable -> every expression that it is bound to; None if a loop, a parameter or the like binds it too."""
    # The mypy daemon keeps the identity of a file's node when it reads the file again, but not that of its statements.
    return _collect(Statements(tree.defs))


class Statements:
    """A list of statements, hashed and compared by identity."""

    def __init__(self, statements: list[Statement]) -> None:
        self.statements = statements

    def __hash__(self) -> int:
        return id(self.statements)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statements) and other.statements is self.statements


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _collect(file: Statements) -> Values:
    found: dict[Var, list[Expression] | None] = {}
    for node in nodes(file.statements):
        bound_by = _BOUND_BY.get(type(node))
        for target, value in bound_by(node) if bound_by is not None else ():
            for variable, part in _pairs(target, value):
                known = found.setdefault(variable, [])
                if part is None:
                    found[variable] = None
                elif known is not None:
                    known.append(part)
    return {variable: tuple(values) if values is not None else None for variable, values in found.items()}


def _pairs(target: object, value: Expression | None) -> Iterator[tuple[Var, Expression | None]]:
    if isinstance(target, Argument):
        yield target.variable, None
    elif isinstance(target, NameExpr) and isinstance(target.node, Var):
        yield target.node, value
    elif isinstance(target, StarExpr):
        yield from _pairs(target.expr, None)
    elif isinstance(target, TupleExpr):
        parts: list[Expression | None] = [None] * len(target.items)
        if isinstance(value, TupleExpr) and len(value.items) == len(target.items):
            starred = any(isinstance(item, StarExpr) for item in (*target.items, *value.items))
            parts = parts if starred else list(value.items)
        for item, part in zip(target.items, parts, strict=True):
            yield from _pairs(item, part)
