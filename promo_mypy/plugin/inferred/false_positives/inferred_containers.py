"""Find mypy's errors about the items of a container attribute whose only reason is a dtype.

A base class in another module has `weights = [torch.tensor(0)]`, and a subclass `weights = [torch.tensor([0.5])]`, or a
function appends a tensor of another dtype. mypy infers the item type from the first items.
"""

from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    SetExpr,
    Var,
)
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred.false_positives.assigned_values import assignment_of, variable_of
from promo_mypy.plugin.inferred.false_positives.inferred_attributes import overridden
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.inferred.marked_displays import Display
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Statements
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.union_members import members

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.DICT_ITEM, codes.LIST_ITEM)


def take_other_dtypes(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy rejects a new item of an attribute only because of a dtype that is not declared."""
    for node, value in uses(current, error).get(place_of(error), ()):
        attribute, given = _container(node, current, error), current.lookup_type_or_none(value)
        if attribute is None or given is None or not is_unannotated(attribute):
            continue
        container = get_proper_type(attribute.type)
        if not isinstance(container, Instance) or not container.args:
            continue
        key = _key_of(node, value, error)
        if key is not None and not _is_key(key, container, current):
            continue
        if _holds_items(container, node, current) and _fits(given, container):
            return True
    return False


def _container(node: Node, current: TypeChecker, error: ErrorInfo) -> Var | None:
    """The attribute whose container gets an item at this node."""
    match node:
        case CallExpr(callee=MemberExpr(expr=MemberExpr() as container, name=name)) if name in containers.FILLING:
            return variable_of(container, current)
        case AssignmentStmt(lvalues=[IndexExpr(base=MemberExpr() as container)]):
            return variable_of(container, current)
        case ListExpr() | SetExpr() | DictExpr():
            return _bound_to(node, current, error)
        case _:
            return None


def _holds_items(container: Instance, node: Node, current: TypeChecker) -> bool:
    """Whether a container has the class of the display that it gets: a list does not fit a tuple."""
    if not isinstance(node, Display):
        return True
    display = get_proper_type(current.lookup_type_or_none(node))
    return not isinstance(display, Instance) or display.type in container.type.mro or container.type in display.type.mro


def _key_of(node: Node, value: Expression, error: ErrorInfo) -> Expression | None:
    """The key or index of what a container gets, if the error may be about it."""
    match node:
        case DictExpr(items=pairs):
            return next((key for key, item in pairs if item is value), None)
        case CallExpr(callee=MemberExpr(name="setdefault" | "insert"), args=[key, _]):
            return key if place_of(key) == place_of(error) else None
        case _:
            return None


def _is_key(key: Expression, container: Instance, current: TypeChecker) -> bool:
    """Whether a key of a dict fits, whatever its dtype is. An index of a list has no dtype."""
    given = current.lookup_type_or_none(key)
    if given is None or len(container.args) != 2:
        return False
    return is_subtype(without_dtypes(given), without_dtypes(container.args[0]))


def _bound_to(display: Expression, current: TypeChecker, error: ErrorInfo) -> Var | None:
    """The attribute that an assignment binds to a display, as a class declares it first."""
    statement = assignment_of(Statements(current.tree.defs), error)
    match statement:
        case AssignmentStmt(lvalues=[NameExpr() as target], rvalue=value) if value is display:
            return overridden(target)
        case AssignmentStmt(lvalues=[MemberExpr() as target], rvalue=value) if value is display:
            return variable_of(target, current)
        case _:
            return None


def _fits(given: Type, container: Instance) -> bool:
    def item(typ: Type) -> Type:
        wide = get_proper_type(without_dtypes(container.copy_modified(args=[*container.args[:-1], typ])))
        assert isinstance(wide, Instance)
        return wide.args[-1]

    held = container.args[-1]
    known = [each for each in members(held) if not isinstance(each, AnyType)]
    if known and all(map(is_python_number, known)):
        return is_subtype(given, UnionType.make_union(known))  # a number has no dtype
    return is_subtype(item(given), item(held))
