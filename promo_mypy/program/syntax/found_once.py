"""Find out something about each node of a tree once, although nodes may depend on themselves."""

import ast
from collections.abc import Callable
from typing import Final, Generic, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Fact = TypeVar("Fact")


class FoundOnce(Generic[Node, Fact]):
    """What is found out about nodes.

    A node that depends on one which is being asked about may stay unknown for that reason alone. It is asked about
    again if something is found out about the other one.

    Args:
        find: finds it out; it may ask this object about other nodes.
        start: what is known of a node while it is asked about.
    """

    def __init__(self, find: Callable[[Node], Fact], start: Fact) -> None:
        self._find: Final = find
        self._start: Final = start
        self._found: Final[dict[int, Fact]] = {}
        #: Node that is being asked about -> its depth: the number of nodes that are for its sake.
        self._asked: Final[dict[int, int]] = {}
        #: Those of them on which another one depends.
        self._needed: Final[set[int]] = set()
        #: Node that stays unknown for now -> the depth of the outermost node that it depends on.
        self._waiting: Final[dict[int, int]] = {}
        #: The least depth of the nodes on which the one that is being asked about depends.
        self._least = 0

    def __call__(self, node: Node) -> Fact:
        """What is found out about a node."""
        key = id(node)
        if key in self._found:
            if key in self._waiting:
                self._least = min(self._least, self._waiting[key])
            return self._found[key]
        if key in self._asked:
            self._needed.add(key)
            self._least = min(self._least, self._asked[key])
            return self._start
        depth = self._asked[key] = len(self._asked)
        before, others = self._least, len(self._waiting)
        self._least = depth
        found = self._found[key] = self._find(node)
        del self._asked[key]
        is_known, is_needed = found != self._start, key in self._needed
        self._needed.discard(key)
        if is_known and is_needed:
            self._ask_again(others)
        elif self._least == depth:
            self._settle(others)
        elif not is_known:
            self._waiting[key] = self._least
        self._least = min(before, self._least)
        return found

    def _ask_again(self, others: int) -> None:
        """Drop the nodes that stayed unknown for the sake of one that is known now."""
        for each in list(self._waiting)[others:]:
            del self._waiting[each], self._found[each]

    def _settle(self, others: int) -> None:
        """Nodes stay unknown that depend on no node that is being asked about."""
        for each in list(self._waiting)[others:]:
            del self._waiting[each]
