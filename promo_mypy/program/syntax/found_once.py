"""Find out something about each node of a tree once, although nodes may depend on themselves."""

import ast
from collections.abc import Callable
from typing import Final, Generic, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Fact = TypeVar("Fact")


class FoundOnce(Generic[Node, Fact]):
    """What is found out about nodes.

    Args:
        find: finds it out; it may ask this object about other nodes.
        start: what is known of a node while it is asked about.
    """

    def __init__(self, find: Callable[[Node], Fact], start: Fact) -> None:
        self._find: Final = find
        self._start: Final = start
        self._found: Final[dict[int, Fact]] = {}

    def __call__(self, node: Node) -> Fact:
        """What is found out about a node."""
        key = id(node)
        if key not in self._found:
            self._found[key] = self._start
            self._found[key] = self._find(node)
        return self._found[key]
