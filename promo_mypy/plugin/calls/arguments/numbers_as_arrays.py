"""Find NumPy arrays that are made of a number: `np.array(3)` has no dimensions, and its type does not say so."""

from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, MypyFile, NameExpr, OpExpr, RefExpr, UnaryExpr, Var
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types.array_types import is_number
from promo_mypy.rules.functions.numpy import dimensions

#: How many expressions are followed, one to the next.
_DEEPEST: Final = 8


def is_made_of_number(expression: Expression, api: CheckerPluginInterface) -> bool:
    """Whether an array has no dimensions by its text: `np.array(3)`, a name of it, `-x`, `x.astype(...)`."""
    return _is_made(expression, api, type_checker.tree(api), _DEEPEST)


def _is_made(expression: Expression, api: CheckerPluginInterface, tree: MypyFile, steps: int) -> bool:
    if not steps:
        return False
    match expression:
        case CallExpr(callee=RefExpr(fullname=name), args=[first, *_]) if name.startswith("numpy."):
            is_making = name.rpartition(".")[2] in dimensions.MAKING
            return is_making and (_is_number(first, api) or _is_made(first, api, tree, steps - 1))
        case CallExpr(callee=MemberExpr(name=name, expr=array)) if name in dimensions.KEEPING:
            return _is_made(array, api, tree, steps - 1)
        case OpExpr(left=left, right=right):
            made = [_is_made(each, api, tree, steps - 1) for each in (left, right)]
            return all(made) or (made[0] and _is_number(right, api)) or (made[1] and _is_number(left, api))
        case UnaryExpr(expr=operand):
            return _is_made(operand, api, tree, steps - 1)
        case NameExpr(node=Var() as variable):
            values = definitions(tree).values(variable)
            return bool(values) and all(_is_made(value, api, tree, steps - 1) for value in values or ())
        case _:
            return False


def _is_number(expression: Expression, api: CheckerPluginInterface) -> bool:
    typ = type_checker.expression_type(type_checker.checker(api), expression)
    return typ is not None and is_number(typ)
