"""Find calls of transforms in a file, and the function that they transform: `jax.jit(jax.vmap(lambda x: x))`."""

from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, LambdaExpr, NameExpr, RefExpr

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import is_own

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
#: A file whose text has none of these words has no call of them.
WORDS: Final = tuple({name.rpartition(".")[2] for name in TRANSFORMS})


def lambda_in(expression: Expression) -> LambdaExpr | None:
    """The lambda that an expression is, or that its calls of transforms transform; None for other expressions."""
    transformed = _transformed(expression)
    return transformed if isinstance(transformed, LambdaExpr) else None


def has_function(expression: Expression) -> bool:
    """The same for functions of the file and of array libraries, too, if a transform gets them by name."""
    transformed = _transformed(expression)
    if not isinstance(transformed, RefExpr) or transformed is expression:
        return isinstance(transformed, LambdaExpr)
    is_function = isinstance(transformed, NameExpr) and isinstance(transformed.node, FuncDef)
    return is_function or is_own(transformed.fullname)


def _transformed(expression: Expression) -> Expression:
    """What the calls of transforms in an expression transform; any other expression itself."""
    while isinstance(expression, CallExpr) and name_of(expression) in TRANSFORMS and expression.args:
        expression = expression.args[0]
    return expression


def name_of(call: CallExpr) -> str | None:
    """The full name of the called function."""
    return call.callee.fullname if isinstance(call.callee, RefExpr) else None
