"""Walk a file's syntax tree with the function and the class around each node."""

from collections.abc import Iterator

from mypy.nodes import FakeInfo, FuncDef, LambdaExpr, MypyFile, Node, TypeInfo

from promo_mypy.plugin.trees.syntax_trees import checked_last, parts_last_first
from promo_mypy.rules.records import record

#: A function or lambda, or the file around them all.
Place = Node


@record
class _After:
    """What is around the code after a function."""

    place: Place
    info: TypeInfo | None


def placed_nodes(tree: MypyFile) -> Iterator[tuple[Node, Place, TypeInfo | None]]:
    """Every node of a file, with the function around it, and the class whose method that is."""
    place: Place = tree
    info: TypeInfo | None = None
    waiting: list[object] = [tree]
    while waiting:
        found = waiting.pop()
        kind = type(found)
        if kind is list or kind is tuple:
            waiting += reversed(found)  # type: ignore[call-overload]  # as in `nodes`
        elif isinstance(found, Node):
            node = checked_last(found) if kind is FuncDef else found
            yield node, place, info
            if kind is FuncDef and isinstance(node, FuncDef):
                waiting.append(_After(place, info))
                place, info = node, info if isinstance(node.info, FakeInfo) else node.info
            elif kind is LambdaExpr:
                waiting.append(_After(place, info))
                place = node
            waiting += parts_last_first(node)
        elif kind is _After:
            place, info = found.place, found.info  # type: ignore[attr-defined]  # mypy does not narrow by the kind
