"""Give an error about a variable of type `int | Any` the text and the code that it has in stock mypy.

The plugin adds that Any where a variable may be bound to a value of type Any (see `number_variables`). Stock mypy keeps
the type of the first value, so that `count.x` is an error about `int`, not about an item of a union.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mypy import errorcodes as codes
from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, FunctionLike, Instance, ProperType, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives import refused_calls
from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.printed_marks import names_mark
from promo_mypy.plugin.types.printed_types import union_members
from promo_mypy.plugin.types.union_members import members

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.variables import RebindableVariables

_QUOTED: Final = r'"([^"]*)"'
_ITEM: Final = r'^Item "([^"]*)" of "([^"]*)" has no attribute'
_NUMBER: Final = r'incompatible type "(?:int|float|complex)";|Invalid index type "(?:int|float|complex)" '


def restore(current: TypeChecker, error: ErrorInfo) -> None:
    """Change an error about such a variable, or about an item with an inferred dtype, to that of stock mypy."""
    if error.code is codes.CALL_OVERLOAD and names_mark(error.message):
        stock = refused_calls.error_of_item(current, error)
        if stock is not None:
            error.message, error.code = stock.message, stock.code
    if "| Any" not in error.message and "Any |" not in error.message:
        return
    if not any(_has_added_any(each, current) for each in _inside(current, error)):
        return
    error.message = re.sub(_QUOTED, lambda quoted: f'"{_without_any(quoted[1])}"', error.message)
    item = re.match(_ITEM, error.message)
    if error.code is codes.UNION_ATTR and item is not None and item[1] == item[2]:
        error.message = error.message.replace(item[0], f'"{item[1]}" has no attribute', 1)
        error.code = codes.ATTR_DEFINED
    elif error.code in (codes.ARG_TYPE, codes.INDEX) and _fits_no_overload(current, error):
        error.code = codes.CALL_OVERLOAD


def _fits_no_overload(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether stock mypy finds no overload: a union with Any may fit one, the number in it fits none."""
    found = uses(current, error).get(place_of(error), ())
    return re.search(_NUMBER, error.message) is not None and any(_is_overloaded(node, current) for node, _ in found)


def _inside(current: TypeChecker, error: ErrorInfo) -> Iterator[Node]:
    """The nodes at the place of an error, or inside it."""
    start = error.line, error.column
    end = error.end_line, error.end_column
    # The error about one member of a union has no end position: mypy lets it end after one character.
    is_open = end == (error.line, error.column + 1)
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        if not isinstance(node, NameExpr | MemberExpr):
            continue
        begin, stop = (node.line, node.column), (node.end_line or node.line, node.end_column or 0)
        if begin == start if is_open else start <= begin and stop <= end:
            yield node


def _has_added_any(node: Node, current: TypeChecker) -> bool:
    """Whether this is a variable to whose type the plugin has added an Any.

    If its type has unknown dtypes, mypy adds one at a join.
    """
    variable = variable_of(node, current)
    if variable is None or variable.type is None:
        return False
    if not is_unannotated(variable):  # a number, until a value that mypy rejected for it
        return isinstance(node, NameExpr) and all(map(is_number, members(variable.type)))
    declared = current.var_decl_frames
    values = declared.variables.values_of(variable) if isinstance(declared, Declarations) else ()
    if any(isinstance(value, ConditionalExpr) or _is_choice(value) for value in values):
        return False  # stock mypy, too, infers a union for the value
    if all(map(_is_ours, members(variable.type))):
        return True
    return len(values) == 1 and isinstance(declared, Declarations) and _is_computed(values[0], declared.variables)


def _is_computed(value: Expression, variables: "RebindableVariables") -> bool:
    """Whether a value is computed from number variables to which the plugin has added an Any, and from numbers."""
    match value:
        case NameExpr(node=Var() as variable):
            return variables.may_forget_number(variable)
        case OpExpr() | UnaryExpr():
            return not _is_choice(value) and all(_is_computed(each, variables) for each in operands_of(value))
        case _:
            return isinstance(value, IntExpr | FloatExpr)


def _is_choice(value: Expression) -> bool:
    return isinstance(value, OpExpr) and value.op in ("and", "or")


def _is_ours(typ: ProperType) -> bool:
    """Whether it is a number or an array, or an Any of the plugin."""
    if isinstance(typ, AnyType):
        return (typ.source_any or typ).type_of_any == TypeOfAny.special_form
    return is_number(typ) or library_of(typ) is not None


def _without_any(text: str) -> str:
    parts = union_members(text)
    known = [part for part in parts if part != "Any"]
    # The type of `x = None`, bound to Any later, is Any | None for stock mypy, too.
    return " | ".join(known) if known not in ([], ["None"]) and len(known) < len(parts) else text


def _is_overloaded(use: Node, current: TypeChecker) -> bool:
    """Whether a call or an index calls an overloaded function."""
    match use:
        case CallExpr(callee=callee):
            function = get_proper_type(current.lookup_type_or_none(callee))
        case IndexExpr(base=owner):
            function = _item_method(owner, current)
        case _:
            return False
    return isinstance(function, FunctionLike) and len(function.items) > 1


def _item_method(owner: Expression, current: TypeChecker) -> ProperType | None:
    typ = get_proper_type(current.lookup_type_or_none(owner))
    symbol = typ.type.get("__getitem__") if isinstance(typ, Instance) else None
    return get_proper_type(symbol.type) if symbol is not None else None
