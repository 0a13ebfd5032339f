"""Find out whether mypy would reject a call even if its values of inferred dtype were Any, or had no dtype."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    IndexExpr,
    ListExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import given_at, nodes_at, place_of, uses
from promo_mypy.plugin.inferred.stock.any_to_stock import is_any_to_stock
from promo_mypy.plugin.mypy_api.call_checking import errors_of_item, is_rejected_with
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker, is_reported
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_array_or_scalar
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.recursive_aliases import is_recursive
from promo_mypy.plugin.types.union_members import members
from promo_mypy.rules.wording import diagnostics

_ANY: Final = AnyType(TypeOfAny.from_error)
_VALUE_OF: Final = r'Value of type variable "(\w+)"'
_OF_ITEM: Final = r'No overload variant of "(__(?:get|set|del)item__)"'
_NOT_SOLVED: Final = "Cannot infer value of type parameter "


def is_refused_anyway(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error about a call or an item is also about its other arguments, key or value."""
    return error_of_item(current, error) is not None or any(
        is_rejected_with(current, call, _without_mark) for call in _calls(current, error)
    )


def error_of_item(current: TypeChecker, error: ErrorInfo) -> ErrorInfo | None:
    """The error that stock mypy makes about `x[k]` or `x[k] = v`, where some parts are Any; None if it makes none."""
    method, declared = re.match(_OF_ITEM, error.message), current.var_decl_frames
    if method is None or not isinstance(declared, Declarations):
        return None
    place = place_of(error)
    used = uses(current, error).get(place, ())
    is_stored = method[1] == "__setitem__"
    stored = [value for node, value in used if isinstance(node, AssignmentStmt)] if is_stored else []
    if len(stored) != is_stored:
        return None  # `x[k] += v` stores the result of an operator
    items = (
        node for node, _ in used if isinstance(node, IndexExpr) and place in (place_of(node), place_of(node.index))
    )

    def changed(value: Expression, typ: Type) -> Type:
        return _as_stock(value, typ, declared, current)

    found = chain.from_iterable(errors_of_item(current, method[1], item, stored, changed) for item in items)
    return next(found, None)


def _as_stock(value: Expression, typ: Type, declared: Declarations, current: TypeChecker) -> Type:
    """The type of an operand with Any where it, an item of a tuple or an end of a slice is Any to stock mypy."""
    proper = get_proper_type(typ)
    if isinstance(value, TupleExpr) and isinstance(proper, TupleType) and len(value.items) == len(proper.items):
        pairs = zip(value.items, proper.items, strict=True)
        return proper.copy_modified(items=[_as_stock(*pair, declared, current) for pair in pairs])
    if isinstance(value, SliceExpr) and isinstance(proper, Instance) and len(proper.args) == 3:
        ends = zip((value.begin_index, value.end_index, value.stride), proper.args, strict=True)
        args = [_as_stock(end, each, declared, current) if end is not None else each for end, each in ends]
        return proper.copy_modified(args=args)
    is_any = _is_any(value, declared, current) or declared.variables.lengths.is_any(value)
    return _ANY if is_any else _without_mark(value, typ)


def are_reported(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the plugin has reported a call for which NumPy's stubs limit the dtype of `out=` by a type variable."""
    code = CODES[diagnostics.UNDEFINED]
    return any(is_reported(current, call, code) for call in _calls(current, error))


def are_of_unknown_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a type variable of NumPy's stubs has no value for inferred dtypes, and has one for unknown ones."""
    calls = [call for call in _calls(current, error) if _is_of_numpy(call.callee)]
    return bool(calls) and not any(is_rejected_with(current, call, _without_inferred_dtype) for call in calls)


def are_of_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a type variable that declares no dtype has no value only for values that are Any to stock mypy."""
    name, declared = re.match(_VALUE_OF, error.message), current.var_decl_frames
    if name is None or not isinstance(declared, Declarations):
        return False

    def unknown(value: Expression, typ: Type) -> Type:
        return _ANY if _is_any(value, declared, current) else _without_mark(value, typ)

    calls = [call for call in _calls(current, error) if not _declares_dtype(call.callee, name[1], current)]
    return bool(calls) and not any(is_rejected_with(current, call, unknown) for call in calls)


def _declares_dtype(callee: Expression, name: str, current: TypeChecker) -> bool:
    """Whether a type variable of a function or class of that name has an array or a scalar of NumPy as its bound."""
    variables = [each for each in _type_variables(callee, current) if each.name == name]
    limits = [each for variable in variables for each in (variable.upper_bound, *variable.values)]
    return any(map(is_array_or_scalar, limits))


def _type_variables(callee: Expression, current: TypeChecker) -> list[TypeVarType]:
    """The type variables of a function or class."""
    named = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(named, TypeInfo):
        return [each for each in named.defn.type_vars if isinstance(each, TypeVarType)]
    function = _declared(callee, current)
    return [each for each in function.variables if isinstance(each, TypeVarType)] if function is not None else []


def _is_of_numpy(callee: Expression) -> bool:
    return isinstance(callee, RefExpr) and callee.fullname.startswith("numpy.")


def _without_inferred_dtype(value: Expression, typ: Type) -> Type:
    return without_dtypes(typ) if value_marks.has_marked_dtype(typ) else _without_mark(value, typ)


def differ_in_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy finds no value of a type variable only because of dtypes, or of values that are Any to stock mypy.

    A type variable declares no dtype: `f(xs: list[T], x: T)` accepts a list of tensors and any tensor.
    """
    if not error.message.startswith(_NOT_SOLVED):
        return False
    calls, declared = list(_calls(current, error)), current.var_decl_frames

    def unknown(value: Expression, typ: Type) -> Type:
        if isinstance(declared, Declarations) and _is_any(value, declared, current):
            return _ANY
        return _without_mark(value, without_dtypes(typ))

    return bool(calls) and not any(is_rejected_with(current, call, unknown) for call in calls)


def fits_beside_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a generic function accepts an argument if another one is Any, as it is to stock mypy."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False

    def unknown(value: Expression, typ: Type) -> Type:
        return _ANY if _is_any(value, declared, current) else typ

    calls = {node for node, value in given_at(current, error) if isinstance(node, CallExpr) and value in node.args}
    generic = [call for call in calls if _is_generic(call.callee, current)]
    others = (each for call in generic for each in call.args if place_of(each) != place_of(error))
    return any(_is_any(each, declared, current) for each in others) and not any(
        is_rejected_with(current, call, unknown) for call in generic
    )


def _is_generic(callee: Expression, current: TypeChecker) -> bool:
    """Whether a function has type variables."""
    function = _declared(callee, current)
    return function is not None and bool(function.variables)


def _declared(callee: Expression, current: TypeChecker) -> CallableType | None:
    """The type of a function as it is declared: mypy may keep that of the callee with values of type variables."""
    named = callee.node if isinstance(callee, RefExpr) else None
    declared = named.type if isinstance(named, FuncDef) else None
    function = get_proper_type(declared or current.lookup_type_or_none(callee))
    return function if isinstance(function, CallableType) else None


def _is_any(value: Expression, declared: Declarations, current: TypeChecker) -> bool:
    """Whether stock mypy infers Any for a value, or for an item of a list."""
    items = value.items if isinstance(value, ListExpr) else [value]
    return any(is_any_to_stock(item, declared.variables, current.lookup_type_or_none) for item in items)


def _calls(current: TypeChecker, error: ErrorInfo) -> Iterator[CallExpr]:
    return (node for node in nodes_at(current, error) if isinstance(node, CallExpr))


def _without_mark(value: Expression, typ: Type) -> Type:
    """The type of a value with Any in place of marked types: of a union with None, only for its other members."""
    if is_recursive(typ):
        return typ
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=[_without_mark(value, item) for item in proper.items])
    items = list(members(typ))
    if any(map(value_marks.is_marked, items)):
        return UnionType.make_union([_ANY if value_marks.is_marked(item) else item for item in items])
    return value_marks.without_inner_marks(typ)
