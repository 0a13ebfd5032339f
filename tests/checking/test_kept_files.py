"""After an edit only the files are checked again that depend on it, and the report is that of an empty cache."""

import json
import shutil
from pathlib import Path

import pytest
from mypy.modulefinder import BuildSource

from promo_mypy.checking.kept.store import FOLDER
from promo_mypy.checking.runs import CHECKING, READING
from promo_mypy.linting.files_read import FilesRead
from promo_mypy.linting.kept_files import FileResult
from promo_mypy.linting.lint import lint
from promo_mypy.rules.findings import Finding
from promo_mypy.rules.wording.diagnostics import ALL
from tests.checking.kept_programs import MAIN, Repository, array, rewritten, write
from tests.incremental.walks import steps


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules whose errors a check has read from mypy."""
    found: list[str] = []
    reading = FilesRead.result

    def noted(self: FilesRead, source: BuildSource) -> FileResult:
        found.append(source.module)
        return reading(self, source)

    monkeypatch.setattr(FilesRead, "result", noted)
    return found


@pytest.mark.slow
def test_only_what_depends_on_an_edit_is_checked_again(repository: Repository, read: list[str]) -> None:
    lint(repository.request())
    everything = ["helper", "linked", "main", "package", "package.inside"]
    edits = {
        "main.py": (f"# comment\n{MAIN}", ["main"]),
        "helper.py": (array("table", "float16"), ["helper", "main"]),
        "package/inside.py": (array("inner") + "\n# The interface is the same.\n", ["package.inside"]),
        "package/__init__.py": ("x = 1\n", ["package"]),
        "another.py": ("", sorted([*everything, "another"])),
        "pyproject.toml": ('[tool.promo-mypy]\nparameters = "float32"\n', sorted([*everything, "another"])),
    }
    for file, (content, checked) in edits.items():
        read.clear()
        write(repository.folder / file, content)
        found = lint(repository.request())
        assert sorted(read) == checked, file
        read.clear()
        assert found == lint(repository.request())
        assert read == [], file
        if file in ("helper.py", "another.py"):
            assert found == repository.fresh(repository.request())


@pytest.mark.slow
def test_results_about_another_state_are_not_used(repository: Repository, read: list[str]) -> None:
    """As after a run that was ended between mypy's cache and the results."""
    lint(repository.request())
    cache = repository.folder.parent / "cache"
    shutil.copytree(cache / FOLDER, repository.folder.parent / "old")
    rewritten(repository.folder / "helper.py", "float64", "float16")
    changed = lint(repository.request())
    (old,), (new,) = (list((folder).glob("files-*")) for folder in (repository.folder.parent / "old", cache / FOLDER))
    mixed, now = json.loads(old.read_bytes()), json.loads(new.read_bytes())
    # The findings in main.py are the old ones, and mypy's cache has the new state.
    (kept,) = (each for each in mixed["answer"][1] if each[0] == "main")
    now["answer"][1] = [kept if each[0] == "main" else each for each in now["answer"][1]]
    write(new, json.dumps(now))
    read.clear()
    assert lint(repository.request()) == changed
    assert sorted(read) == ["helper", "linked", "main", "package", "package.inside"]


@pytest.mark.slow
def test_random_edits(repository: Repository) -> None:
    """As `tests.incremental` makes them: slots, options, modules that come, go and break."""
    for file in ("main.py", "helper.py", "linked.py"):
        (repository.folder / file).unlink()
    shutil.rmtree(repository.folder / "package")
    findings: set[Finding] = set()
    for step in steps("kept", 5):
        for old in repository.folder.rglob("*.py"):
            if str(old.relative_to(repository.folder)) not in step.state.files:
                old.unlink()
        for path, content in step.state.files.items():
            place = repository.folder / path
            if not place.exists() or place.read_text(encoding="utf-8") != content:
                write(place, content)
        write(repository.folder / "pyproject.toml", step.state.configuration(plugin=True))
        request = repository.request((ALL,))
        found = repository.check(request)
        assert found == repository.fresh(request), step.edit
        findings.update(found.findings)
    assert len(findings) > 3


@pytest.mark.slow
def test_two_commands_at_once(repository: Repository) -> None:
    """Each writes whole files: whichever is last, the next run is right."""
    first = lint(repository.request())
    folder = repository.folder.parent / "cache" / FOLDER
    saved = {file: file.read_bytes() for file in folder.iterdir()}
    rewritten(repository.folder / "helper.py", "float64", "float16")
    second = lint(repository.request())
    assert second != first
    for file, content in saved.items():  # the slower one of two commands has begun before the edit
        Path(file).write_bytes(content)
    assert repository.check(repository.request()) == second


def test_the_progress_moves_while_libraries_are_read(repository: Repository) -> None:
    told: list[tuple[str, int, int | None]] = []
    lint(repository.request(), lambda *step: told.append(step))
    # Neither the five modules nor their library are in the cache: they are read, and then checked.
    names = dict.fromkeys(what for what, _, _ in told)
    assert list(names) == [READING, CHECKING]
    assert [done for what, done, _ in told if what == READING] == list(range(1, 7))
    assert told[-1] == (CHECKING, 6, 6)
    told.clear()
    write(repository.folder / "helper.py", array("table", "float16"))
    lint(repository.request(), lambda *step: told.append(step))
    assert told[-1][0] == CHECKING
    assert told[-1][1] == told[-1][2]
