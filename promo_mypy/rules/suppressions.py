"""Read the comments that accept findings: `# promo: ignore[promo-mismatch] -- reason`.

A comment behind code holds for its line. Behind the end of a statement of several lines, and alone above a statement,
it holds for the whole statement. `# promo: ignore-file[...]` holds for the file. Without codes it holds for every code.
Strings may contain such texts: only comments count.
"""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from typing import Final

from promo_mypy.rules.records import record
from promo_mypy.rules.wording.diagnostics import PARENT

#: What every such comment contains.
_MARK: Final = "promo:"
_COMMENT: Final = re.compile(
    r"#\s*promo:\s*(?P<kind>ignore-file|ignore)(?=\s*(?:\[|--|#|$))(?:\s*\[(?P<codes>[^\]\n]*)\])?(?:\s*(?P<reason>--[^#]*))?"
)
_LAST_LINE: Final = 2**31
_BLANK: Final = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER})


@record
class Suppression:
    """A comment that accepts findings.

    Attributes:
        line: its line, from 1.
        column: where it begins, from 1, in characters.
        end_column: where it ends.
        kind: `ignore` or `ignore-file`.
        codes: the codes that it names; the parent of all codes if it names none.
        reason: the text behind them, from `--` on.
        first: the first line for which it holds.
        last: the last one.
    """

    line: int
    column: int
    end_column: int
    kind: str
    codes: tuple[str, ...]
    reason: str
    first: int
    last: int

    def with_codes(self, codes: Iterable[str]) -> str:
        """The text of the comment with other codes."""
        return f"{comment_for(codes, self.kind)}{f' {self.reason}' if self.reason else ''}"

    def covers(self, code: str, first: int, last: int) -> bool:
        """Whether it accepts a code in an expression that takes some lines."""
        return (code in self.codes or PARENT in self.codes) and self.first <= last and first <= self.last


def comment_for(codes: Iterable[str], kind: str = "ignore") -> str:
    """A comment that accepts some codes."""
    return f"# promo: {kind}[{', '.join(codes)}]"


def suppressions(text: str) -> tuple[Suppression, ...]:
    """The comments of a text that accept findings, in its order; none behind what cannot be read as Python."""
    if _MARK not in text:
        return ()
    return tuple(sorted(_found(text), key=lambda each: (each.line, each.column)))


def _found(text: str) -> Iterator[Suppression]:
    statement: int | None = None
    """The first line of the statement that is being read."""
    alone: list[tokenize.TokenInfo] = []
    """Comments alone in their lines, which hold for what comes next."""
    above: list[tokenize.TokenInfo] = []
    """Those above the statement."""
    behind: list[tokenize.TokenInfo] = []
    """Comments behind code in the line that is being read."""
    for token in _tokens(text):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            is_alone = not token.line[: token.start[1]].strip()
            (alone if is_alone else behind).append(token)
        elif token.type == tokenize.NEWLINE:
            first = line if statement is None else statement
            yield from _read([*above, *alone, *behind], first, line)
            statement, alone, above, behind = None, [], [], []
        elif token.type not in _BLANK:
            if statement is None:
                statement, above = line, alone
            else:  # between the brackets of a statement: for the line below
                yield from _read(alone, line, line)
            alone = []
        elif token.type == tokenize.NL and behind:  # between brackets, or behind none at all
            yield from _read(behind, line, line)
            behind = []
    yield from _read([*above, *alone], _LAST_LINE, _LAST_LINE)


def _read(comments: Iterable[tokenize.TokenInfo], first: int, last: int) -> Iterator[Suppression]:
    for token in comments:
        for match in _COMMENT.finditer(token.string):
            listed = [code.strip() for code in (match["codes"] or "").split(",")]
            codes = tuple(filter(None, listed)) if match["codes"] is not None else (PARENT,)
            line, column = token.start[0], token.start[1] + 1
            of_file = match["kind"] == "ignore-file"
            yield Suppression(
                line,
                column + match.start(),
                column + len(match[0].rstrip()) + match.start(),
                match["kind"],
                codes,
                (match["reason"] or "").rstrip(),
                1 if of_file else first,
                _LAST_LINE if of_file else last,
            )


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return
