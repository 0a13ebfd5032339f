"""Ignore a finding with a comment in its line: `# promo: ignore[promo-mismatch]`."""

import io
import re
import tokenize
from dataclasses import dataclass

from promo_mypy.rules.suppressions import comment_for, suppressions


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to write at a place, up to another column: lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_column: int
    text: str


def ignoring(text: str, line: int, code: str) -> Insertion | None:
    """What makes the check ignore a code in a line; None where no comment can be."""
    known = next((each for each in suppressions(text) if each.line == line and each.kind == "ignore"), None)
    if known is not None:
        return Insertion(line, known.column, known.end_column, known.with_codes([*known.codes, code]))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    comment = next((token for token in tokens if token.type == tokenize.COMMENT and token.start[0] == line), None)
    if comment is not None:
        column = comment.start[1] + len(comment.string) + 1
        return Insertion(line, column, column, f"  {comment_for([code])}")
    if any(token.start[0] <= line < token.end[0] for token in tokens if token.type != tokenize.NEWLINE):
        return None  # in a string of several lines
    row = re.split(r"\r\n|\n|\r", text)[line - 1]
    if row.endswith("\\"):
        return None
    column = len(row.rstrip()) + 1
    return Insertion(line, column, column, f"  {comment_for([code])}")
