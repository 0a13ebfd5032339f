"""The findings of a check as plain values."""

from dataclasses import dataclass

from promo_mypy.checking.left_out import LeftOut


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: lines and columns from 1, columns in characters; the end is after the last one."""

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
class Cast:
    """A cast to insert.

    Attributes:
        span: the expression to cast.
        template: the cast with `{}` in place of the expression: `{}.astype(np.float32)`. Without `{}` it takes
            the place of the expression: `np.float32` that of another dtype.
    """

    span: Span
    template: str


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

    @property
    def place(self) -> str:
        """The place in the file, as editors read it: line and column, in a notebook after the cell."""
        cell = f"cell {self.cell}:" if self.cell is not None else ""
        return f"{cell}{self.span.line}:{self.span.column}"

    @property
    def text(self) -> str:
        """The message with the remedy, in one line."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


@dataclass(frozen=True, slots=True, order=True)
class Unseen:
    """A package whose types mypy does not see.

    Attributes:
        package: its name.
        reason: why, in one line.
        imports: how many imports name it.
    """

    package: str
    reason: str
    imports: int


@dataclass(frozen=True, slots=True)
class Report:
    """A finished check.

    Attributes:
        files: the files that were checked, sorted.
        findings: sorted by file and place.
        left_out: the files that could not be read or parsed, sorted.
        unseen: the packages whose types mypy does not see; values from them are of unknown dtype.
        python: the interpreter in whose environment mypy looks for packages.
    """

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    python: str = ""
