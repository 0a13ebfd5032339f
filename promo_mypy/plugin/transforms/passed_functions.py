"""Infer a function without annotations where its transform is called at once: `jax.vmap(scaled)(a)`.

To stock mypy such a function takes Any and returns Any. In this call it has the types of the arguments, and returns
what its body returns for them (see `followed_bodies`). A variable that holds the transformed function is called in the
same way (see `stored_lambdas`).
"""

from mypy.nodes import CallExpr, Expression, NameExpr
from mypy.types import CallableType, Type

from promo_mypy.plugin.calls.arguments.traced_values import has_known_array
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker.type_checker import current_function, tree
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.called_lambdas import passing_calls
from promo_mypy.plugin.transforms.followed_bodies import refined_result
from promo_mypy.plugin.transforms.lambda_parameters import parameter_types
from promo_mypy.plugin.trees.transform_calls import has_no_annotations


def as_called(function: Type, ctx: CallContext, expression: Expression, session: Session) -> Type:
    """The type of the function in the call around its transform; its own type if nothing more is known.

    A call outside functions keeps its type: the daemon does not check it again when a body changes.
    """
    made = ctx.context
    named = expression.node if isinstance(expression, NameExpr) else None
    if not isinstance(made, CallExpr) or not made.args or made.args[0] is not expression:
        return function
    if current_function(ctx.api) is None or not has_body(named, tree(ctx.api)) or not has_no_annotations(named):
        return function
    passing = passing_calls(made, session, ctx.api)
    types = parameter_types(named, passing, session, ctx.api) if passing else None
    if types is None or not any(has_known_array(typ, session) for typ in types):
        return function
    result = refined_result(unknown(), expression, types, session, ctx.api)
    if not session.mentions_dtype(result):
        return function
    builtin = ctx.api.named_generic_type("builtins.function", [])
    return CallableType(types, named.arg_kinds, named.arg_names, result, builtin, name=named.name)
