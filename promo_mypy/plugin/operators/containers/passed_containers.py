"""Widen a container of arrays that is passed to a function which may mutate it: then its items have unknown dtypes.

The parameter types of a function tell whether it may mutate its argument. mypy looks up the hook of a call by the
function's name: for each file the plugin knows the names of functions that get a container.
"""

from collections.abc import Callable, Set

from mypy.nodes import CallExpr, RefExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Type

from promo_mypy.plugin.inferred.aliasing.expressions import Key
from promo_mypy.plugin.inferred.aliasing.mutated_arguments import is_elsewhere, mutated_levels
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.narrowing import widen_aliases
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_function
from promo_mypy.plugin.mypy_api.symbols import is_foreign
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.mutable_types import may_hold

Context = FunctionContext | MethodContext


def concerns(fullname: str, passed: Set[str]) -> bool:
    """Whether a call under that name may get a container and mutate it."""
    return fullname.rpartition(".")[2] in passed and not is_elsewhere(fullname)


def _is_own(key: Key, current: type_checker.TypeChecker) -> bool:
    """Whether a variable belongs to this file. The calls that get a variable of another module are unknown."""
    return isinstance(key, str) or not is_foreign(key, current.tree.fullname)


def infer(ctx: Context, session: Session, then: Callable[[Context], Type] | None) -> Type:
    """The result of the call, by the other feature that it concerns. The containers that it may mutate are widened."""
    session.watch.follow(ctx.api)
    aliases, call = session.watch.file.aliases, ctx.context
    if aliases is not None and isinstance(call, CallExpr) and aliases.statements.may_mutate(call.callee):
        current = type_checker.checker(ctx.api)
        if isinstance(call.callee, RefExpr) and call.callee.node is not None:
            depend_on_function(current, call.callee.node)
        callee = type_checker.expression_type(current, call.callee)
        for argument, levels in mutated_levels(call, callee, current.tree):
            if may_hold(type_checker.expression_type(current, argument)):
                filled = aliases.filled_with(argument, levels)
                widen_aliases(ctx.api, {key for key in filled if _is_own(key, current)}, without_dtypes, call.line)
    return ctx.default_return_type if then is None else then(ctx)
