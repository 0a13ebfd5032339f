"""Find the statement that an error about an assignment is in, with the values and variables that it may be about."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Expression,
    ForStmt,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.types import AnyType, TupleType, UnionType, get_proper_type

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.trees.syntax_trees import Statements, nodes, statements


def assignment_of(file: Statements, error: ErrorInfo) -> Statement | None:
    """The statement that an error about an assignment is in."""
    found = _assignments(file).get(error.line)
    return max(found, key=lambda statement: (statement.line, statement.column)) if found else None


def assigned_by(file: Statements, error: ErrorInfo) -> Node | None:
    """The statement that an error about an assignment is in, or the `x := y`."""
    return assignment_of(file, error) or _assigned_inside(file).get(error.line)


def variable_of(target: object, current: TypeChecker) -> Var | None:
    """The variable or attribute that an expression names; None for any other expression."""
    node = target.node if isinstance(target, NameExpr | MemberExpr) else None
    if node is None and isinstance(target, MemberExpr):
        # mypy does not keep the types of expressions that it checks for a context. The type of `self` is known anyway.
        name = target.expr.node if isinstance(target.expr, NameExpr) else None
        declared = name.type if isinstance(name, Var) else None
        node = attribute_of(current.lookup_type_or_none(target.expr) or declared, target.name)
    return node if isinstance(node, Var) else None


def values_of(statement: Node, error: ErrorInfo, current: TypeChecker) -> list[Expression]:
    """The written values that an error may be about.

    These are the operands of `x += y`, the items of a tuple that is bound as a whole, or the value at that place.
    """
    if isinstance(statement, OperatorAssignmentStmt):
        return [statement.lvalue, statement.rvalue]
    if isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, TupleExpr):
        is_whole = not any(isinstance(target, TupleExpr | ListExpr) for target in statement.lvalues)
        if is_whole:
            fits = all(_holds_tuple(target, current) for target in statement.lvalues)
            return list(_written(statement.rvalue)) if fits else []
    if not isinstance(statement, AssignmentStmt):
        return []
    place, is_chained = (error.line, error.column), len(statement.lvalues) > 1
    if is_chained and place == (statement.line, statement.column):  # of `x = y = z` mypy reports x there
        return [statement.rvalue]
    return [value for value in _written(statement.rvalue) if (value.line, value.column) == place][:1]


def _holds_tuple(target: Expression, current: TypeChecker) -> bool:
    """Whether a variable accepts a tuple. For any other variable the items do not matter."""
    variable = variable_of(target, current)
    declared = get_proper_type(variable.type) if variable is not None else None
    return declared is None or isinstance(declared, TupleType | UnionType | AnyType)


def _written(value: Expression) -> Iterator[Expression]:
    if isinstance(value, TupleExpr | ListExpr):
        for item in value.items:
            yield from _written(item)
    else:
        yield value


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _assignments(file: Statements) -> Mapping[int, Sequence[Statement]]:
    """Line -> the statements that bind something and have the line."""
    binding = (AssignmentStmt, OperatorAssignmentStmt, ForStmt, WithStmt)
    found: defaultdict[int, list[Statement]] = defaultdict(list)
    for each in statements(file.statements):
        if isinstance(each, binding):
            for line in range(each.line, (each.end_line or each.line) + 1):
                found[line].append(each)
    return found


@lru_cache(maxsize=1)
def _assigned_inside(file: Statements) -> Mapping[int, Node]:
    """Line -> the `x := y` in it."""
    return {node.line: node for node in nodes(file.statements) if isinstance(node, AssignmentExpr)}
