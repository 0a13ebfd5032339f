"""Infer calls of a variable that holds a lambda, transformed or not: `f = jax.vmap(lambda x: x * 2)`.

To mypy the parameters of such a lambda are Any, as it does not know the later calls. The plugin checks a call `f(a)` as
a call of the expression that `f` is bound to, with `a`. The variable must be unannotated, and bound once, in the file
being checked. A transformed function that declares no dtype counts as a lambda. So does one that transforms decorate.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import (
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    Decorator,
    Expression,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, CallableType, NoneType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_decorators
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.transform_calls import TRANSFORMS, WORDS, has_function
from promo_mypy.plugin.trees.written_arguments import has_stars
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.walks import members

with late():
    from promo_mypy.plugin.calls import autocast
    from promo_mypy.plugin.calls.arguments import traced_values
    from promo_mypy.plugin.mypy_api.checker import call_checking
    from promo_mypy.plugin.transforms import lambda_parameters

#: How deep calls of stored lambdas within stored lambdas are followed: each level may double the work.
_DEPTH: Final = 3
_WORDS: Final = ("lambda", *WORDS)


class StoredLambdas:
    """The names of variables that may hold a lambda, of all files that were checked so far."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def collect(self, file: MypyFile) -> None:
        """Collect the names of a file that mypy is about to check."""
        if file_texts.may_have(file, _WORDS):
            found = definitions(file)
            self._names |= {each.fullname for each in found.variables if _holds_lambda(found.values(each))}
            self._names |= {each.fullname for each in file.defs if isinstance(each, Decorator)}

    def concern(self, fullname: str) -> bool:
        """Whether a call under that name may call a stored lambda."""
        return fullname in self._names


def infer(ctx: CallContext, session: Session) -> Type:
    """The type of the call of a stored lambda; mypy's own type for any other call."""
    return result_of_stored(ctx, session) or ctx.default_return_type


def infer_decorated(ctx: CallContext, session: Session) -> Type | None:
    """The type of the call of a function that a transform decorates; None for any other call."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    is_decorated = isinstance(callee, NameExpr) and isinstance(callee.node, Decorator)
    return result_of_stored(ctx, session) if is_decorated else None


def result_of_stored(ctx: CallContext, session: Session) -> Type | None:
    """The type of the call of a stored lambda; None for any other call, or if its type has no dtype."""
    call, watch = ctx.context, session.watch
    if watch.leaves_alone(ctx.api) or not isinstance(call, CallExpr) or has_stars(call):
        return None
    if session.mentions_dtype(ctx.default_return_type) or autocast.has_autocast(call, ctx.api):
        return None
    stored = _stored(call.callee, ctx.api)
    under_way = watch.memo.replayed
    if stored is None or stored in under_way or len(under_way) >= _DEPTH:
        return None
    types = [type_checker.quiet_type(ctx.api, argument) for argument in call.args]
    if not any(traced_values.has_known_array(typ, session) for typ in types):
        return None
    if isinstance(stored, LambdaExpr):
        # All parameters need a type: mypy infers none for a parameter with a default when it checks a lambda's call.
        matched = lambda_parameters.parameter_types(
            stored, [lambda_parameters.PassingCall(call, 0, lambda_parameters.Passage.DIRECT)], session, ctx.api
        )
        if matched is None:
            return None
        replayed = call_checking.new_call(stored, matched, like=call, positional=True)
    else:
        copied = call_checking.copy_of_calls(stored, TRANSFORMS)
        replayed = call_checking.new_call(copied, types, like=call, positional=False)
    around = {stored: replayed, **_calls_around(replayed)}
    under_way.update(around)
    try:
        result = call_checking.result_of_new_call(ctx.api, replayed)
    finally:
        for each in around:
            del under_way[each]
    if not session.mentions_dtype(result) or any(isinstance(member, NoneType) for member in members(result)):
        return None  # stock mypy infers Any for the result of a lambda, and no None
    return make_simplified_union(list(map(_accepting_anything, members(result))))


def _calls_around(call: CallExpr) -> Mapping[Expression, CallExpr]:
    """Maps each transform in a call that is not in the file to the call around it."""
    found: dict[Expression, CallExpr] = {}
    inner = call.callee
    while isinstance(inner, CallExpr):
        found[inner], call = call, inner
        inner = inner.args[0] if inner.args else inner.callee
    return found


def _accepting_anything(typ: Type) -> Type:
    """A function with Any as its parameters, and Any for a number: to stock mypy all of it is Any. Others stay."""
    proper = get_proper_type(typ)
    if is_python_number(typ):
        return AnyType(TypeOfAny.special_form)
    if not isinstance(proper, CallableType):
        return typ
    anything = AnyType(TypeOfAny.special_form)
    kinds = [ARG_STAR, ARG_STAR2]
    return proper.copy_modified(arg_types=[anything, anything], arg_kinds=kinds, arg_names=[None, None], variables=[])


def _stored(callee: Expression, api: CheckerPluginInterface) -> Expression | None:
    variable, file = callee.node if isinstance(callee, NameExpr) else None, type_checker.tree(api)
    if has_decorators(variable, file):
        return call_checking.call_of_decorators(variable, TRANSFORMS)
    if not isinstance(variable, Var) or not is_unannotated(variable):
        return None
    values = definitions(file).values(variable)
    return values[0] if values is not None and len(values) == 1 and _holds_lambda(values) else None


def _holds_lambda(values: Sequence[Expression] | None) -> bool:
    return values is not None and has_function(values[0])
