"""The folder of the cache: made where it can be, and left out by git."""

import subprocess
from pathlib import Path

from promo_mypy.checking.kept import cache_folder
from promo_mypy.checking.kept.store import CACHE


def refused(note: str) -> None:
    """A note where none is expected."""
    raise AssertionError(note)


def untracked(folder: Path) -> list[str]:
    """What git sees in a repository."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.split()


def test_git_leaves_a_new_folder_out(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    folder = cache_folder.usable(tmp_path / "deep" / CACHE, refused)
    assert folder is not None
    (folder / "kept").mkdir()
    (folder / "kept" / "one.json").touch()
    assert untracked(tmp_path) == []
    (tmp_path / "deep" / "other").touch()
    assert untracked(tmp_path) == ["??", "deep/other"]


def test_a_folder_of_the_user_is_left_as_it_is(tmp_path: Path) -> None:
    assert cache_folder.usable(tmp_path, refused) == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_without_permission_there_is_a_note(tmp_path: Path) -> None:
    notes: list[str] = []
    (tmp_path / "file").touch()
    assert cache_folder.usable(tmp_path / "file" / "cache", notes.append) is None
    assert ["cannot be written" in each for each in notes] == [True]
