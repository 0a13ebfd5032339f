"""Report a value that stock mypy rejects for a number variable, at the call that `checked_numbers` inserts after it."""

from mypy import errorcodes
from mypy.nodes import AssignmentStmt, MypyFile, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import FunctionContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Type, UnionType

from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.checker.nested_checks import errors_of_line
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import is_inserted
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.container_types import or_anything
from promo_mypy.plugin.types.value_marks import is_marked
from promo_mypy.plugin.types.walks import members

_Assignment = AssignmentStmt | OperatorAssignmentStmt


def check(ctx: FunctionContext) -> None:
    """The inserted call: report the value that the variable has just got, if stock mypy rejects it."""
    name, typ = ctx.args[0][0], ctx.arg_types[0][0]
    variable = name.node if isinstance(name, NameExpr) else None
    if not is_inserted(ctx.context) or not isinstance(variable, Var) or variable.type is None:
        return
    number = [each for each in members(variable.type) if not isinstance(each, AnyType)]
    expected: Type = UnionType.make_union(number)
    if not number or not all(map(is_python_number, number)) or _certainly_fits(typ, expected):
        return
    statement = _statement(checker(ctx.api).tree, variable, ctx.context.line)
    error = _rejection(ctx, statement) if statement is not None else None
    if statement is None or error is None:
        return
    # mypy goes on with the number after its own error. The value has any dtype.
    narrow(ctx.api, name, or_anything(expected))
    ctx.api.fail(
        error.message, statement.rvalue if isinstance(statement, AssignmentStmt) else statement, code=error.code
    )


def _certainly_fits(typ: Type, number: Type) -> bool:
    return not any(
        isinstance(each, AnyType) or is_marked(each) or not is_subtype(each, number) for each in members(typ)
    )


def _statement(tree: MypyFile, variable: Var, line: int) -> _Assignment | None:
    """The assignment to a variable in a line."""
    for site in definitions(tree).statements:
        is_there = site.node.line == line and any(each.variable is variable for each in site.definitions)
        if is_there and isinstance(site.node, _Assignment):
            return site.node
    return None


def _rejection(ctx: FunctionContext, statement: _Assignment) -> ErrorInfo | None:
    """The error that stock mypy makes about the value of an assignment."""
    stock, lines = stock_checks(ctx.api), range(statement.line, (statement.end_line or statement.line) + 1)
    shown = (each for line in lines for each in errors_of_line(checker(ctx.api), line))
    if stock is None or any(each.code is errorcodes.ASSIGNMENT for each in shown):
        return None
    errors = stock.at(statement.line).errors
    return next((each for each in errors if each.code is errorcodes.ASSIGNMENT and each.line in lines), None)
