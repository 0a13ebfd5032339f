"""Find calls of transforms in a file, and the lambda that they transform: `jax.jit(jax.vmap(lambda x: x))`."""

from typing import Final

from mypy.nodes import CallExpr, Expression, LambdaExpr, RefExpr

from promo_mypy.plugin import names

#: Transforms that call a function with their own arguments, or with parts of the arrays among them.
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
    """The lambda that an expression is, or that its calls of transforms transform; None for other expressions."""
    while isinstance(expression, CallExpr) and name_of(expression) in TRANSFORMS and expression.args:
        expression = expression.args[0]
    return expression if isinstance(expression, LambdaExpr) else None


def name_of(call: CallExpr) -> str | None:
    """The full name of the called function."""
    return call.callee.fullname if isinstance(call.callee, RefExpr) else None
