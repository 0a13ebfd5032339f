"""Index the expressions in mypy's tree of a module by kind and place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from mypy.nodes import Context, Expression, FuncItem, Node

from promo_mypy.plugin.interface.trees import nodes_as_written
from promo_mypy.program.expressions import Place

#: Kind and place -> the nodes: one for each copy of a function that mypy checks.
Nodes = Mapping[tuple[type[Node], Place], list[Expression]]


def nodes_of(written: Iterable[Node]) -> Nodes:
    """The expressions among the nodes of a tree, and those in copies of its functions.

    mypy checks a function with restricted type variables once for each of their values, in copies.
    """
    found: defaultdict[tuple[type[Node], Place], list[Expression]] = defaultdict(list)
    waiting = [written]
    while waiting:
        # mypy makes several nodes in one place for `a and b and c`. The outermost is the whole expression.
        outermost: dict[tuple[type[Node], Place], Expression] = {}
        for node in waiting.pop():
            if isinstance(node, Expression):
                outermost.setdefault((type(node), place_of(node)), node)
            elif isinstance(node, FuncItem):
                waiting += [nodes_as_written(copy) for copy in node.expanded if copy is not node]
        for key, expression in outermost.items():
            found[key].append(expression)
    return found


def place_of(node: Context) -> Place:
    """The place of a node."""
    end_line = node.line if node.end_line is None else node.end_line
    return Place(node.line, node.column, end_line, node.column if node.end_column is None else node.end_column)
