"""A kept report is given again exactly as long as a run with an empty cache would give the same."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from promo_mypy.checking import run_facts
from promo_mypy.checking.kept.store import FOLDER
from promo_mypy.linting.kept import kept_report
from promo_mypy.linting.lint import lint
from tests.checking.kept_programs import MAIN, Change, Repository, array, environment, rewritten, stub, write
from tests.mypy_runs import environment as variables_of_a_run


def _append(file: str, text: str) -> Change:
    def change(repository: Repository) -> None:
        place = repository.folder / file
        write(place, (place.read_text(encoding="utf-8") if place.exists() else "") + text)

    return change


def _in_packages(file: str, text: str) -> Change:
    return lambda repository: write(repository.packages / file, text)


def _typed_package(folder: Path, content: str) -> None:
    write(folder / "__init__.py", content)
    write(folder / "py.typed", "")


def _relink(repository: Repository) -> None:
    (repository.folder / "linked.py").unlink()
    (repository.folder / "linked.py").symlink_to(repository.folder.parent / "second.py")


def _to_a_package(repository: Repository) -> None:
    write(repository.folder / "helper" / "__init__.py", array("table", "float32"))


def _further_path(repository: Repository) -> None:
    _typed_package(repository.folder.parent / "further" / "missing_elsewhere", array("distant"))
    write(repository.packages / "further.pth", f"{repository.folder.parent / 'further'}\n")


def _own_file(repository: Repository) -> None:
    (repository.folder / "pyproject.toml").unlink()
    write(repository.folder / "promo-mypy.toml", '[[overrides]]\nmodule = "main"\nforbid = ["float16"]\n')


CHANGES: dict[str, Change] = {
    "a file is edited": lambda repository: write(repository.folder / "main.py", f"# comment\n{MAIN}"),
    "an imported file is edited, with the same size and time": (
        lambda repository: rewritten(repository.folder / "helper.py", "float64", "float16")
    ),
    "an imported file is edited": _append("helper.py", "table = np.zeros(3, np.float32)\n"),
    "a stub appears beside an imported file": _append("helper.pyi", stub("float32").replace("def made", "def table")),
    "a file that was missing appears": _append("missing.py", array("absent")),
    "a package that was missing is installed": (
        lambda repository: _typed_package(repository.packages / "missing_package", array("installed"))
    ),
    "a folder of packages is added to the interpreter": _further_path,
    "a package appears that shadows a file": _to_a_package,
    "a package is removed": lambda repository: shutil.rmtree(repository.folder / "helper"),
    "a module of a package is removed": lambda repository: (repository.folder / "package/inside.py").unlink(),
    "a link leads elsewhere": _relink,
    "another version of a library": _in_packages("library/__init__.pyi", stub("float16")),
    "a library that has types no longer": lambda repository: (repository.packages / "library/py.typed").unlink(),
    "stubs of a library are installed": _in_packages("library-stubs/__init__.pyi", stub("float32")),
    "a file appears that shadows a library": _append("library.py", array("made", "float16")),
    # For one module: an option for all would have mypy read NumPy again.
    "an option": _append("pyproject.toml", '[[tool.promo-mypy.overrides]]\nmodule = "main"\nforbid = ["uint8"]\n'),
    "options in another file": _own_file,
    "an option of the check": _append("promo-mypy.toml", '[check]\nselect = ["promo-widening"]\n'),
    "a file to exclude": _append("promo-mypy.toml", 'exclude = ["main.py"]\n'),
}


@pytest.mark.slow
def test_after_a_change_the_report_is_that_of_an_empty_cache(repository: Repository) -> None:
    """One change after the other. Each changes the report: a kept one would be wrong."""
    last = repository.check(repository.request())
    assert len(last.findings) == 4
    for name, change in CHANGES.items():
        change(repository)
        request = repository.request()
        fresh = repository.fresh(request)
        found = repository.check(request)
        assert found == fresh, name
        assert fresh != last, name
        last = found


def _touch(repository: Repository) -> None:
    for file in ("main.py", "helper.py", "pyproject.toml"):
        content = (repository.folder / file).read_text(encoding="utf-8")
        (repository.folder / file).unlink()
        write(repository.folder / file, content)


UNCHANGED: dict[str, Change] = {
    "nothing": lambda _repository: None,
    "files are written again": _touch,
    "a file of another kind": _append("notes.txt", "notes"),
    "a file in a folder of another kind": _append(".hidden/module.py", "x = 1\n"),
    "the version of another package changes": _in_packages("other-1.0.dist-info/METADATA", ""),
}


def test_what_changes_nothing_keeps_the_report(repository: Repository) -> None:
    before = repository.check(repository.request())
    for name, change in UNCHANGED.items():
        change(repository)
        assert kept_report(repository.request()) == before, name
    assert repository.fresh(repository.request()) == before


@pytest.mark.slow
def test_other_options_of_the_command_are_another_question(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = repository.check(repository.request())
    assert kept_report(repository.request(("promo-widening",))) is None
    selected = repository.check(repository.request(("promo-widening",)))
    assert [each.code for each in selected.findings] == ["promo-widening"]
    other = repository.folder.parent / "other"
    environment(other, stub("float32"))
    elsewhere = repository.request(python=other)
    assert repository.check(elsewhere) == repository.fresh(elsewhere) != first
    write(repository.folder.parent / "path" / "missing.py", array("absent"))
    monkeypatch.setenv("MYPYPATH", str(repository.folder.parent / "path"))
    assert kept_report(repository.request()) is None
    monkeypatch.delenv("MYPYPATH")
    assert kept_report(repository.request()) == first
    assert kept_report(repository.request(("promo-widening",))) == selected


def test_other_code_of_a_plugin_is_another_run(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    code = repository.folder.parent / "code.py"
    write(code, "first")
    monkeypatch.setattr(run_facts, "loaded_code", lambda _plugins: [str(code)])
    report = lint(repository.request())
    assert kept_report(repository.request()) == report
    rewritten(code, "first", "other")
    assert kept_report(repository.request()) is None


def test_the_code_that_decides_is_among_the_facts(repository: Repository) -> None:
    lint(repository.request())
    (file,) = (repository.folder.parent / "cache" / FOLDER).glob("check-*")
    files = json.loads(file.read_bytes())["facts"]["files"]
    for module in ("promo_mypy.linting.lint", "promo_mypy.plugin.promotion", "promo_mypy.rules.systems", "mypy.build"):
        assert sys.modules[module].__file__ in files


def test_a_file_that_changes_during_the_run_is_not_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = run_facts.Watch.facts

    def edited(*arguments: object, **named: object) -> object:
        rewritten(repository.folder / "helper.py", "float64", "float16")
        return facts(*arguments, **named)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(run_facts.Watch, "facts", edited)
    lint(repository.request())
    assert kept_report(repository.request()) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', "null"])
def test_a_broken_file_is_not_read(content: str, repository: Repository) -> None:
    lint(repository.request())
    (file,) = (repository.folder.parent / "cache" / FOLDER).glob("check-*")
    whole = json.loads(file.read_bytes())
    write(file, content)
    assert kept_report(repository.request()) is None
    answers: list[object] = [[], [[], []], {"files": []}]
    for damaged in answers:
        write(file, json.dumps(whole | {"answer": damaged}))
        assert kept_report(repository.request()) is None
    write(file, json.dumps(whole | {"facts": {"files": {"x": 1}}}))
    assert kept_report(repository.request()) is None


def test_the_last_answers_are_kept(repository: Repository) -> None:
    request = repository.request()
    report = lint(request)
    folder = repository.folder.parent / "cache" / FOLDER
    for number in range(20):
        write(folder / f"check-{number}.json", "{}")
    assert kept_report(request) == report  # asked for last
    lint(repository.request(("promo-widening",)))
    assert kept_report(request) == report
    assert len(list(folder.iterdir())) <= 13  # the results of single files are kept last


def _command(repository: Repository, *words: str) -> Iterator[str]:
    yield from (
        sys.executable,
        "-c",
        "import sys; sys.modules['mypy'] = sys.modules['rich.progress'] = None\n"
        "from promo_mypy.cli import main; main()",
        "check",
        "--cache-dir",
        "../cache",
        "--format",
        "json",
    )
    yield from ("--python", str(repository.python), *words)


def test_an_unchanged_check_needs_no_mypy(repository: Repository) -> None:
    ordinary = [
        word.replace("sys.modules['mypy'] = sys.modules['rich.progress'] = None", "pass")
        for word in _command(repository)
    ]
    first = subprocess.run(ordinary, env=variables_of_a_run(), capture_output=True, text=True, check=False)
    second = subprocess.run(
        [*_command(repository)], env=variables_of_a_run(), capture_output=True, text=True, check=False
    )
    assert len(json.loads(first.stdout)["findings"]) == 4
    assert (second.stdout, second.stderr, second.returncode) == (first.stdout, first.stderr, 1)
    uncached = subprocess.run(
        [*_command(repository, "--no-cache")], env=variables_of_a_run(), capture_output=True, text=True, check=False
    )
    assert "mypy" in uncached.stderr  # which it does need
    assert uncached.returncode == 2
