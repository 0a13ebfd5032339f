"""Infer calls of functions that have annotated parameters but no annotated result.

To stock mypy they return Any. Where the function stands above its call in the same file, mypy has checked the values
that it returns. If all of them have one type, the call has that type. If that is unknown, `CalledBodies` may follow the
call into the body.
"""

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, MypyFile, RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.own_returns import own_returns
from promo_mypy.plugin.trees.syntax_trees import outer_functions

with late():
    from promo_mypy.plugin.calls import autocast
    from promo_mypy.plugin.calls.arguments import traced_values


class UnannotatedFunctions:
    """The functions without an annotated result, of all files that were checked so far."""

    def __init__(self, bodies: CalledBodies) -> None:
        self._bodies = bodies
        self._functions: dict[str, FuncDef] = {}

    def collect(self, file: MypyFile) -> None:
        """Collect the functions of a file that mypy is about to check."""
        for function in outer_functions(file.defs):
            if not function.info and _has_unannotated_result(function):
                self._functions[function.fullname] = function

    def concern(self, fullname: str) -> bool:
        """Whether a call under that name may call such a function."""
        return fullname in self._functions

    def infer(self, ctx: CallContext, session: Session) -> Type:
        """The type of the values that the function returns; mypy's own type if it is unknown."""
        declared = ctx.default_return_type
        function, is_compiled = self._called(ctx)
        is_any = isinstance(get_proper_type(declared), AnyType)
        if function is None or not is_any or session.watch.leaves_alone(ctx.api):
            return declared
        found = _returned(function, ctx.api) if not autocast.has_autocast(ctx.context, ctx.api) else None
        if found is None or not session.mentions_dtype(found):
            return self._followed(ctx, function)
        return traced_values.as_traced(found, session, ctx.api) if is_compiled else found

    def _followed(self, ctx: CallContext, function: FuncDef) -> Type:
        if not isinstance(ctx, FunctionContext) or not self._bodies.concern(function.fullname):
            return ctx.default_return_type
        return self._bodies.infer(ctx, function.fullname)

    def _called(self, ctx: CallContext) -> tuple[FuncDef | None, bool]:
        """The function that a call names, and whether `jax.jit` decorates it."""
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        node = callee.node if isinstance(callee, RefExpr) else None
        is_compiled = isinstance(node, Decorator) and _is_compiled(node)
        if isinstance(node, Decorator) and is_compiled:
            node = node.func
        function = self._functions.get(node.fullname) if isinstance(node, FuncDef) else None
        # The daemon checks a changed file anew: the function must be the one of the file now.
        return (function if function is node else None), is_compiled


def _is_compiled(decorated: Decorator) -> bool:
    typ = get_proper_type(decorated.var.type)
    return isinstance(typ, CallableType) and typ.fallback.type.fullname == names.JAX_JIT_WRAPPED


def with_result(typ: Type, call: CallContext, named: Expression, session: Session) -> Type:
    """The type of a function that a call or decorator wraps, with the result that its body returns.

    A name outside functions keeps its type: the daemon does not check it again when a body changes.
    """
    function = call.context.func if isinstance(call.context, Decorator) else _function_named(named, call.api)
    signature = get_proper_type(typ)
    if function is None or not isinstance(signature, CallableType) or signature.variables or function.is_generator:
        return typ
    declared = get_proper_type(signature.ret_type)
    if not isinstance(declared, AnyType) or declared.type_of_any is not TypeOfAny.unannotated:
        return typ
    found = _returned(function, call.api)
    if found is None or not session.mentions_dtype(found):
        return typ
    return signature.copy_modified(ret_type=traced_values.as_traced(found, session, call.api))


def _function_named(named: Expression, api: CheckerPluginInterface) -> FuncDef | None:
    node = named.node if isinstance(named, RefExpr) and type_checker.current_function(api) is not None else None
    return node if has_body(node, type_checker.tree(api)) else None


def _has_unannotated_result(function: FuncDef) -> bool:
    """Whether a function has annotated parameters, and none of its results is annotated."""
    signature = function.type
    is_plain = not (function.is_generator or function.is_coroutine)
    if not isinstance(signature, CallableType) or not is_plain:
        return False
    result = get_proper_type(signature.ret_type)
    return isinstance(result, AnyType) and result.type_of_any is TypeOfAny.unannotated and not signature.variables


def _returned(function: FuncDef, api: CheckerPluginInterface) -> Type | None:
    """The one type of all values that a function returns; None if mypy has not checked them, or if they differ."""
    found = [statement.expr for statement in own_returns(function)]
    current = type_checker.checker(api)
    types = [type_checker.expression_type(current, each) if each is not None else None for each in found]
    first = types[0] if types else None
    return first if first is not None and all(typ == first for typ in types) else None
