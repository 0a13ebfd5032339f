"""Match paths with the patterns of files and folders to leave out."""

from fnmatch import fnmatch
from pathlib import Path


def is_excluded(path: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern matches a path, its end, or its name."""
    texts = (path.as_posix(), path.name)
    return any(fnmatch(text, each) for pattern in patterns for each in (pattern, f"*/{pattern}") for text in texts)


def is_excluded_below(home: Path, file: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern matches a file below a folder, or one of the folders between the two."""
    if not file.is_relative_to(home):
        return False
    inside = file.relative_to(home)
    return any(is_excluded(each, patterns) for each in (inside, *inside.parents[:-1]))
