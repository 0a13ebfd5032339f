"""Find out something about each node of a tree once, although nodes may depend on themselves."""

import ast
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Fact = TypeVar("Fact")

#: The most guesses for nodes that depend on each other.
_MOST: Final = 8


class Asking:
    """The nodes that are being asked about, by every `FoundOnce` whose facts depend on each other."""

    def __init__(self) -> None:
        #: Node that is being asked about -> its depth: the number of nodes that are for its sake.
        self.asked: Final[dict[_Key, int]] = {}
        #: Those of them on which another one depends.
        self.needed: Final[set[_Key]] = set()
        #: Node about which something is found out for now -> the depth of the outermost node that it depends on.
        self.waiting: Final[dict[_Key, int]] = {}
        #: The least depth of the nodes on which the one that is being asked about depends.
        self.least = 0
        #: Whether what was found out about one of these differs from the guess.
        self.is_wrong = False

    def guess_again(self, others: int) -> None:
        """Ask again, with new guesses, about all but the first of the waiting nodes."""
        for owner, number in list(self.waiting)[others:]:
            del self.waiting[owner, number], owner.found[number]

    def settle(self, others: int, *, holds: bool) -> None:
        """What was found out about these nodes holds; or they are unknown."""
        for owner, number in list(self.waiting)[others:]:
            del self.waiting[owner, number]
            owner.guesses.pop(number, None)
            owner.found[number] = owner.found[number] if holds else owner.unknown


class FoundOnce(Generic[Node, Fact]):
    """What is found out about nodes.

    A node that depends on itself is asked about with a guess: at first `start`, then what was found out with the guess
    before, until that is the guess.

    Args:
        find: finds it out; it may ask this object about other nodes.
        unknown: the answer for a node that is unknown.
        start: the first guess; `unknown` if there is no other.
        asking: the nodes that are being asked about by others, too.
    """

    def __init__(
        self, find: Callable[[Node], Fact], unknown: Fact, start: Fact | None = None, asking: Asking | None = None
    ) -> None:
        self._find: Final = find
        self.unknown: Final = unknown
        self._start: Final = unknown if start is None else start
        self._asking: Final = asking or Asking()
        self.found: Final[dict[int, Fact]] = {}
        self.guesses: Final[dict[int, Fact]] = {}

    def __call__(self, node: Node) -> Fact:
        """What is found out about a node."""
        asking, number = self._asking, id(node)
        key = self, number
        if number in self.found:
            asking.least = min(asking.least, asking.waiting.get(key, asking.least))
            return self.found[number]
        if key in asking.asked:
            asking.needed.add(key)
            asking.least = min(asking.least, asking.asked[key])
            return self.guesses[number]
        asking.asked[key] = len(asking.asked)
        least, is_wrong = asking.least, asking.is_wrong
        self.found[number] = found = self._guessed(node, key)
        del asking.asked[key]
        asking.least, asking.is_wrong = min(least, asking.least), asking.is_wrong or is_wrong
        return found

    def _guessed(self, node: Node, key: "_Key") -> Fact:
        """What is found out. Of nodes that depend on each other, the outermost one decides whether the guesses hold."""
        asking, number = self._asking, key[1]
        depth, others = asking.asked[key], len(asking.waiting)
        self.guesses.setdefault(number, self._start)
        for _ in range(_MOST):
            asking.least, asking.is_wrong = depth, False
            found = self._find(node)
            if key in asking.needed:
                asking.needed.discard(key)
                asking.is_wrong |= found != self.guesses[number]
                self.guesses[number] = found
            if asking.least < depth:
                asking.waiting[key] = asking.least
                return found
            if not asking.is_wrong:
                break
            asking.guess_again(others)
        holds = not asking.is_wrong and (found != self._start or self._start == self.unknown)
        asking.is_wrong = False
        asking.settle(others, holds=holds)
        del self.guesses[number]
        return found if holds else self.unknown


_Key = tuple[FoundOnce[Any, Any], int]
