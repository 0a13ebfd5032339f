"""Report a value that stock mypy rejects for a number variable, at the call that `checked_numbers` inserts after it."""

from mypy.nodes import AssignmentStmt, Expression, MypyFile, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import FunctionContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Type, UnionType

from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, report_incompatible
from promo_mypy.plugin.mypy_api.nodes.tree_changes import is_inserted
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.walks import members

_Assignment = AssignmentStmt | OperatorAssignmentStmt


def check(ctx: FunctionContext) -> None:
    """The inserted call: report the value that the variable has just got, if stock mypy rejects it."""
    name, typ = ctx.args[0][0], ctx.arg_types[0][0]
    variable = name.node if isinstance(name, NameExpr) else None
    if not is_inserted(ctx.context) or not isinstance(variable, Var) or variable.type is None:
        return
    number = [each for each in members(variable.type) if not isinstance(each, AnyType)]
    if len(number) == len(list(members(variable.type))) or not all(map(is_python_number, number)):
        return
    expected: Type = UnionType.make_union(number)
    given = [each for each in members(typ) if not isinstance(each, AnyType) and not value_marks.is_marked(each)]
    if all(is_subtype(each, expected) for each in given):
        return
    stock = stock_checks(ctx.api)
    statement = _statement(checker(ctx.api).tree, variable, ctx.context.line)
    if statement is None or stock is None or any(map(stock.is_any, _operands(statement))):
        return
    # The number, with which mypy goes on after its own error.
    narrow(ctx.api, name, expected)
    place = statement.rvalue if isinstance(statement, AssignmentStmt) else statement
    if not report_incompatible(ctx.api, UnionType.make_union(given), expected, place):
        narrow(ctx.api, name, typ)


def _statement(tree: MypyFile, variable: Var, line: int) -> _Assignment | None:
    """The assignment to a variable in a line."""
    for site in definitions(tree).statements:
        is_there = site.node.line == line and any(each.variable is variable for each in site.definitions)
        if is_there and isinstance(site.node, _Assignment):
            return site.node
    return None


def _operands(statement: _Assignment) -> list[Expression]:
    """What decides whether stock mypy infers Any for the value."""
    return [statement.lvalue, statement.rvalue] if isinstance(statement, OperatorAssignmentStmt) else [statement.rvalue]
