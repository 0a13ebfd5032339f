"""Find false positives about operands of an array of inferred dtype, about its items, and about numbers.

mypy rejects an operand that may be None, or has one of Python's abstract number types, only beside an array of known
dtype. If the dtype is inferred, stock mypy reports nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    IndexExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    ReturnStmt,
    Var,
)
from mypy.types import Instance, NoneType, Type, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.inferred.false_positives.uses import Use, place_of, reads_missing, target_of, uses, uses_begun
from promo_mypy.plugin.inferred.stock.widths import is_of_number
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.narrowing import narrowed_type
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.expressions import operands_of, root
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import has_lost_dtype
from promo_mypy.plugin.types.union_members import members
from promo_mypy.plugin.types.value_marks import has_marked_dtype

CODES: Final = (codes.OPERATOR, codes.UNION_ATTR)

#: None cannot be added to a number or compared with one, nor with anything else that the variable may hold.
_NONE: Final = r'\("None" and | and "None"\)'
_TEXT: Final = r'\("(?:str|bytes)" and | and "(?:str|bytes)"\)'

_Place = tuple[int, int, int | None, int | None]


def are_unknown(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether stock mypy reports no error about the operands."""
    if re.search(_TEXT, error.message):
        return False  # neither an array nor a number accepts a text
    begun = list(_with_items(uses_begun(current, error)))  # mypy takes a union of operands apart
    if error.code is codes.UNION_ATTR:
        owners = (owner for node, _ in begun for owner in reads_missing(node, error))
        return any(_has_forgotten(owner, current) for owner in owners)
    given = (each for use, each in begun if not isinstance(use, CallExpr))
    if not re.search(_NONE, error.message) and any(_has_forgotten(each, current) for each in given):
        return True
    operations = [operands_of(each) for each, _ in begun if _is_operation(each)]
    pairs = [pair for operands in operations for pair in pairwise(operands)]
    if "None" in error.message and any(all(_may_be_none(each, current) for each in pair) for pair in pairs):
        return False  # None has no operator for None
    return any(_is_of_objects(one, other, current) for pair in pairs for one, other in (pair, pair[::-1]))


def _is_operation(node: Node) -> bool:
    """Whether this is an operator of its operands. `and` and `or` call none."""
    return isinstance(node, ComparisonExpr) or (isinstance(node, OpExpr) and node.op not in ("and", "or"))


def are_assigned_items(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy rejects an assignment to an item only because of an inferred dtype."""
    found = list(_with_items(uses(current, error).get(place_of(error), ())))
    targets = [target for target, value in found if isinstance(target, IndexExpr) and value is not target.index]
    values = [value for _, value in found if _may_be_several(value, current)]
    return bool(values) and any(_has_our_dtype(root(target), current) for target in targets)


def _has_forgotten(operand: Expression, current: TypeChecker) -> bool:
    """Whether this is a variable inferred as a number that may also hold a value of type Any where it is read."""
    variable, declared = variable_of(operand, current), current.var_decl_frames
    if variable is None or not isinstance(declared, Declarations) or not declared.variables.has_forgotten(variable):
        return False
    return not declared.variables.keeps_number(variable, operand.line)


def _is_of_objects(operand: Expression, other: Expression, current: TypeChecker) -> bool:
    """Whether an operand is an array of inferred dtype, and the other one may have several types."""
    return _may_be_several(other, current) and _has_our_dtype(operand, current)


def _has_our_dtype(array: Expression, current: TypeChecker) -> bool:
    """Whether stock mypy infers no dtype for an array. It then accepts any item and any operand."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    if is_of_number(array, declared.variables.values_of, current.lookup_type_or_none):
        return False
    typ = _type_of(array, current)
    arrays = [each for each in members(typ) if library_of(each) is Library.NUMPY] if typ is not None else []
    if any(map(has_marked_dtype, arrays)):
        return all(map(has_marked_dtype, arrays))  # mypy reports the operand beside any of them
    if any(map(has_lost_dtype, arrays)):
        return False
    return declared.variables.stock(current.lookup_type_or_none).may_have_any_dtype(array)


def _type_of(value: Expression, current: TypeChecker) -> Type | None:
    """The type of a value. mypy does not keep the types of expressions that it checks for a context."""
    typ = current.lookup_type_or_none(value)
    if typ is not None or not isinstance(value, NameExpr) or not isinstance(value.node, Var):
        return typ
    return narrowed_type(current, value) or value.node.type


def _may_be_several(value: Expression, current: TypeChecker) -> bool:
    """Whether a value is None or has a union type, or is an object or an abstract number of Python."""
    typ = _type_of(value, current)
    items = members(typ) if typ is not None else ()
    return len(items) > 1 or any(map(_is_abstract, items))


def _may_be_none(value: Expression, current: TypeChecker) -> bool:
    typ = _type_of(value, current)
    return typ is not None and any(isinstance(each, NoneType) for each in members(typ))


def _is_abstract(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, NoneType) or (
        isinstance(proper, Instance)
        and (proper.type.module_name == "numbers" or proper.type.fullname == "builtins.object")
    )


def _with_items(found: Sequence[Use]) -> Iterator[tuple[Node, Expression]]:
    """The calls, displays, operations and items among the uses, with the values that they get."""
    for use, value in found:
        if not isinstance(use, AssignmentStmt | OperatorAssignmentStmt | ReturnStmt):
            yield use, value
        elif isinstance(target := target_of(use), IndexExpr):
            yield target, value
