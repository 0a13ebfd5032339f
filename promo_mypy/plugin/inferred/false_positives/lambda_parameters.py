"""Find errors about None beside a parameter of a lambda that gets its type from the plugin.

Stock mypy infers Any for `p` in `lax.map(lambda p: p / scale, xs)`, so a `scale` that may be None is not an error.
"""

from collections.abc import Iterable, Iterator

from mypy.nodes import CallExpr, Expression, LambdaExpr, NameExpr, Node, OpExpr, RefExpr, Var

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes, nodes_in


def are_beside_none(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an operation with None has such a parameter among its operands."""
    if '"None"' not in error.message:
        return False
    place, region = (error.line, error.column), nodes_in(Region.around(current.tree.defs, error.line))
    operations = [node for node in region if isinstance(node, OpExpr) and (node.line, node.column) == place]
    read = {name.node for each in operations for name in nodes(each) if isinstance(name, NameExpr)}
    return bool(read) and not read.isdisjoint(_parameters(region))


def _parameters(region: Iterable[Node]) -> Iterator[Var]:
    """The parameters of the lambdas that are arguments of an array library's function."""
    for node in region:
        if isinstance(node, CallExpr) and _is_of_library(node.callee):
            for argument in node.args:
                if isinstance(argument, LambdaExpr):
                    yield from (each.variable for each in argument.arguments)


def _is_of_library(callee: Expression) -> bool:
    return isinstance(callee, RefExpr) and is_own(callee.fullname)
