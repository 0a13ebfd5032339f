"""A finding, from the plugin that makes it to the line that is printed: data, and sentences that nobody reads back.

The plugin says what is wrong, and which cast mends it. The linter adds what the text of the file tells: where the
finding is for a reader, where dtypes come from, and how the file spells the cast. The sentences are made by
`promo_mypy.rules.wording`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from promo_mypy.rules.wording.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text; the end is after the last character.

    Lines count from 1, and columns in characters from 1. Until the linter has read the text they are mypy's: columns
    in bytes of UTF-8 from 0.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """The dtype of one operand of an expression."""

    span: Span
    dtype: str


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """A call of the function that a finding is in, and what it passes, as a sentence."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Cast:
    """A cast to insert.

    Attributes:
        span: the expression to cast.
        template: the cast with `{}` in place of the expression: `{}.astype(np.float32)`. Without `{}` it takes
            the place of the expression: `np.float32` that of another dtype. Empty until the linter knows how the file
            spells it.
        dtype: the dtype to cast to.
    """

    span: Span
    template: str = ""
    dtype: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """A text to write in place of a comment; without text the comment goes, and its line if nothing else is in it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A mistake in a file.

    Attributes:
        path: the file, with `/` between folders.
        span: the expression.
        code: the code of the diagnostic.
        message: what is wrong, in one line.
        labels: the dtypes of the operands, in the order of the text.
        origin: where an unexpected dtype comes from, one sentence each, the nearest first.
        remedy: what to write instead; empty if the message says it.
        source: the line of the file in which the expression begins, without blanks around it.
        cast: the cast that mends it, if one certainly does.
        replacement: the comment that mends it, if it is about a comment.
        cell: the cell of a notebook, from 1, that all lines are about; None in other files.
        system: the promotion system that decides; empty if none does.
        calls: the calls in the same file for which it is true, the nearest first. `origin` names those elsewhere, too.
    """

    path: str
    span: Span
    code: str
    message: str
    labels: tuple[Label, ...] = ()
    origin: tuple[str, ...] = ()
    remedy: str = ""
    source: str = ""
    cast: Cast | None = None
    replacement: Replacement | None = None
    cell: int | None = None
    system: str = ""
    calls: tuple[Call, ...] = ()

    def moved(self, where: Callable[[Span], Span | None]) -> "Finding | None":
        """The finding where its spans are elsewhere. `where` is None for one that is gone, and with it what is there:
        operands, calls, a cast or a comment, or the finding itself.
        """
        span = where(self.span)
        if span is None:
            return None
        return replace(
            self,
            span=span,
            labels=tuple(_all_moved(self.labels, where)),
            calls=tuple(_all_moved(self.calls, where)),
            cast=next(_all_moved([self.cast], where), None),
            replacement=next(_all_moved([self.replacement], where), None),
        )

    @property
    def place(self) -> str:
        """The place in the file, as editors read it: line and column, in a notebook after the cell."""
        cell = f"cell {self.cell}:" if self.cell is not None else ""
        return f"{cell}{self.span.line}:{self.span.column}"

    @property
    def text(self) -> str:
        """The message with the remedy, in one line."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


_Part = TypeVar("_Part", Label, Call, Cast, Replacement)


def _all_moved(parts: Iterable[_Part | None], where: Callable[[Span], Span | None]) -> Iterator[_Part]:
    for part in parts:
        span = where(part.span) if part is not None else None
        if part is not None and span is not None:
            yield replace(part, span=span)


#: The place of a finding that mypy has not reported yet.
_NOWHERE: Final = Span(0, 0, 0, 0)


def finding(
    diagnostic: Diagnostic, remedy: str, *, cast: Cast | None = None, system: str = "", **words: object
) -> Finding:
    """A finding of the plugin. mypy knows its file and its place.

    Args:
        diagnostic: what it is.
        remedy: what to write instead.
        cast: the cast that mends it.
        system: the promotion system that decides.
        words: what else the text of the diagnostic names.
    """
    message = diagnostic.text.format(system=system, **words)
    return Finding("", _NOWHERE, diagnostic.code, message, remedy=remedy, cast=cast, system=system)
