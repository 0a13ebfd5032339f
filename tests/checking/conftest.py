"""A program with an environment of its own, and a cache that knows NumPy."""

import shutil
from pathlib import Path

import pytest

from promo_mypy.checking.kept.store import FOLDER
from promo_mypy.linting.lint import lint
from tests.checking.kept_programs import Repository, write


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows NumPy."""
    home = tmp_path_factory.mktemp("libraries")
    (home / "empty").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        repository = Repository.written(home, home / "empty")
        patch.chdir(repository.folder)
        write(repository.folder / "first_of_all.py", "import numpy as np\nfrom numpy.typing import NDArray\n")
        (repository.folder / "main.py").unlink()
        lint(repository.request())
    shutil.rmtree(home / "cache" / FOLDER)
    return home / "cache"


@pytest.fixture
def repository(tmp_path: Path, libraries: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A program in the current folder."""
    made = Repository.written(tmp_path, libraries)
    monkeypatch.chdir(made.folder)
    return made
