"""The files of a release, built once for all tests of a worker."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.module_runs import ROOT


@pytest.fixture(scope="session")
def wheel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (file,) = folder.iterdir()
    return file
