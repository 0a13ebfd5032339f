"""The recipes of docs/check.md for CI, executed in a repository: GitHub's with a stand-in for others' actions."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]  # PyYAML has no types

from tests.docs.pages import blocks, page
from tests.mypy_runs import ROOT
from tests.packaging.shells import Shell
from tests.packaging.workflows import Runner

pytestmark = pytest.mark.packaging

RECIPES: Final = [
    yaml.safe_load(text.replace("\non: [", "\n'on': [")) for text in blocks(page("docs/check.md"), "yaml")
]
ACTION: Final[dict[str, Any]] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

PROJECT: Final = """\
[project]
name = "shifts"
version = "0"

[build-system]
requires = []
build-backend = "setuptools.build_meta"
"""
OLD: Final = """\
import numpy as np
from numpy.typing import NDArray


def shift(x: NDArray[np.float32], steps: NDArray[np.int32]) -> NDArray[np.float32]:
    return x + steps
"""
NEW: Final = OLD.replace("shift(", "lower(").replace("+", "-").partition("\n\n\n")[2]


def recipe(key: str) -> Any:
    """The recipe with a key at the top."""
    (found,) = [each for each in RECIPES if key in each]
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose branch adds a mistake to the one that `origin/main` has."""
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "src" / "shifts.py").write_text(OLD)
    git = ["git", "-C", str(folder), "-c", "user.name=test", "-c", "user.email=test@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "old"]):
        subprocess.run([*git, *command], check=True)
    subprocess.run([*git, "update-ref", "refs/remotes/origin/main", "HEAD"], check=True)
    (folder / "src" / "shifts.py").write_text(f"{OLD}\n\n{NEW}")
    return folder


@pytest.fixture(scope="module")
def installed(shell: Shell, checkout: Path) -> Shell:
    """A shell with promo-mypy, as GitLab's recipe installs it beside the code."""
    (install,) = [line for line in recipe("dtypes")["dtypes"]["script"] if "pip install" in line]
    assert re.fullmatch(r'python -m pip install \. "promo-mypy.*"', install), install
    shell.run(install.replace(" . ", " ").replace("ADDRESS", f"file://localhost{checkout}"), checkout.parent)
    return shell


def test_the_pipeline_of_gitlab_reports(installed: Shell, repository: Path) -> None:
    job = recipe("dtypes")["dtypes"]
    with pytest.raises(AssertionError, match=r"\A\Z"):  # it ends with status 1, and prints nothing
        installed.run(job["script"][-1], repository)
    report = json.loads((repository / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [each["location"]["path"] for each in report] == ["src/shifts.py"] * 2


def test_the_workflow_of_github_reports_what_the_branch_adds(
    installed: Shell, repository: Path, checkout: Path, tmp_path: Path, check_cache: Path
) -> None:
    """The action installs nothing here: tests/packaging/test_action.py shows that."""
    steps = recipe("jobs")["jobs"]["check"]["steps"]
    assert [step.get("uses", step.get("run", "")).partition("@")[0] for step in steps] == [
        "actions/checkout",
        "actions/setup-python",
        "python -m pip install .",
        "OWNER/promo-mypy",
    ]
    (tmp_path / "temp").mkdir()
    names = {"github.base_ref": "main", "github.sha": "abc", "runner.os": "Linux"}
    names |= {"steps.install.outputs.programs": str(installed.folder / "bin")}
    names |= {"steps.install.outputs.cache": str(check_cache)}
    runner = Runner(repository, tmp_path / "temp", installed.variables, names)
    inputs = {name: runner.written(str(value)).replace("True", "true") for name, value in steps[-1]["with"].items()}
    others = ACTION | {"runs": {"steps": ACTION["runs"]["steps"][1:]}}
    assert runner.action(checkout, others, inputs) == 1, runner.printed
    assert re.findall(r"^::error file=(\S+?),line=(\d+)", runner.printed[0], re.MULTILINE) == [("src/shifts.py", "10")]
    assert [use.partition("@")[0] for use, _ in runner.used] == ["actions/cache", "github/codeql-action/upload-sarif"]
