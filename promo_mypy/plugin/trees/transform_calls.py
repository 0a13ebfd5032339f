"""Calls of transforms in the text of a file, and the lambda that they are given: `jax.jit(jax.vmap(lambda x: x))`."""

from typing import Final

from mypy.nodes import CallExpr, Expression, LambdaExpr, RefExpr

from promo_mypy.plugin import names

#: Transforms that call a function with what they are called with, or with parts of the arrays among it.
TRANSFORMS: Final = frozenset(
    {
        *names.VMAP,
        *names.TORCH_VMAP,
        *names.SAME_SIGNATURE,
        *names.SAME_SIGNATURE_LATER,
        *names.GRAD,
        *names.VALUE_AND_GRAD,
        *names.GRAD_AND_VALUE,
        *names.JACFWD,
        *names.JACREV,
        names.JAX_JIT,
        names.FILTER_GRAD,
        names.FILTER_VALUE_AND_GRAD,
        names.FILTER_JACFWD,
        *names.FILTER_JACREV,
        names.FUNCTOOLS_PARTIAL,
    }
)


def lambda_in(expression: Expression) -> LambdaExpr | None:
    """The lambda that an expression is, or that the transforms are given whose calls it consists of."""
    while isinstance(expression, CallExpr) and name_of(expression) in TRANSFORMS and expression.args:
        expression = expression.args[0]
    return expression if isinstance(expression, LambdaExpr) else None


def name_of(call: CallExpr) -> str | None:
    """The full name of the function that is called."""
    return call.callee.fullname if isinstance(call.callee, RefExpr) else None
