"""The hooks as users get them: `pre-commit try-repo` on this checkout, against another repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mypy_runs import ROOT, run_mypy

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
    """A scratch git repository with pre-commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Settings of git and pre-commit outside (a commit in progress, a cache) must not be inherited.
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
        who = {
            f"GIT_{role}_{what}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        self.environment = outside | who | {"PRE_COMMIT_HOME": str(folder / ".git" / "pre-commit")}
        self.run("git", "init", "--quiet").check_returncode()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def commit(self, name: str, source: str) -> None:
        (self.folder / name).write_text(source)
        self.run("git", "add", name).check_returncode()
        self.run("git", "commit", "--quiet", "--message", f"add {name}").check_returncode()

    def try_hook(self, hook: str) -> subprocess.CompletedProcess[str]:
        """Run a hook of this checkout over the files of the last commit."""
        tried = (
            "try-repo",
            str(ROOT),
            hook,
            "--files",
            self.run("git", "show", "--format=", "--name-only").stdout,
        )
        return self.run(sys.executable, "-m", "pre_commit", *map(str.strip, tried))


#: Hook -> the message about the bad commit, and the cache that it leaves.
HOOKS = {
    "promo-mypy": (
        "bad.py:6:12: promo-mismatch: The returned value is float64 where float32 is declared",
        ".promo_mypy_cache/",
    ),
    "promo-mypy-mypy": ("bad.py:6: error: Incompatible return value type", ".mypy_cache/"),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_good_commit_passes_and_a_bad_one_is_rejected(hook: str, tmp_path: Path) -> None:
    message, cache = HOOKS[hook]
    repository = Repository(tmp_path)
    repository.commit("good.py", GOOD)
    good = repository.try_hook(hook)
    assert good.returncode == 0, good.stdout
    assert "Passed" in good.stdout

    repository.commit("bad.py", BAD)
    bad = repository.try_hook(hook)
    assert bad.returncode == 1, bad.stdout
    (error,) = [line for line in bad.stdout.splitlines() if line.startswith("bad.py:")]
    assert error.startswith(message)
    assert "float64" in error
    assert repository.run("git", "status", "--porcelain", "--ignored").stdout.split() == ["!!", cache]


def test_stock_mypy_accepts_the_bad_commit(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    assert run_mypy(tmp_path, "bad.py", cache=tmp_path / "cache", plugin=False).errors() == []
