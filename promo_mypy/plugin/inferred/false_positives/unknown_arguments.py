"""mypy's errors about arguments, items and indices of which it knows nothing alone, and we that they are NumPy's.

`names[labels[0]]` of a dict with int keys, and `counts.append(labels[0])`, run for a NumPy integer as they do for an
int. mypy alone says nothing there, as NumPy's stubs say Any of `labels[0]`; nobody annotated a dtype. So it stays,
unless a function of the program's own says in an annotation that it takes a Python number. An operand that may be None,
or is a number of whatever class, is refused beside an array of known dtype only: where nobody annotated one, nothing is
said, either.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
)
from mypy.types import FunctionLike, Instance, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.refused_assignments import variable_of
from promo_mypy.plugin.inferred.false_positives.uses import Place, Use, place_of, target_of, uses
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.definitions import root
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.union_members import members

#: Of errors about a value, which stand where that value does, and about a call or an operation with several.
CODES: Final = (
    codes.ARG_TYPE,
    codes.INDEX,
    codes.LIST_ITEM,
    codes.DICT_ITEM,
    codes.CALL_OVERLOAD,
    codes.OPERATOR,
    codes.UNION_ATTR,
)

#: Words of an expected type that names dtypes.
_DTYPES: Final = r"floating|integer|inexact|number\b|generic|float\d|complex\d|dtype|numpy|ndarray|Array\b|Tensor\b"

_Place = tuple[int, int, int | None, int | None]


def are_unknown(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy would not have made the error without us, and nothing that is annotated makes it a true one."""
    calls = _calls(current, error)
    found = calls.get(place_of(error), ())
    if error.code in (codes.OPERATOR, codes.UNION_ATTR):
        # Where an operand is a union mypy takes it apart, and of a member it knows no end.
        begun = [each for place in calls if place[:2] == (error.line, error.column) for each in calls[place]]
        if any(_has_forgotten(given, current) for call, given in begun if not isinstance(call, CallExpr)):
            return True
        operations = [(call.left, call.right) for call, _ in begun if isinstance(call, OpExpr)]
        return any(_is_of_objects(one, other, current) for pair in operations for one, other in (pair, pair[::-1]))
    expected = error.message.rpartition("; expected ")[2] if "; expected " in error.message else ""
    if re.search(_DTYPES, expected) is not None:
        return False
    return any(_is_ours(given, current) for call, given in found if _is_nobodys_own(call, current))


def is_put_in(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an assignment to an item is refused for the dtype of an array that only we know."""
    found = _calls(current, error).get(place_of(error), ())
    targets = [target for target, value in found if isinstance(target, IndexExpr) and value is not target.index]
    values = [value for _, value in found if _may_be_several(value, current)]
    return bool(values) and any(_has_our_dtype(root(target), current) for target in targets)


def _has_forgotten(operand: Expression, current: TypeChecker) -> bool:
    """Whether this is a number to mypy, and to us a variable that is bound to something unknown, too."""
    variable, declared = variable_of(operand, current), current.var_decl_frames
    return variable is not None and isinstance(declared, Declarations) and declared.variables.has_forgotten(variable)


def _is_of_objects(operand: Expression, other: Expression, current: TypeChecker) -> bool:
    """Whether mypy alone takes an operand for an array of objects, and the other one may be several things."""
    return _may_be_several(other, current) and _has_our_dtype(operand, current)


def _has_our_dtype(array: Expression, current: TypeChecker) -> bool:
    """Whether mypy alone knows no dtype of an array: to it anything may be put in, or stand beside it."""
    declared = current.var_decl_frames
    type_of = current.lookup_type_or_none
    return isinstance(declared, Declarations) and declared.variables.may_have_any_dtype(array, type_of)


def _may_be_several(value: Expression, current: TypeChecker) -> bool:
    """Whether a value is of a union, as where it may be None, or of Python's abstract numbers."""
    typ = current.lookup_type_or_none(value)
    items = members(typ) if typ is not None else ()
    return len(items) > 1 or any(isinstance(item, Instance) and item.type.module_name == "numbers" for item in items)


def _is_ours(value: Expression, current: TypeChecker) -> bool:
    """Whether this is NumPy's to us and anything to mypy, or a tuple with such an item."""
    if isinstance(value, TupleExpr):
        return any(_is_ours(item, current) for item in value.items)
    typ, declared = current.lookup_type_or_none(value), current.var_decl_frames
    if typ is None or not isinstance(declared, Declarations):
        return False
    items = members(typ)
    is_numpy = all(isinstance(item, Instance) and _is_numpy(item) for item in items)
    return is_numpy and declared.variables.may_be_anything(value, current.lookup_type_or_none)


def _is_numpy(typ: Instance) -> bool:
    return typ.type.fullname == names.NUMPY_ARRAY or numpy_scalars.is_scalar(typ)


def _is_nobodys_own(call: Node, current: TypeChecker) -> bool:
    """Whether this is no call of a function whose parameters the program annotates: those of stubs are not its own."""
    if not isinstance(call, CallExpr):
        return True
    function = get_proper_type(current.lookup_type_or_none(call.callee))
    definitions = [item.definition for item in function.items] if isinstance(function, FunctionLike) else []
    return any(definition is not None and _is_in_stub(definition, current) for definition in definitions)


def _is_in_stub(definition: SymbolNode, current: TypeChecker) -> bool:
    module = definition.fullname
    while module and module not in current.modules:
        module = module.rpartition(".")[0]
    return bool(module) and current.modules[module].is_stub


def _calls(current: TypeChecker, error: ErrorInfo) -> Mapping[Place, Sequence[tuple[Node, Expression]]]:
    """Place -> the calls, displays, operations and items that are bound, with the values that they are given."""
    return {place: list(_with_items(found)) for place, found in uses(current, error).items()}


def _with_items(found: Sequence[Use]) -> Iterator[tuple[Node, Expression]]:
    for use, value in found:
        if not isinstance(use, AssignmentStmt | OperatorAssignmentStmt | ReturnStmt):
            yield use, value
        elif isinstance(target := target_of(use), IndexExpr):
            yield target, value
