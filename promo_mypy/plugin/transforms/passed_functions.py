"""Infer a function that declares no dtype where its transform is called at once: `jax.vmap(scaled)(a)`.

To stock mypy a function without annotations takes Any and returns Any. In this call it has the types of the arguments,
and returns what its body returns for them (see `followed_bodies`). A variable that holds the transformed function is
called in the same way (see `stored_lambdas`). So is a function of a library: `jax.jit(jnp.outer)(a, b)`.
"""

from mypy.nodes import CallExpr, Expression, NameExpr, RefExpr
from mypy.types import CallableType, Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import has_known_array
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.followed.called_bodies import depend_on_body
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker.call_checking import function_context, result_of_call
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, tree
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.called_lambdas import passing_calls
from promo_mypy.plugin.transforms.followed_bodies import refined_result
from promo_mypy.plugin.transforms.lambda_parameters import parameter_types, passed_types
from promo_mypy.plugin.types.array_types import may_lack_dtype


def as_called(function: Type, ctx: CallContext, expression: Expression, session: Session) -> Type:
    """The type of the function in the call around its transform; its own type if nothing more is known."""
    made = ctx.context
    named = expression.node if isinstance(expression, NameExpr) else None
    if not isinstance(made, CallExpr) or not made.args or made.args[0] is not expression:
        return function
    if isinstance(expression, RefExpr) and is_own(expression.fullname):
        return _of_library(function, made, expression, ctx, session)
    if not has_body(named, tree(ctx.api)):
        return function
    signature = named.type if isinstance(named.type, CallableType) else None
    if signature is not None and signature.variables:
        return function  # mypy solves its type variables
    declared = signature.ret_type if signature is not None else unknown()
    if not any(may_lack_dtype(leaf, session.platform) for leaf in pytrees.leaves(declared, fields=True)):
        return function
    depend_on_body(checker(ctx.api), named)
    passing = passing_calls(made, session, ctx.api)
    types = parameter_types(named, passing, session, ctx.api) if passing else None
    if types is None or not any(has_known_array(typ, session) for typ in types):
        return function
    result = refined_result(declared, expression, types, session, ctx.api)
    if not session.mentions_dtype(result):
        return function
    builtin = ctx.api.named_generic_type("builtins.function", [])
    return CallableType(types, named.arg_kinds, named.arg_names, result, builtin, name=named.name)


def _of_library(function: Type, made: CallExpr, named: RefExpr, ctx: CallContext, session: Session) -> Type:
    """The type of a library's function, called with these arguments by position; its own type if that is unknown."""
    types, keywords = passed_types(passing_calls(made, session, ctx.api), session, ctx.api) or ([], {})
    if keywords or not any(has_known_array(typ, session) for typ in types):
        return function
    result, is_accepted = result_of_call(ctx.api, named, types)
    is_known = is_accepted and session.mentions_dtype(result)
    return function_context(ctx.api, types, result) if is_known else function
