"""Find errors about None or an object beside a parameter of a lambda that gets its type from the plugin.

Stock mypy infers Any for `p` in `lax.map(lambda p: p / scale, xs)`, so a `scale` that may be None is not an error. Nor
is an object that is passed to `functools.partial(lambda p: p / scale)`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, LambdaExpr, NameExpr, Node, OpExpr, RefExpr, Var

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes, nodes_in

#: Operands that are neither arrays nor numbers, as mypy writes them.
_OTHERS: Final = ('"None"', '"object"')


def are_beside_others(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an operation with None or an object has such a parameter among its operands."""
    if not any(other in error.message for other in _OTHERS):
        return False
    place, region = (error.line, error.column), nodes_in(Region.around(current.tree.defs, error.line))
    operations = [node for node in region if isinstance(node, OpExpr) and (node.line, node.column) == place]
    read = {name.node for each in operations for name in nodes(each) if isinstance(name, NameExpr)}
    return bool(read) and not read.isdisjoint(_parameters(region))


def _parameters(region: Iterable[Node]) -> Iterator[Var]:
    """The parameters of the lambdas that are arguments of an array library's function, or of `functools.partial`."""
    for node in region:
        if isinstance(node, CallExpr) and _types_parameters(node.callee):
            for argument in node.args:
                if isinstance(argument, LambdaExpr):
                    yield from (each.variable for each in argument.arguments)


def _types_parameters(callee: Expression) -> bool:
    """Whether the plugin gives types to the parameters of lambdas that this function gets."""
    return isinstance(callee, RefExpr) and (is_own(callee.fullname) or callee.fullname == names.FUNCTOOLS_PARTIAL)
