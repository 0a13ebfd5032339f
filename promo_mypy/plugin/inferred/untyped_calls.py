"""Find values and calls that are Any to stock mypy because a wrapper such as `jax.jit` has no types.

With the plugin the wrapped function keeps its signature. Its fallback is the wrapper's class, which tells that stock
mypy accepts any arguments, and infers Any for the result and for all that is read from it.
"""

from collections.abc import Mapping, Sequence

from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Node, Var
from mypy.types import FunctionLike, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf

Values = Mapping[Var, Sequence[Expression]]


def calls_untyped(value: Node, type_of: TypeOf) -> bool:
    """Whether this calls a function that such a wrapper returned."""
    function = get_proper_type(type_of(value.callee)) if isinstance(value, CallExpr) else None
    return isinstance(function, FunctionLike) and function.fallback.type.fullname in names.UNTYPED_WRAPPERS


def is_of_untyped(value: Expression, values: Values, type_of: TypeOf) -> bool:
    """Whether a value is the result of such a call, an item or attribute of it, or what a method of it returns.

    `values`: the values that each variable is bound to.
    """
    seen: set[Var] = set()
    waiting: list[Expression] = [value]
    while waiting:
        match waiting.pop():
            case CallExpr() as call if calls_untyped(call, type_of):
                return True
            case MemberExpr(expr=owner) | IndexExpr(base=owner) | CallExpr(callee=MemberExpr(expr=owner)):
                waiting.append(owner)
            case NameExpr(node=Var() as variable) if variable not in seen:
                seen.add(variable)
                waiting += values.get(variable, ())
            case _:
                pass
    return False
