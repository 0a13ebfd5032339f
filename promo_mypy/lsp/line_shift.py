"""Carry places from an older text of a file to its newest one, while mypy has not checked that, or cannot."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from promo_mypy.rules.findings import Span


class LineShift:
    """Where the lines of an older text are now. Lines above and below the edit stay; those in between are gone."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        shorter = min(len(before), len(after))
        same = next((index for index in range(shorter) if before[index] != after[index]), shorter)
        left = shorter - same
        end = next((index for index in range(left) if before[-1 - index] != after[-1 - index]), left)
        self._same: Final = same
        self._end: Final = len(before) - end
        self._moved: Final = len(after) - len(before)

    @property
    def changed(self) -> range:
        """The lines of the older text, counted from 1, that have changed; for an insertion, where it is."""
        return range(self._same + 1, self._end + 1)

    def line(self, line: int) -> int | None:
        """The line, counted from 1, that an older line is now; None if it has changed."""
        if line <= self._same:
            return line
        return line + self._moved if line > self._end else None

    def span(self, span: Span) -> Span | None:
        """The same for all lines of a span."""
        lines = {self.line(line) for line in range(span.line, span.end_line + 1)}
        first, last = self.line(span.line), self.line(span.end_line)
        if first is None or last is None or None in lines or last - first != span.end_line - span.line:
            return None
        return replace(span, line=first, end_line=last)
