"""Make sure that the cache can be used: a check works without one, only more slowly."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from promo_mypy.checking.kept.store import CACHE


def beside(home: Path) -> Path:
    """The folder of a repository with its options in `home`."""
    return home / CACHE


def usable(folder: Path, note: Callable[[str], None]) -> Path | None:
    """The folder, made if need be; None, with a note of one line, if nothing can be written there.

    git leaves a folder that is made here out.
    """
    try:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        note(f"the cache {folder} cannot be written ({error.strerror}); this run reads all libraries anew")
        return None


def remove(folder: Path) -> None:
    """Remove a cache that mypy cannot read, and the answers beside it. Nothing else is removed."""
    for name in ("promo-mypy-runs", "kept"):
        shutil.rmtree(folder / name, ignore_errors=True)
