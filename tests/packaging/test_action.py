"""The GitHub Action of this repository: valid, and executed with a stand-in for the cache and the upload."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]  # PyYAML has no types

from tests.mypy_runs import ROOT
from tests.packaging.quick_start import clone
from tests.packaging.schemas import validate
from tests.packaging.workflows import Runner

ACTION: Final[dict[str, Any]] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

BAD: Final = """\
import numpy as np
from numpy.typing import NDArray


def shift(x: NDArray[np.float32], steps: NDArray[np.int32]) -> NDArray[np.float32]:
    return x + steps
"""


def test_the_action_is_valid() -> None:
    validate(ACTION, "github-actions.json")
    broken = ACTION | {"runs": {"using": "composite", "steps": [{"run": "true"}]}}
    with pytest.raises(Exception, match="not valid under any"):
        validate(broken, "github-actions.json")


def test_no_input_is_written_into_the_shell() -> None:
    """An input reaches a script as an environment variable: its text is never executed."""
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert not any("${{" in script for script in scripts)


@dataclass(frozen=True)
class Machine:
    """A runner of GitHub's on which the first step of the action has made the environment."""

    action: Path
    temp: Path
    names: Mapping[str, str]

    def run(self, workspace: Path, **inputs: str) -> tuple[int, Runner]:
        """Run the other steps in a checkout; the exit status, and what happened."""
        for left in ("summary", "promo-mypy.sarif"):
            (self.temp / left).unlink(missing_ok=True)
        runner = Runner(workspace, self.temp, VARIABLES, dict(self.names))
        others = ACTION | {"runs": {"steps": ACTION["runs"]["steps"][1:]}}
        return runner.action(
            self.action, others, {name.replace("_", "-"): text for name, text in inputs.items()}
        ), runner


#: The `python` of the tests is that of the checked code. The environment of the action has nothing but promo-mypy.
VARIABLES: Final = {
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    "VIRTUAL_ENV": "",
    "PYTHONPATH": "",
    "PIP_NO_COMPILE": "1",
}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("machine")
    clone(ROOT, folder / "action")
    (folder / "temp").mkdir()
    runner = Runner(folder, folder / "temp", VARIABLES, {"runner.os": "Linux", "github.sha": "abc"})
    first = ACTION | {"runs": {"steps": ACTION["runs"]["steps"][:1]}}
    assert runner.action(folder / "action", first, {}) == 0, runner.printed
    return Machine(folder / "action", folder / "temp", runner.names)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout with one mistake."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bad.py").write_text(BAD)
    (tmp_path / "src" / "good.py").write_text(BAD.replace("-> NDArray[np.float32]", "-> NDArray[np.float64]"))
    return tmp_path


@pytest.mark.packaging
def test_findings_are_annotations_and_an_upload(machine: Machine, workspace: Path) -> None:
    status, runner = machine.run(workspace, paths="src", upload_sarif="true")
    (printed,) = runner.printed
    assert status == 1, printed
    assert "::error file=src/bad.py,line=6" in printed
    assert "bad.py" in (machine.temp / "summary").read_text()
    (cache, cached), (upload, uploaded) = runner.used
    assert cache.startswith("actions/cache@")
    assert list(Path(cached["path"]).iterdir()), "the cache is where the action says"
    assert cached["key"].startswith(cached["restore-keys"])
    assert upload.startswith("github/codeql-action/upload-sarif@")
    (run,) = json.loads(Path(uploaded["sarif_file"]).read_text())["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["promo-mismatch"]


@pytest.mark.packaging
def test_the_inputs_reach_the_command(machine: Machine, workspace: Path) -> None:
    """Several paths and arguments, separated by blanks and lines; nothing is annotated, cached or uploaded."""
    status, runner = machine.run(
        workspace,
        paths="src/good.py\nsrc/bad.py",
        args="--ignore promo-mismatch  --exclude x",
        annotations="false",
        cache="false",
        sarif="found.sarif",
    )
    assert status == 0, runner.printed
    assert "No dtype mistakes in 2 files." in runner.printed[0]
    assert runner.used == []
    assert json.loads((workspace / "found.sarif").read_text())["runs"][0]["results"] == []


@pytest.mark.packaging
def test_wrong_usage_uploads_nothing(machine: Machine, workspace: Path) -> None:
    wrong = {"missing": "", "src": "--statistics"}  # SARIF has no place for statistics
    for paths, args in wrong.items():
        status, runner = machine.run(
            workspace, paths=paths, args=args, upload_sarif="true", cache="false", annotations=""
        )
        assert status == 2, runner.printed
        assert runner.used == []
        assert "rror" in runner.printed[0]
