"""Drop the dtype of an attribute of another module after it has got a value of another or an unknown dtype.

mypy goes on with the type of the attribute, which that module has inferred. After such an assignment an inserted call,
for which mypy calls a hook, makes the dtype unknown until the next one. The attribute itself keeps its type.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    AwaitExpr,
    CallExpr,
    ConditionalExpr,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    Statement,
    StrExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred import value_kinds
from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.inferred.inserted_calls import insert_after
from promo_mypy.plugin.mypy_api.checker.narrowing import widen_attribute
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import is_inserted
from promo_mypy.plugin.mypy_api.symbols import is_foreign, is_unannotated
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.types.container_types import holds_array, without_dtypes

#: Values that may be Any to mypy.
_UNKNOWN: Final = (AwaitExpr, CallExpr, ConditionalExpr, IndexExpr, MemberExpr, NameExpr, OpExpr, UnaryExpr)


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each statement that may bind an attribute of another module to a value of type Any."""
    found: list[tuple[Site, MemberExpr]] = []
    for site in definitions(tree).statements:
        match site.node:
            case AssignmentStmt(lvalues=[MemberExpr() as target], rvalue=value) if isinstance(value, _UNKNOWN):
                if not _is_own(target, site):
                    found.append((site, target))
    insert_after(found, tree, modules)


def drop_after(statement: Statement, target: MemberExpr, current: TypeChecker) -> None:
    """Insert such a call after the statement that mypy checks, which binds an attribute."""
    beside = definitions(current.tree).statements_at(statement.line)
    site = next((each for each in beside if each.node is statement), None)
    if site is not None:
        insert_after([(site, target)], current.tree, current.modules)


def drop_dtype(ctx: FunctionContext) -> None:
    """The inserted call: make the dtype unknown if the value does not fit it. A number or scalar may be anything."""
    (name,), current = ctx.args[0], checker(ctx.api)
    if not is_inserted(ctx.context) or not isinstance(name, StrExpr):
        return
    for definition in definitions(current.tree).of_attributes(name.value):
        target = definition.target
        if isinstance(target, MemberExpr) and target.line == ctx.context.line:
            typ = current.lookup_type_or_none(target)
            if typ is not None and _loses_dtype(target, typ, definition, current):
                wide = without_dtypes(typ) if holds_array(typ) else AnyType(TypeOfAny.special_form)
                widen_attribute(current, target, wide)


def has_inferred_dtype(attribute: Var, typ: Type) -> bool:
    """Whether the type of an attribute is inferred, and has an array or scalar in it."""
    return is_unannotated(attribute) and (holds_array(typ) or value_kinds.holds_scalar(typ))


def _loses_dtype(target: MemberExpr, typ: Type, definition: Definition, current: TypeChecker) -> bool:
    """Whether an attribute of another module gets a value that may not have its dtype."""
    attribute = variable_of(target, current)
    if attribute is None or not has_inferred_dtype(attribute, typ):
        return False
    if not is_foreign(attribute, current.tree.fullname):
        return False
    given = current.lookup_type_or_none(definition.value) if definition.value is not None else None
    if given is None or definition.way is not Way.VALUE:
        return True
    return isinstance(get_proper_type(given), AnyType) or not is_subtype(given, typ)


def _is_own(target: MemberExpr, site: Site) -> bool:
    """Whether the class around the statement defines the attribute, which it binds for `self`."""
    owner = target.expr.node if isinstance(target.expr, NameExpr) else None
    is_self = isinstance(owner, Var) and owner.is_self
    return is_self and site.owner is not None and target.name in site.owner.names
