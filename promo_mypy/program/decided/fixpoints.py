"""Answer questions whose answers depend on each other, in cycles too."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Question = TypeVar("Question", bound=Hashable)


class Fixpoint(Generic[Question]):
    """Yes or no for each question: every answer begins as `start`, and changes at most once, until all of them agree.

    With `start=True` a cycle stays true unless something outside it is false; with `start=False` it is the reverse.

    Args:
        rule: the answer to a question, by the answers to others, which it gets by calling this object.
        start: the answer before the rule is asked.
    """

    def __init__(self, rule: Callable[[Question], bool], *, start: bool) -> None:
        self._rule = rule
        self._start = start
        self._answers: Final[dict[Question, bool]] = {}
        self._askers: Final[defaultdict[Question, list[Question]]] = defaultdict(list)
        self._waiting: Final[list[Question]] = []
        self._asking: list[Question] = []

    def __call__(self, question: Question) -> bool:
        """The answer; the answer so far if a rule asks."""
        if question not in self._answers:
            self._answers[question] = self._start
            self._waiting.append(question)
        if self._asking:
            if self._answers[question] is self._start:
                self._askers[question].append(self._asking[-1])
            return self._answers[question]
        self._agree()
        return self._answers[question]

    def _agree(self) -> None:
        while self._waiting:
            question = self._waiting.pop()
            if self._answers[question] is not self._start:
                continue
            self._asking.append(question)
            try:
                answer = self._rule(question)
            finally:
                self._asking.pop()
            if answer is not self._start:
                self._answers[question] = answer
                self._waiting.extend(self._askers.pop(question, ()))
