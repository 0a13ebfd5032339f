"""A mypy outside the supported range: one message that says what to do, and no traceback."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from promo_mypy.plugin.mypy_versions import SUPPORTED, UnsupportedMypyError, check
from tests.mypy_runs import ROOT, environment

#: A module that Python imports as it starts: mypy says that it has another version.
OTHER_MYPY = """\
import mypy.version
mypy.version.__version__ = "{version}"
"""
MESSAGE = (
    "promo-mypy runs under mypy >=1.19,<2.5, and mypy {version} is installed: "
    'run python -m pip install "mypy>=1.19,<2.5"'
)


def test_the_range_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, too_new = (f"{major}.{minor}" for major, minor in SUPPORTED)
    assert f"mypy>={oldest},<{too_new}" in project["dependencies"]


@pytest.mark.parametrize("version", ["1.19.0", "1.20.2", "2.0.0", "2.4.1", "2.4.0+dev.0123456789"])
def test_versions_inside(version: str) -> None:
    check(version)


@pytest.mark.parametrize("version", ["0.991", "1.2.0", "1.18.2", "2.5.0", "2.10.0", "3.0.0+dev", "unknown"])
def test_versions_outside(version: str) -> None:
    with pytest.raises(UnsupportedMypyError, match=re.escape(f"mypy {version} is installed")):
        check(version)


def _under_another_mypy(version: str, folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(OTHER_MYPY.format(version=version))
    (folder / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["promo_mypy.plugin"]\n')
    (folder / "program.py").write_text("import numpy as np\nx = np.zeros(3)\n")
    variables = environment()
    variables["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), variables["PYTHONPATH"]])
    command = (sys.executable, "-m", *command)
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("version", ["1.18.2", "2.5.0"])
def test_mypy_shows_one_message(version: str, tmp_path: Path) -> None:
    done = _under_another_mypy(version, tmp_path, "mypy", "program.py")
    assert done.returncode == 2
    (message,) = done.stderr.splitlines()
    assert MESSAGE.format(version=version) in message
    assert done.stdout == "Found 1 error in 1 file (errors prevented further checking)\n"


@pytest.mark.parametrize("command", ["infer", "coverage", "port"])
def test_a_command_shows_one_message(command: str, tmp_path: Path) -> None:
    systems = ("--from", "numpy", "--to", "jax") if command == "port" else ()
    done = _under_another_mypy("1.18.2", tmp_path, "promo_mypy.cli", command, *systems, "program.py")
    assert done.stdout == ""
    assert done.stderr == f"promo-mypy: error: {MESSAGE.format(version='1.18.2')}\n"
    assert done.returncode == 2


def test_the_hook_shows_one_message(tmp_path: Path) -> None:
    done = _under_another_mypy("1.18.2", tmp_path, "promo_mypy.pre_commit", "program.py")
    assert done.stderr == f"promo-mypy: {MESSAGE.format(version='1.18.2')}\n"
    assert done.returncode == 2
