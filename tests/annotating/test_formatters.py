"""An annotated file is formatted by the formatters of its repository, if they would leave it as it was."""

from pathlib import Path

import pytest

from promo_mypy.annotating.formatters import FORMATTERS, formatted_like
from tests.needed import needs_program

BEFORE = "import os\n\nimport numpy as np\n\n\ndef f(x, y): ...\n"
AFTER = (
    "import os\n\nimport numpy as np\nfrom typing import Any\n\n\n"
    "def f(x: np.ndarray[Any, np.dtype[np.float32]], y: np.ndarray[Any, np.dtype[np.float32]]) -> None: ...\n"
)
FORMATTED = (
    "import os\nfrom typing import Any\n\nimport numpy as np\n\n\n"
    "def f(\n    x: np.ndarray[Any, np.dtype[np.float32]], y: np.ndarray[Any, np.dtype[np.float32]]\n) -> None: ...\n"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The root of a repository."""
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 88\n"),
        ("ruff.toml", "line-length = 88\n"),
    ],
)
def test_imports_are_sorted_and_lines_wrapped(file: str, options: str, repository: Path) -> None:
    needs_program("ruff")
    (repository / file).write_text(options, encoding="utf-8")
    assert formatted_like(BEFORE, AFTER, str(repository / "src" / "module.py")) == FORMATTED


def test_what_was_not_formatted_is_not_touched(repository: Path) -> None:
    needs_program("ruff")
    (repository / "ruff.toml").write_text("", encoding="utf-8")
    unsorted = BEFORE.replace("import os\n\nimport numpy as np", "import numpy as np, os\nx = (1 )")
    assert formatted_like(unsorted, AFTER, str(repository / "module.py")) == AFTER


def test_without_options_no_formatter_runs(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool.mypy]\n", encoding="utf-8")
    assert formatted_like(BEFORE, AFTER, str(repository / "module.py")) == AFTER


def test_a_formatter_that_is_not_installed_is_left_out(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "pyproject.toml").write_text("[tool.ruff]\n[tool.black]\n[tool.isort]\n", encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    assert {each.table for each in FORMATTERS if each.is_chosen(repository)} == {"ruff", "black", "isort"}
    assert formatted_like(BEFORE, AFTER, str(repository / "module.py")) == AFTER
