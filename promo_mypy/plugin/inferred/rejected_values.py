"""Report values that stock mypy rejects for a number or array variable, although the plugin added Any to its type.

A number variable that may be bound to a value of type Any (see `number_variables`) gets the type `float | Any`, which
would accept a tensor, too. An array beside a value of type Any is `ndarray | Any`, which would accept a list. After
each assignment an inserted call (`inserted_calls.insert_after_values`) asks whether stock mypy rejects the value. An
array may have another dtype.
"""

from mypy import errorcodes
from mypy.nodes import (
    AssignmentStmt,
    FakeInfo,
    MemberExpr,
    NameExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Type, UnionType

from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.inferred.inserted_calls import Assignment, bound_before
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow, narrowed_type
from promo_mypy.plugin.mypy_api.checker.nested_checks import errors_of_line
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.container_types import is_array, or_anything
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.value_marks import is_marked
from promo_mypy.plugin.types.walks import members


def check(ctx: FunctionContext) -> None:
    """The inserted call: report the value that the variable has just got, if stock mypy rejects it."""
    for statement, target in bound_before(ctx):
        _check(statement, target, ctx)


def _check(statement: Assignment, target: NameExpr | MemberExpr, ctx: FunctionContext) -> None:
    current = checker(ctx.api)
    variable = variable_of(target, current)
    expected = _expected(variable) if variable is not None else None
    if expected is None or _certainly_fits(narrowed_type(current, target), expected):
        return
    if is_array(expected) and _is_array_to_stock(ctx, statement):
        return
    error = _rejection(ctx, statement)
    if error is None:
        return
    # mypy goes on with the number after its own error. The value has any dtype.
    narrow(ctx.api, target, or_anything(expected))
    ctx.api.fail(
        error.message, statement.rvalue if isinstance(statement, AssignmentStmt) else statement, code=error.code
    )


def _expected(variable: Var) -> Type | None:
    """The number or array that a variable holds; None if its type has no Any or is declared, and for another one."""
    if not is_unannotated(variable):
        return None
    known = members(variable.type) if variable.type is not None else []
    expected = [each for each in known if not isinstance(each, AnyType)]
    is_open = len(expected) < len(known)
    if expected and all(map(is_python_number, expected)):
        # mypy narrows a number variable of a function to `float | Any`.
        return UnionType.make_union(expected) if is_open or isinstance(variable.info, FakeInfo) else None
    is_known = all(map(is_array, expected)) or all(is_scalar_type(each) and not is_marked(each) for each in expected)
    return UnionType.make_union(expected) if is_open and expected and is_known else None


def _certainly_fits(typ: Type | None, expected: Type) -> bool:
    """Whether a value fits. An array may have another dtype."""
    if typ is None or any(isinstance(each, AnyType) or is_marked(each) for each in members(typ)):
        return False
    if is_array(expected):
        return _has_only_arrays(typ)
    return all(is_subtype(each, expected) for each in members(typ))


def _is_array_to_stock(ctx: FunctionContext, statement: Assignment) -> bool:
    """Whether stock mypy may reject a value only for its dtype."""
    stock = stock_checks(ctx.api)
    typ = stock.type_of(statement.rvalue) if stock is not None else None
    return typ is None or _has_only_arrays(typ)


def _has_only_arrays(typ: Type) -> bool:
    """Whether each member of a type is an array, and none is None."""
    return all(library_of(each) is not None for each in members(typ))


def _rejection(ctx: FunctionContext, statement: Assignment) -> ErrorInfo | None:
    """The error that stock mypy makes about the value of an assignment."""
    stock, lines = stock_checks(ctx.api), range(statement.line, (statement.end_line or statement.line) + 1)
    shown = (each for line in lines for each in errors_of_line(checker(ctx.api), line))
    if stock is None or any(each.code is errorcodes.ASSIGNMENT for each in shown):
        return None
    return next(iter(stock.at(statement.line).found(lines, {errorcodes.ASSIGNMENT})), None)
