"""Infer calls of JAX's scalar types (`jnp.float32(x)`) by turning them into calls of functions.

JAX declares the scalar types as Any, and they keep that type as dtype arguments. But mypy calls no hook for a call of
Any. So the plugin binds the name in a call to a function, in the syntax tree of the file that mypy is about to check.
"""

from typing import Final

from mypy.nodes import CallExpr, MypyFile, RefExpr, Var
from mypy.plugin import FunctionContext
from mypy.types import AnyType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.fill import argument_for, filled
from promo_mypy.plugin.calls.reports import stored_numbers
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.mypy_api.nodes.tree_changes import bind_to_function
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types import jax_scalar_types
from promo_mypy.rules import dtype_names
from promo_mypy.rules.ranks import UNKNOWN_RANK

NAMES: Final = jax_scalar_types.NAMES

# Few files have such a call, and it is slow to visit every node of a file.
_CALLS: Final = tuple(f"{name}(" for name in sorted(dtype_names.JAX_NAMES))


def bind_calls(tree: MypyFile, symbols: Symbols) -> None:
    """Bind the scalar types that a file calls to functions. mypy binds names anew before it checks the file again."""
    imported = any(symbols.module(module) is not None for module in jax_scalar_types.MODULES)
    fallback = symbols.instance("builtins.function")
    if not imported or fallback is None or not file_texts.may_have(tree, _CALLS):
        return
    for node in nodes(tree.defs):
        if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) and isinstance(node.callee.node, Var):
            scalar_type = node.callee.node
            if scalar_type.fullname in NAMES and isinstance(get_proper_type(scalar_type.type), AnyType):
                bind_to_function(node.callee, scalar_type, fallback)


def infer(ctx: FunctionContext, session: Session) -> Type:
    """A JAX array of that dtype, whatever the argument is."""
    session.watch.follow(ctx.api)
    array = session.symbols.instance(names.JAX_ARRAY)
    if array is None or not isinstance(ctx.context, CallExpr):
        return ctx.default_return_type
    dtypes = dtypes_named(ctx.context.callee, ctx.default_return_type, Library.JAX, session, ctx.api)
    given = list(arguments(ctx))
    if len(given) == 1 and isinstance(ctx.context.callee, RefExpr):
        name = ctx.context.callee.fullname
        stored_numbers.report_scalar(name, dtypes, given[0], Library.JAX, ctx.context, session, ctx.api)
    return filled(array, argument_for(dtypes, session), UNKNOWN_RANK, session)
