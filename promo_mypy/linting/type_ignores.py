"""Take the effect from `# type: ignore` without a code at the top of a file, with which mypy skips the whole file."""

import re
from typing import Final

#: A comment above all code, as mypy reads it.
_COMMENT: Final = re.compile(
    rb"\A(?P<before>(?:\xef\xbb\xbf)?(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*?[ \t\f]*#[ \t]*type):"
    rb"(?=[ \t]*ignore[ \t]*(?:#|\r|\n|\Z))"
)
_BARE: Final = re.compile(r"#\s*type:\s*ignore(?!\s*\[)")


def has_bare_ignore(text: str) -> bool:
    """Whether a text may have a comment `# type: ignore` without a code."""
    return _BARE.search(text) is not None


def without_file_ignore(content: bytes) -> bytes:
    """The content of a file without such a comment; it keeps its length (without one, the same object)."""
    return _COMMENT.sub(rb"\g<before>_", content) if b"type:" in content else content
