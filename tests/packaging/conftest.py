"""The files of a release, a checkout and a shell, made once for all tests of a worker."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.module_runs import ROOT
from tests.packaging.quick_start import clone
from tests.packaging.shells import Shell


@pytest.fixture(scope="session")
def wheel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this checkout whose last commit has the uncommitted changes, too."""
    folder = tmp_path_factory.mktemp("checkout") / "promo-mypy"
    clone(ROOT, folder)
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for command in (["add", "."], [*who, "commit", "--quiet", "--allow-empty", "--message", "changed"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell whose `python` and `pip` belong to an environment of its own, which reads the packages of the tests."""
    return Shell.made(tmp_path_factory.mktemp("shell"))
