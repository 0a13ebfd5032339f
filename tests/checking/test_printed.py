"""An unchanged check prints what it printed last time, and anything that could change it makes it check again."""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from promo_mypy.checking.kept.store import CACHE
from promo_mypy.cli import leaving, main, repeated
from tests.checking.kept_programs import Change, Repository, array, write
from tests.checking.test_kept import CHANGES, UNCHANGED
from tests.slow_tests import slow_but


def _made_folder(repository: Repository) -> None:
    (repository.folder / "data" / "deep").mkdir()


#: Changes after which the report may be the same one, but another file is found.
OTHERS: dict[str, Change] = {
    "a file in a folder without modules": lambda repository: write(repository.folder / "data/new.py", array("new")),
    "a folder in a folder without modules": _made_folder,
    "a folder of a build becomes a package": lambda repository: write(repository.folder / "build/__init__.py", ""),
    "a folder becomes an environment": lambda repository: write(repository.folder / "package/pyvenv.cfg", ""),
    "a nearer environment": lambda repository: _environment(repository.folder / ".venv"),
}


def _environment(folder: Path) -> None:
    write(folder / "pyvenv.cfg", "")
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)


@pytest.fixture
def checked(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A program that was checked once, and the words of that check."""
    (repository.folder.parent / "cache").rename(repository.folder / CACHE)
    write(repository.folder / "data" / "notes.txt", "")
    write(repository.folder / "build" / "made.py", array("made"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    _asked(monkeypatch, "--python", str(repository.python))
    monkeypatch.setattr(leaving, "leave", lambda _: None)  # the process is that of the tests
    assert repeated.kept_answer() is None
    with pytest.raises(SystemExit):
        main()
    return repository


def _asked(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["promo-mypy", "check", *words])


def test_it_is_printed_again(checked: Repository, capfd: pytest.CaptureFixture[str]) -> None:
    del checked
    answer = repeated.kept_answer()
    assert answer is not None
    assert answer.status == 1
    assert answer.printed.endswith("4 findings in 1 file; 5 files checked.\n")
    capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        main()
    assert (*capfd.readouterr(), left.value.code) == answer


def test_a_change_makes_it_check_again(checked: Repository) -> None:
    saved = checked.folder.parent.with_name("saved")
    shutil.copytree(checked.folder.parent, saved, symlinks=True)
    known = repeated.kept_answer()
    for changes, wanted in ((CHANGES | OTHERS, None), (UNCHANGED, known)):
        for name, change in changes.items():
            if name == "a package is removed":  # it takes back the change before it
                continue
            change(checked)
            assert repeated.kept_answer() == wanted, name
            _restore(saved, checked.folder.parent)
            assert repeated.kept_answer() == known, name


def _restore(saved: Path, folder: Path) -> None:
    """Bring everything back, but not the folder itself, which is the parent of the current one."""
    here = Path.cwd()
    os.chdir(folder)
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(saved, folder, symlinks=True, dirs_exist_ok=True)
    os.chdir(here)


def test_other_words_and_another_terminal_are_another_question(
    checked: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--python", str(checked.python)]
    for variable, value in (("COLUMNS", "60"), ("MYPYPATH", "elsewhere")):
        with pytest.MonkeyPatch.context() as other:
            other.setenv(variable, value)
            assert repeated.kept_answer() is None
    _asked(monkeypatch, *words, "--format", "json")
    assert repeated.kept_answer() is None
    _asked(monkeypatch, *words)
    assert repeated.kept_answer() is not None


@pytest.mark.slow
def test_it_is_looked_for_in_the_named_folder(checked: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--python", str(checked.python)]
    for named in (["--cache-dir", "../elsewhere"], [f"--cache-dir={checked.folder.parent / 'elsewhere'}"]):
        _asked(monkeypatch, *words, *named)
        assert repeated.kept_answer() is None
        with pytest.raises(SystemExit):
            main()
        assert repeated.kept_answer() is not None
    shutil.rmtree(checked.folder.parent / "elsewhere")
    assert repeated.kept_answer() is None
    _asked(monkeypatch, *words)
    assert repeated.kept_answer() is not None


#: Options of checks that compare, change files, or keep nothing where the next one looks.
_WORDS: Final = [
    ["--fix"],
    ["--show-fixes"],
    ["--no-cache"],
    ["--output", "report.txt"],
    ["--baseline", "known.json", "--write-baseline"],
    ["--diff", "HEAD"],
    ["--explain", "promo-overflow"],
]


@pytest.mark.parametrize("words", slow_but([["--fix"]], _WORDS), ids=" ".join)
def test_what_does_more_than_print_is_not_kept(
    words: list[str], checked: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    _asked(monkeypatch, "--python", str(checked.python), *words)
    with pytest.raises(SystemExit):
        main()
    assert repeated.kept_answer() is None
