"""Projects made for one test, on which pytest runs in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


class Project:
    """A folder with the package `app` and its tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["."]\n')

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run pytest with our plugin, whether or not the environment has its entry point."""
        paths = f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'runtime')!r}]"
        program = f"import sys\n{paths}\nimport pytest\nsys.exit(pytest.main(sys.argv[1:]))"
        # Load only the requested plugins of those that are installed: they take seconds to import.
        several = ["-p", "xdist"] if any(each.startswith("-n") for each in arguments) else []
        options = ["-p", "promo_pytest", *several, "-p", "no:cacheprovider", "--tb=short", *arguments]
        command = [sys.executable, "-c", program, *options]
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Project(tmp_path)
