"""Remove the comments, or the codes in them, that accept no finding."""

from collections.abc import Iterable

from promo_mypy.rules.findings import Replacement
from promo_mypy.rules.suppressions import suppressions


def with_comments(before: str, after: str, replacements: Iterable[Replacement]) -> str:
    """A text with other comments.

    Args:
        before: the text that the findings are about.
        after: the same with casts. They move a comment in its line, and neither add nor remove one.
        replacements: the comments to write in place of those in `before`.
    """
    numbers = {(each.line, each.column): number for number, each in enumerate(suppressions(before))}
    texts = {numbers.get((each.span.line, each.span.column)): each.text for each in replacements}
    lines = after.split("\n")
    for number, comment in reversed(list(enumerate(suppressions(after)))):
        if number not in texts:
            continue
        line = lines[comment.line - 1]
        code, behind = line[: comment.column - 1], line[comment.end_column - 1 :]
        if texts[number]:
            lines[comment.line - 1] = f"{code}{texts[number]}{behind}"
        elif code.strip() or behind.strip():
            lines[comment.line - 1] = f"{code}{behind.lstrip(' ')}" if behind.strip() else f"{code.rstrip()}{behind}"
        else:
            del lines[comment.line - 1]
    return "\n".join(lines)
