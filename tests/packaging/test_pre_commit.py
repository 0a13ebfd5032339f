"""The hooks as users get them: the configuration of another repository names this one and a commit of it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mypy_runs import ROOT, run_mypy
from tests.packaging.quick_start import clone

pytestmark = pytest.mark.packaging

HEADER = "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"
GOOD = HEADER + (
    "def scale(image: NDArray[np.uint8], gain: NDArray[np.float16]) -> NDArray[np.float16]:\n    return image * gain\n"
)
# Really float64: NumPy's own stubs do not know the width, so that stock mypy reports nothing.
BAD = HEADER + (
    "def shift(x: NDArray[np.float32], steps: NDArray[np.int32]) -> NDArray[np.float32]:\n    return x + steps\n"
)


class Repository:
    """A scratch git repository with pre-commit, which keeps the environments of hooks in a folder."""

    def __init__(self, folder: Path, environments: Path) -> None:
        self.folder = folder
        # Settings of git and pre-commit outside (a commit in progress, a cache) must not be inherited.
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
        who = {
            f"GIT_{role}_{what}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        self.environment = outside | who | {"PRE_COMMIT_HOME": str(environments)}
        self.run("git", "init", "--quiet").check_returncode()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def commit(self, name: str, source: str) -> str:
        """Commit everything, with one new file; the name of the commit."""
        (self.folder / name).write_text(source)
        self.run("git", "add", ".").check_returncode()
        self.run("git", "commit", "--quiet", "--message", f"add {name}").check_returncode()
        return self.run("git", "rev-parse", "HEAD").stdout.strip()

    def run_hook(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run the configured hook over a file."""
        return self.run(sys.executable, "-m", "pre_commit", "run", "--files", name)


@dataclass(frozen=True)
class Project:
    """This project as another repository names it, and where the environments of its hooks are kept."""

    folder: Path
    revision: str
    environments: Path

    def configuration(self, hook: str) -> str:
        """The configuration of pre-commit with one hook."""
        return f"repos:\n  - repo: {self.folder}\n    rev: {self.revision}\n    hooks:\n      - id: {hook}\n"


#: Hook -> the message about the bad commit, and the cache that it leaves.
HOOKS = {
    "promo-mypy": (
        "bad.py:6:12: promo-mismatch: The returned value is float64 where float32 is declared",
        ".promo_mypy_cache/",
    ),
    "mypy-with-promo-mypy": ("bad.py:6: error: Incompatible return value type", ".mypy_cache/"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A clone of this checkout whose last commit has the uncommitted changes, too."""
    folder = tmp_path_factory.mktemp("project")
    clone(ROOT, folder / "clone")
    repository = Repository(folder / "clone", folder / "environments")
    return Project(repository.folder, repository.commit("changed", ""), folder / "environments")


@pytest.mark.parametrize("hook", HOOKS)
def test_a_good_commit_passes_and_a_bad_one_is_rejected(hook: str, project: Project, tmp_path: Path) -> None:
    message, cache = HOOKS[hook]
    repository = Repository(tmp_path, project.environments)
    (tmp_path / ".pre-commit-config.yaml").write_text(project.configuration(hook))
    repository.commit("good.py", GOOD)
    good = repository.run_hook("good.py")
    assert good.returncode == 0, good.stdout
    assert "Passed" in good.stdout

    repository.commit("bad.py", BAD)
    bad = repository.run_hook("bad.py")
    assert bad.returncode == 1, bad.stdout
    (error,) = [line for line in bad.stdout.splitlines() if line.startswith("bad.py:")]
    assert error.startswith(message)
    assert "float64" in error
    assert repository.run("git", "status", "--porcelain", "--ignored").stdout.split() == ["!!", cache]


def test_stock_mypy_accepts_the_bad_commit(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    assert run_mypy(tmp_path, "bad.py", cache=tmp_path / "cache", plugin=False).errors() == []
