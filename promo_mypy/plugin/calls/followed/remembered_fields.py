"""The types of the arguments that made a dataclass, as the type of the object remembers them.

Where mypy joins two objects it keeps one of their types. So they are read only where one call made the object: from a
variable that is bound once, to the call of the class or of a function that returns one, and from a parameter, which a
body is checked again for.
"""

from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, MypyFile, NameExpr, RefExpr, TypeInfo, Var
from mypy.types import CallableType, Instance, Type, get_proper_type

from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions

_FIELD: Final = "__promo_field_"


def with_field(made: Instance, name: str, typ: Type) -> Instance:
    """The object, whose type remembers that of a field."""
    return made.copy_with_extra_attr(_FIELD + name, typ)


def remembered(made: Instance, name: str) -> Type | None:
    """The type of a field that the call of the class has passed; None if that is unknown."""
    return made.extra_attrs.attrs.get(_FIELD + name) if made.extra_attrs is not None else None


def remembers(typ: Type) -> bool:
    """Whether the type of an object remembers fields."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.extra_attrs is not None and _has_field(proper.extra_attrs.attrs)


def _has_field(attributes: dict[str, Type]) -> bool:
    return any(name.startswith(_FIELD) for name in attributes)


def is_made(expression: Expression, file: MypyFile) -> bool:
    """Whether one call of a class has made the object: it is here, or bound to a variable once, or a parameter."""
    if not isinstance(expression, NameExpr) or not isinstance(expression.node, Var):
        return _is_made_by(expression)
    found = definitions(file).of_variable(expression.node)
    if len(found) != 1:
        return False
    value = found[0].whole_value
    return found[0].way is Way.ARGUMENT if value is None else _is_made_by(value)


def _is_made_by(call: Expression) -> bool:
    """Whether this is the call of a class, or of a function whose result is no join of its arguments."""
    callee = call.callee.node if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr) else None
    signature = callee.type if isinstance(callee, FuncDef) else None
    return isinstance(callee, TypeInfo) or (isinstance(signature, CallableType) and not signature.variables)


def passed(expression: Expression, typ: Type, file: MypyFile) -> Type:
    """The type of an argument, without the memory of an object that may be another one."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or not remembers(proper) or is_made(expression, file):
        return typ
    return Instance(proper.type, proper.args, proper.line, proper.column)
