"""Find what a program adds first to an empty list or dict: mypy infers the type of the items from it."""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    Statement,
    Var,
)

from promo_mypy.plugin.trees.syntax_trees import nodes

#: Methods that add an item, and the place of that argument.
_ADDING: Final[Mapping[str, int]] = {"add": 0, "append": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
_EMPTY: Final = frozenset({"builtins.dict", "builtins.list", "builtins.set", "collections.defaultdict"})


def is_empty(value: Expression) -> bool:
    """Whether this is an empty list, set or dict, or a `defaultdict` of those."""
    match value:
        case ListExpr(items=[]) | DictExpr(items=[]):
            return True
        case CallExpr(callee=RefExpr(fullname=name), args=given) if name in _EMPTY:
            return all(isinstance(each, RefExpr) and each.fullname.startswith("builtins.") for each in given)
        case _:
            return False


def first_item(variable: Var, body: Sequence[Statement], line: int) -> tuple[Expression, int] | None:
    """The item that is added first below a line, and the number of indices before it: 1 for `xs["a"].append(item)`."""
    for node in nodes(list(body)):
        match node:
            case CallExpr(callee=MemberExpr(expr=container, name=name), args=given) if name in _ADDING:
                added = given[_ADDING[name] : _ADDING[name] + 1]
            case AssignmentStmt(lvalues=[IndexExpr(base=container)], rvalue=new):
                added = [new]
            case _:
                continue
        depth = 0
        while isinstance(container, IndexExpr):
            container, depth = container.base, depth + 1
        is_of_variable = isinstance(container, NameExpr) and container.node is variable and node.line > line
        if is_of_variable and added and not is_empty(added[0]):
            return added[0], depth
    return None
