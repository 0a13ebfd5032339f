"""Recognize by the text of an expression that it is a device, where mypy has no type for it."""

import ast

from promo_mypy.program.syntax.scopes import Scopes

#: The most names that lead from one to the next.
_MOST_NAMES = 8


def is_device(expression: ast.expr, scopes: Scopes, names: int = _MOST_NAMES) -> bool:
    """Whether it is the `device` of an object, a name that is bound to one, or a choice among them."""
    match expression:
        case ast.Attribute(attr="device"):
            return scopes.imported(expression) is None
        case ast.Name() if names and scopes.binds_plainly(expression):
            values = scopes.values(expression)
            return bool(values) and all(is_device(each, scopes, names - 1) for each in values)
        case ast.IfExp(body=body, orelse=other):
            return is_device(body, scopes, names) and is_device(other, scopes, names)
    return False
