"""Find values and calls that are Any to stock mypy because a wrapper such as `jax.jit` has no types.

With the plugin the wrapped function keeps its signature. Its fallback is the wrapper's class, which tells that stock
mypy accepts any arguments, and infers Any for the result and for all that is read from it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, IndexExpr, LambdaExpr, MemberExpr, NameExpr, Node, RefExpr, Var
from mypy.types import FunctionLike, TypeVarType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred import declared_classes
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.libraries import is_own

_PARTIAL: Final = "functools.partial"

Values = Mapping[Var, Sequence[Expression]]


def calls_untyped(value: Node, type_of: TypeOf) -> bool:
    """Whether this calls a function that such a wrapper returned."""
    function = get_proper_type(type_of(value.callee)) if isinstance(value, CallExpr) else None
    return isinstance(function, FunctionLike) and function.fallback.type.fullname in names.UNTYPED_WRAPPERS


def makes_any(transform: CallExpr, may_be_anything: Callable[[Expression], bool]) -> bool:
    """Whether stock mypy may infer Any for a call of the function that a transform such as `jax.vmap` returns.

    `may_be_anything`: that of an expression.
    """
    made = transform.callee
    if not isinstance(made, RefExpr) or not transform.args:
        return False
    function = transform.args[0]
    if made.fullname == _PARTIAL:
        return isinstance(function, LambdaExpr)
    if not is_own(made.fullname) or not _keeps_type(made.node):
        return is_own(made.fullname)
    match function:
        case LambdaExpr() if isinstance(body := function.expr(), CallExpr) and isinstance(body.callee, RefExpr):
            return declared_classes.may_return_any(body.callee.node) or may_be_anything(body)
        case RefExpr(node=FuncDef() as named):
            return declared_classes.may_return_any(named)
        case _:
            return True


def _keeps_type(transform: Node | None) -> bool:
    """Whether a transform is declared to return a function of the type that it gets, as `jax.vmap` is."""
    declared = declared_classes.results(transform)
    return declared is not None and all(isinstance(get_proper_type(each), TypeVarType) for each in declared)


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
