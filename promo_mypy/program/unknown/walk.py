"""Walk from an expression of unknown dtype back to what leaves it unknown."""

import ast
from collections.abc import Sequence, Set
from typing import Final

from promo_mypy.program.definitions.reader import Source, Way
from promo_mypy.program.unknown.known_types import is_doubtful, may_be_array


class Walk:
    """Walks back in a program."""

    def __init__(self) -> None:
        self._ends: Final[dict[ast.expr, Source]] = {}
        #: What leads to no end.
        self._endless: Final[set[ast.expr]] = set()
        self._sources: Final[dict[ast.expr, Sequence[Source] | None]] = {}
        self._own: Final[dict[ast.expr, Sequence[Source]]] = {}
        #: What leads to a parameter without entering a function -> that parameter.
        self._parameters: Final[dict[ast.expr, Source]] = {}

    def end(self, start: Source) -> Source | None:
        """The first end that is no parameter; None if parameters and known values alone decide."""
        before: dict[ast.expr, Source | None] = {start.syntax: None}
        waiting = [start]
        while waiting:
            step = waiting.pop()
            if step.syntax in self._endless:
                continue
            found = self.sources(step)
            end = step if found is None else self._ends.get(step.syntax)
            if end is not None:
                self._keep(end, step, before)
                return end
            for each in reversed(found or ()):
                if each.syntax not in before and each.way is not Way.SHAPE:
                    before[each.syntax] = step
                    waiting.append(each)
        self._endless.update(before)
        return None

    def _keep(self, end: Source, step: Source | None, before: dict[ast.expr, Source | None]) -> None:
        while step is not None:
            self._ends[step.syntax] = end
            step = before[step.syntax]

    def first(self, start: Source) -> tuple[Source, bool]:
        """The parameter that is found first, and True; without any, the first end of another kind, and False."""
        before: dict[ast.expr, ast.expr | None] = {start.syntax: None}
        waiting: list[tuple[Source, frozenset[ast.AST | None]]] = [(start, frozenset())]
        leaf = None
        while waiting:
            step, entered = waiting.pop()
            parameter = step if step.reader.is_open(step.syntax, entered) else None
            if parameter is None and not entered:
                parameter = self._parameters.get(step.syntax)
            if parameter is not None:
                if not entered:
                    self._note(parameter, step.syntax, before)
                return parameter, True
            inner = self._inside(step)
            if leaf is None and not any(may_be_array(each.syntax, each.reader) for each in inner):
                leaf = step
            for each in reversed(inner):
                if each.syntax not in before:
                    before[each.syntax] = step.syntax
                    new = _entered(step, each)
                    waiting.append((each, entered | new if new else entered))
        return leaf or start, False

    def _note(self, parameter: Source, step: ast.expr | None, before: dict[ast.expr, ast.expr | None]) -> None:
        """Note the parameter for all that leads to it. What is entered on the way stays so."""
        while step is not None:
            self._parameters[step] = parameter
            step = before[step]

    def _inside(self, step: Source) -> Sequence[Source]:
        """The sources of an expression that no function or other object gives."""
        if step.syntax not in self._own:
            self._own[step.syntax] = [each for each in self.sources(step) or () if each.way is not Way.RESULT]
        return self._own[step.syntax]

    def sources(self, step: Source) -> Sequence[Source] | None:
        """What an expression may have its unknown dtype from."""
        if step.syntax not in self._sources:
            found = step.reader.sources(step.syntax)
            doubtful = [each for each in found or () if is_doubtful(each.syntax, each.reader)]
            self._sources[step.syntax] = None if found is None else doubtful
        return self._sources[step.syntax]


def _entered(step: Source, inner: Source) -> Set[ast.AST | None]:
    """The function whose body a step enters."""
    if inner.way is Way.CLOSURE:
        return {inner.reader.scopes.definition(inner.syntax)}
    return {step.syntax} if isinstance(step.syntax, ast.Lambda) else frozenset()
