"""Find the folders of a repository around a place: its options, environments and formatters are in one of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

#: What the root of a repository contains.
ROOT: Final = ".git"


def folders_around(folder: Path) -> Iterator[Path]:
    """A folder and those around it, up to the root of its repository; up to that of the disk outside of one."""
    for home in (folder, *folder.parents):
        yield home
        if (home / ROOT).exists():
            return
