"""Give an attribute that holds a number its own type where a value of known type is assigned.

The plugin gives the type `int | Any` to an attribute that may be bound to a value of type Any (see `number_variables`).
Stock mypy infers int for it, and reports `self.n = "text"`.
"""

from mypy.nodes import Expression, MemberExpr, Node, Var
from mypy.plugin import AttributeContext
from mypy.types import Type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.container_types import may_be_anything


def infer(ctx: AttributeContext, session: Session) -> Type:  # noqa: ARG001 (as every feature)
    """The type of `self.n` in `self.n = value`."""
    current, target = type_checker.checker(ctx.api), ctx.context
    declared = current.var_decl_frames
    if not ctx.is_lvalue or not isinstance(target, MemberExpr) or not isinstance(declared, Declarations):
        return ctx.default_attr_type
    variable = attribute_of(ctx.type, target.name)
    before = declared.variables.opened_numbers.get(variable) if variable is not None else None
    value = _value_of(target, current) if before is not None else None
    if before is None or value is None:
        return ctx.default_attr_type
    given = type_checker.quiet_type(ctx.api, value)
    return ctx.default_attr_type if may_be_anything(given) or value_marks.is_marked(given) else before


def full_name(attribute: Var) -> str:
    """The name by which mypy looks up the hook of an attribute."""
    return f"{attribute.info.fullname}.{attribute.name}"


def _value_of(target: Node, current: type_checker.TypeChecker) -> Expression | None:
    """The value that an assignment gives the target as a whole."""
    found = (each for site in definitions(current.tree).statements for each in site.definitions)
    plain = (each for each in found if each.target is target and each.way is Way.VALUE)
    return next((each.whole_value for each in plain), None)
