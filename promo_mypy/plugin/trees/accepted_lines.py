"""Know the lines of a file in which a comment accepts an error of the plugin: `# promo: ignore[...]`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Final

from promo_mypy.rules.suppressions import Suppression, suppressions

_are_reported: ContextVar[bool] = ContextVar("_are_reported", default=False)
#: Files whose comments are kept. mypy reports the errors of one file after the other.
_MOST_FILES: Final = 4


@contextmanager
def reported() -> Iterator[None]:
    """In this context mypy reports accepted errors, too: the linter counts them."""
    token = _are_reported.set(True)
    try:
        yield
    finally:
        _are_reported.reset(token)


def are_reported() -> bool:
    """Whether mypy reports accepted errors, too."""
    return _are_reported.get()


def is_accepted(path: str, code: str, first: int, last: int) -> bool:
    """Whether a comment in a file accepts a code in an expression that takes some lines."""
    if _are_reported.get():
        return False
    try:
        stamp = Path(path).stat()
    except OSError:  # as with `mypy -c`
        return False
    comments = _comments(path, stamp.st_mtime_ns, stamp.st_size)
    return any(each.covers(code, first, last) for each in comments)


@lru_cache(_MOST_FILES)
def _comments(path: str, _written: int, _size: int) -> tuple[Suppression, ...]:
    """The comments of a file; the daemon reads a file again that has changed."""
    try:
        return suppressions(Path(path).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ()
