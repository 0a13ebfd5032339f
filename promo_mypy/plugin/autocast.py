"""Whether code stands in a function with a region in which PyTorch chooses dtypes by itself."""

from functools import lru_cache

from mypy.nodes import CallExpr, RefExpr, WithStmt
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin import mypy_internals, names
from promo_mypy.plugin.bindings import Statements, nodes


def has_autocast(api: CheckerPluginInterface) -> bool:
    """Whether the function that is being checked, or the top of the file, has a `with torch.autocast(...)`."""
    function = mypy_internals.current_function(api)
    return _has_autocast(Statements(mypy_internals.tree(api).defs if function is None else function.body.body))


@lru_cache(maxsize=1)  # asked for every call in a function, one function after the other
def _has_autocast(body: Statements) -> bool:
    return any(isinstance(node, WithStmt) and any(map(_is_autocast, node.expr)) for node in nodes(body.statements))


def _is_autocast(expression: object) -> bool:
    callee = expression.callee if isinstance(expression, CallExpr) else expression
    return isinstance(callee, RefExpr) and callee.fullname in names.TORCH_AUTOCAST
