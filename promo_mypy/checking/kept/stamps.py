"""Compare files without reading them."""

import os
import stat
from hashlib import blake2b
from typing import Final

#: The times of the last change of content and of the last change of anything, in nanoseconds; the size; the inode.
Stamp = list[int]

#: Files change once within this time without a new stamp: the coarsest clock of a file system, in nanoseconds.
RESOLUTION: Final = 2 * 10**9


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file or folder."""
    return [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]


def trusted(stamp: Stamp, now: int) -> Stamp | None:
    """A stamp that any later change replaces; None if the last change is so young that another one may share it.

    Args:
        stamp: the stamp.
        now: a time before the content was read, in nanoseconds.
    """
    return stamp if max(stamp[0], stamp[1]) < now - RESOLUTION else None


def is_younger(status: os.stat_result | None, started: int) -> bool:
    """Whether a path has changed since a time, in nanoseconds."""
    return status is not None and max(status.st_mtime_ns, status.st_ctime_ns) > started


def status_of(path: str) -> os.stat_result | None:
    """What the system says about a path; None if there is nothing."""
    try:
        return os.stat(path)  # noqa: PTH116 -- thousands of paths: pathlib takes three times as long
    except (OSError, ValueError):
        return None


def is_file(status: os.stat_result | None) -> bool:
    """Whether there is a regular file."""
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(status: os.stat_result | None) -> bool:
    """Whether there is a folder."""
    return status is not None and stat.S_ISDIR(status.st_mode)


def digest_of(path: str) -> str | None:
    """A digest of a file's content; None if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- as above
            return blake2b(file.read(), digest_size=16).hexdigest()
    except OSError:
        return None
