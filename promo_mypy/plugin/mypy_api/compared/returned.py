"""Find the declared results of functions, and the values that they return and yield."""

from collections.abc import Iterator, Sequence

from mypy.checker import TypeChecker
from mypy.nodes import Node, ReturnStmt, YieldExpr

from promo_mypy.plugin.mypy_api.compared.comparisons import Compared, known
from promo_mypy.rules.wording import mismatches as subjects


def results(current: TypeChecker, node: Node, parents: Sequence[Node]) -> Iterator[Compared]:
    """A returned value."""
    function = current.scope.current_function()
    if not parents or not isinstance(parents[-1], ReturnStmt) or function is None or not current.return_types:
        return
    declared = current.return_types[-1]
    if function.is_generator:
        declared = current.get_generator_return_type(declared, function.is_coroutine)
    elif function.is_coroutine:
        declared = current.get_coroutine_return_type(declared)
    yield from known(current, subjects.RETURNED, node, declared)


def yields(current: TypeChecker, node: Node, _parents: Sequence[Node]) -> Iterator[Compared]:
    """A yielded value."""
    function = current.scope.current_function()
    if isinstance(node, YieldExpr) and node.expr is not None and function is not None and current.return_types:
        declared = current.get_generator_yield_type(current.return_types[-1], function.is_coroutine)
        yield from known(current, subjects.YIELDED, node.expr, declared)
