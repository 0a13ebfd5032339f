"""Ignore a finding with a comment in its line: `# promo: ignore[promo-mismatch]`."""

import io
import re
import tokenize

from promo_mypy.rules.findings import Replacement, Span
from promo_mypy.rules.suppressions import comment_for, suppressions


def ignoring(text: str, line: int, code: str) -> Replacement | None:
    """The text that makes the check ignore a code in a line, and where to write it; None where no comment can be."""
    known = next((each for each in suppressions(text) if each.line == line and each.kind == "ignore"), None)
    if known is not None:
        return Replacement(Span(line, known.column, line, known.end_column), known.with_codes([*known.codes, code]))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    comment = next((token for token in tokens if token.type == tokenize.COMMENT and token.start[0] == line), None)
    if comment is not None:
        column = comment.start[1] + len(comment.string) + 1
        return Replacement(Span(line, column, line, column), f"  {comment_for([code])}")
    if any(token.start[0] <= line < token.end[0] for token in tokens if token.type != tokenize.NEWLINE):
        return None  # in a string of several lines
    row = re.split(r"\r\n|\n|\r", text)[line - 1]
    if row.endswith("\\"):
        return None
    column = len(row.rstrip()) + 1
    return Replacement(Span(line, column, line, column), f"  {comment_for([code])}")
