"""Repositories as they are: not clean under mypy, configured for it or not, with names that mypy rejects."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.check.checks import HEADER, MISTAKE, Done, check, check_json, piped

FINDING = [(7, "promo-mismatch")]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


#: Settings of other tools, under which mypy itself would stop or stay silent.
CONFIGURATIONS = {
    "pyright": {"pyrightconfig.json": '{"typeCheckingMode": "strict"}'},
    "a plugin that is missing": {"mypy.ini": "[mypy]\nplugins = pydantic.mypy\n"},
    "errors ignored": {"mypy.ini": "[mypy]\nignore_errors = true\ndisable_error_code = return-value\n"},
    "imports skipped": {"setup.cfg": "[mypy]\nfollow_imports = skip\n"},
    "an old Python": {"mypy.ini": "[mypy]\npython_version = 3.6\n"},
    "broken": {"mypy.ini": "[mypy\n", "setup.cfg": "]["},
    "in pyproject": {"pyproject.toml": '[tool.mypy]\nexclude = ["."]\nfiles = []\nplugins = ["nosuch"]\n'},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_configuration_of_other_tools_does_not_matter(name: str, tmp_path: Path, check_cache: Path) -> None:
    write(tmp_path, {"a.py": MISTAKE, **CONFIGURATIONS[name]})
    assert check_json(tmp_path, check_cache).codes == FINDING


#: A function that returns a table.
RETURNED = "def f() -> NDArray[np.float32]:\n    return table\n"
#: A repository with everything at once: file -> content, and whether it has the finding.
REPOSITORY = {
    "src/package/__init__.py": "",
    "src/package/first.py": MISTAKE,
    "src/package/second.py": f"{HEADER}from package.third import table\n\n{RETURNED}",
    "src/package/third.py": "import numpy as np\ntable = np.zeros(3)\n",
    "tests/a/conftest.py": MISTAKE,
    "tests/b/conftest.py": MISTAKE,
    "scripts/random.py": MISTAKE,
    "scripts/my-script.py": MISTAKE,
    "scripts/with space.py": MISTAKE,
    "not-a-package/__init__.py": MISTAKE,
    "größe/日本.py": MISTAKE,
    "untyped.py": f"import pandas, torchvision_nosuch\n{MISTAKE}",
    "errors.py": f"{MISTAKE}\nx: int = ''\nundefined()\nclass A(undefined): ...\n",
    "newer.py": f"type Pair[T] = tuple[T, T]\n{MISTAKE}",
    "stub.pyi": f"{HEADER}def f() -> NDArray[np.float32]: ...\n",
    "random.py": MISTAKE,
    "types.py": MISTAKE,
    "enum/__init__.py": "",
    "enum/more.py": MISTAKE,
    "imports.py": f"{MISTAKE}\n\nimport random, types, enum.more\n",
    "build/lib/a.py": MISTAKE,
    ".hidden/a.py": MISTAKE,
    "node_modules/a.py": MISTAKE,
    "venv/pyvenv.cfg": "",
    "venv/lib/a.py": MISTAKE,
    "generated/a_pb2.py": MISTAKE,
    "broken.py": "x = (\n",
    "merging.py": "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> topic\n",
}
WITHOUT = {"src/package/__init__.py", "enum/__init__.py", "src/package/third.py", "stub.pyi"}
LEFT_OUT = {"broken.py", "merging.py", "undecodable.py"}
SKIPPED = {
    "build/lib/a.py",
    ".hidden/a.py",
    "node_modules/a.py",
    "venv/lib/a.py",
    "generated/a_pb2.py",
    "venv/pyvenv.cfg",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory, check_cache: Path) -> Done:
    folder = write(tmp_path_factory.mktemp("repository"), REPOSITORY)
    (folder / "undecodable.py").write_bytes(b"# \xff\n")
    return check_json(folder, check_cache, "--exclude", "*_pb2.py")


def test_every_file_is_checked(repository: Done) -> None:
    import json

    content = json.loads(repository.output)
    checked = REPOSITORY.keys() - SKIPPED - LEFT_OUT
    # mypy 1.19 reads only the syntax of the running Python.
    assert checked - set(content["files"]) <= {"newer.py"}
    assert set(content["files"]) <= checked
    if sys.version_info >= (3, 12):
        assert "newer.py" in content["files"]
    assert {each["path"] for each in content["findings"]} == set(content["files"]) - WITHOUT
    assert len(content["findings"]) == len({each["path"] for each in content["findings"]})
    assert repository.status == 2  # of the files that are left out


def test_a_module_of_the_repository_is_followed(repository: Done) -> None:
    (finding,) = [each for each in repository.findings if each["path"] == "src/package/second.py"]
    assert finding["origin"] == ["`table` is float64 in the module package.third"]


@pytest.mark.slow
def test_overrides_know_a_module_by_its_own_name(tmp_path: Path, check_cache: Path) -> None:
    forbidden = f"{HEADER}x = np.ones(3)\n"
    override = '[[overrides]]\nmodule = "{}"\nforbid = ["float64"]\n'
    # Names of standard modules, a name that two files have, and one that no import can have.
    options = "".join(override.format(module) for module in ("wave", "test.forms", "conftest"))
    files = ("wave.py", "test/__init__.py", "test/forms.py", "conftest.py", "src/conftest.py", "types.py", "a b.py")
    write(tmp_path, {"promo-mypy.toml": options, **dict.fromkeys(files, forbidden)})
    found = {each["path"] for each in check_json(tmp_path, check_cache).findings}
    assert found == {"wave.py", "test/forms.py", "conftest.py", "src/conftest.py"}


def test_files_and_packages_that_are_not_seen_are_named(repository: Done) -> None:
    told = repository.errors
    assert "left out merging.py: it has conflict markers of a merge, line 1\n" in told
    assert "left out broken.py: mypy cannot parse it: " in told
    assert "left out undecodable.py: Cannot decode file: " in told
    assert "not seen: " in told
    assert "pandas (" in told
    assert "torchvision_nosuch (not found)" in told


def test_a_file_that_cannot_be_parsed_is_status_2(tmp_path: Path, check_cache: Path) -> None:
    write(tmp_path, {"broken.py": "x = (\n", "good.py": "x = 1\n"})
    assert check(tmp_path, check_cache).status == 2
    assert check(tmp_path, check_cache, "good.py", "broken.py").status == 2
    assert check(tmp_path, check_cache, "--exclude", "broken.py").status == 0
    alone = check(tmp_path, check_cache, "broken.py")
    assert (alone.status, alone.output) == (2, "")


def test_an_array_library_that_is_not_seen_fails_the_check_on_demand(tmp_path: Path, check_cache: Path) -> None:
    write(tmp_path, {"a.py": "import array_api_strict_nosuch\nimport paddle\n"})
    assert check(tmp_path, check_cache).status == 0
    asked = check(tmp_path, check_cache, "--fail-on-unseen")
    assert asked.status == 2
    assert "paddle is not seen (not found by " in asked.errors
    write(tmp_path, {"pyproject.toml": "[tool.promo-mypy.check]\nfail-on-unseen = true\n"})
    assert check(tmp_path, check_cache).status == 2
    write(tmp_path, {"a.py": "import array_api_strict_nosuch\nimport numpy\n"})
    assert check(tmp_path, check_cache).status == 0


def test_the_code_is_never_executed(tmp_path: Path, check_cache: Path) -> None:
    trap = "import pathlib\nif pathlib.Path('executed').write_text('') == 0:\n    raise SystemExit(9)\n"
    names = ("a.py", "conftest.py", "sitecustomize.py", "setup.py", "package/__init__.py", "rich.py", "typer.py")
    write(tmp_path, dict.fromkeys(names, trap + MISTAKE) | {"__main__.py": trap})
    # As the command `promo-mypy` does, unlike `python -m`, Python imports nothing from the current folder.
    done = piped(tmp_path, check_cache, b"", "--format", "json", PYTHONSAFEPATH="1")
    assert not list(tmp_path.rglob("executed"))
    assert {each["path"] for each in done.findings} == set(names)


def test_an_import_would_execute_the_code(tmp_path: Path) -> None:
    """The companion test: who imports the code executes it."""
    write(tmp_path, {"a.py": "import pathlib\npathlib.Path('executed').write_text('')\n"})
    subprocess.run([sys.executable, "-c", "import a"], cwd=tmp_path, check=True)
    assert (tmp_path / "executed").exists()


def test_without_the_library_it_says_so(tmp_path: Path, check_cache: Path) -> None:
    """An environment of its own has no NumPy."""
    import venv

    venv.create(tmp_path / "empty", symlinks=os.name != "nt")
    write(tmp_path, {"a.py": MISTAKE})
    done = check(tmp_path, check_cache, "a.py", "--python", "empty")
    assert done.status == 0
    assert "numpy is not seen (not found by empty/" in done.errors
    assert "name its environment with --python" in done.errors


def test_the_environment_beside_the_code_is_found(tmp_path: Path) -> None:
    from promo_mypy.linting.environment import interpreter

    assert interpreter(tmp_path, {}) == Path(sys.executable)
    write(tmp_path, {".venv/pyvenv.cfg": "", ".venv/bin/python": "", "active/bin/python": "", "src/a.py": ""})
    assert interpreter(tmp_path / "src", {}) == tmp_path / ".venv" / "bin" / "python"
    assert interpreter(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "active")}) == tmp_path / "active" / "bin" / "python"
    assert interpreter(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "gone")}) == tmp_path / ".venv" / "bin" / "python"
    write(tmp_path, {"src/.git/HEAD": ""})
    assert interpreter(tmp_path / "src", {}) == Path(sys.executable)


# Standard input.


def test_standard_input_stands_for_a_file(tmp_path: Path, check_cache: Path) -> None:
    """The text counts, not the file; the file's place counts for what it imports."""
    table = "import numpy as np\ntable = np.zeros(3)\n"
    write(tmp_path, {"package/__init__.py": "", "package/a.py": "x = 1\n", "package/table.py": table})
    source = f"{HEADER}from .table import table\n\n{RETURNED}"
    done = piped(tmp_path, check_cache, source.encode(), "-", "--stdin-filename", "package/a.py", "-f", "concise")
    assert done.status == 1
    assert done.output.startswith("package/a.py:8:12: promo-mismatch The returned value is float64")
    assert (tmp_path / "package" / "a.py").read_text() == "x = 1\n"
    fixes = piped(tmp_path, check_cache, source.encode(), "-", "--stdin-filename", "package/a.py", "--show-fixes")
    assert "+    return table.astype(np.float32)\n" in fixes.output


@pytest.mark.slow
def test_standard_input_without_a_name(tmp_path: Path, check_cache: Path) -> None:
    done = piped(tmp_path, check_cache, MISTAKE.encode(), "-")
    assert done.output.startswith("stdin.py:7:12: promo-mismatch")
    assert "7 |     return image - mean\n" in done.output
    assert piped(tmp_path, check_cache, b"x = (", "-").status == 2
    undecodable = piped(tmp_path, check_cache, b"# \xff\n", "-")
    assert (undecodable.status, undecodable.output) == (2, "")
    assert "standard input cannot be decoded" in undecodable.errors
