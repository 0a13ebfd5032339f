"""Ignore a finding with a comment in its line: `# type: ignore[promo-mismatch]`."""

import io
import re
import tokenize
from dataclasses import dataclass
from typing import Final

_IGNORE: Final = re.compile(r"#\s*type:\s*ignore\[(?P<codes>[^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to insert: line and column count from 1, columns in characters."""

    line: int
    column: int
    text: str


def ignoring(text: str, line: int, code: str) -> Insertion | None:
    """What makes mypy ignore a code in a line; None where no comment can be, or where one ignores everything."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    comment = next((token for token in tokens if token.type == tokenize.COMMENT and token.start[0] == line), None)
    if comment is None:
        return _at_end(text, tokens, line, code)
    column = comment.start[1] + 1
    ignore = _IGNORE.search(comment.string)
    if ignore is None:
        return Insertion(line, column, f"# type: ignore[{code}] ")
    separator = ", " if ignore["codes"].strip() else ""
    return Insertion(line, column + ignore.end("codes"), f"{separator}{code}")


def _at_end(text: str, tokens: list[tokenize.TokenInfo], line: int, code: str) -> Insertion | None:
    if any(token.start[0] <= line < token.end[0] for token in tokens if token.type != tokenize.NEWLINE):
        return None  # in a string of several lines
    row = re.split(r"\r\n|\n|\r", text)[line - 1]
    if row.endswith("\\"):
        return None
    return Insertion(line, len(row.rstrip()) + 1, f"  # type: ignore[{code}]")
