"""The extension for VS Code: its settings are those of the server, its lock file names no registry, and it is built."""

import json
import os
import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from promo_mypy.lsp.settings import SECTION, default_settings
from tests.docs.pages import page
from tests.mypy_runs import ROOT
from tests.needed import needs_program

FOLDER: Final = ROOT / "editors" / "vscode"
PACKAGE: Final[dict[str, Any]] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
CONTRIBUTED: Final[dict[str, Any]] = PACKAGE["contributes"]["configuration"]["properties"]
#: Settings of the extension itself.
OF_THE_EXTENSION: Final = {"path", "trace.server"}


def flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The names of settings with dots, and their values."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def test_the_settings_are_those_of_the_server() -> None:
    contributed = {name.removeprefix(f"{SECTION}."): row["default"] for name, row in CONTRIBUTED.items()}
    of_the_server = dict(flat(default_settings()[SECTION]))
    assert contributed.keys() - of_the_server.keys() == OF_THE_EXTENSION
    assert {name: contributed[name] for name in of_the_server} == of_the_server


def test_the_settings_are_described_as_on_the_page() -> None:
    text = page("docs/editors.md")
    for name, row in CONTRIBUTED.items():
        described = str(row.get("description", "")).partition(". Without")[0].rstrip(".")
        assert name.removeprefix(f"{SECTION}.") in OF_THE_EXTENSION or described in text, name


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert PACKAGE["version"] == project["version"]


def test_the_lock_file_names_packages_and_no_registry() -> None:
    locked = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(locked) > 50
    assert [name for name, row in locked.items() if "resolved" in row] == []
    assert set(locked[""]["devDependencies"]) == PACKAGE["devDependencies"].keys()


def test_the_pictures_of_the_page_are_small() -> None:
    pictures = sorted((ROOT / "docs").glob("*.png"))
    assert len(pictures) >= 3
    assert [file.name for file in pictures if f"({file.name})" not in page("docs/editors.md")] == []
    assert max(file.stat().st_size for file in pictures) < 150_000


@pytest.mark.packaging
def test_it_is_built_and_finds_its_server(tmp_path: Path) -> None:
    """From its lock file, and without the scripts of other packages."""
    npm = needs_program("npm")
    shutil.copytree(FOLDER, tmp_path / "editors" / "vscode", ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copy(ROOT / "LICENSE", tmp_path)

    def run(*words: str) -> str:
        done = subprocess.run(
            [npm, *words],
            cwd=tmp_path / "editors" / "vscode",
            env=os.environ | {"NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    run("ci", "--ignore-scripts", "--no-audit", "--no-fund")
    assert "# fail 0" in run("test")
    run("run", "package")
    with zipfile.ZipFile(tmp_path / "editors" / "vscode" / f"promo-mypy-{PACKAGE['version']}.vsix") as extension:
        names = {name.lower() for name in extension.namelist() if name.startswith("extension/")}
    assert names == {f"extension/{name}" for name in ("dist/extension.js", "license.txt", "package.json", "readme.md")}
