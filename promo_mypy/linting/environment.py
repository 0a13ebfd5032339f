"""Find the environment of a repository: mypy reads the types of its packages there, and nothing is imported."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from promo_mypy.checking.repository_folders import folders_around

#: Where a repository keeps its virtual environment.
_FOLDERS: Final = (".venv", "venv", "env")


def interpreter(folder: Path, variables: Mapping[str, str] = os.environ) -> Path:
    """The interpreter of the active environment, or of the one beside the code, or else the running one."""
    return next(_candidates(folder, variables), Path(sys.executable))


def in_environment(path: Path) -> Path | None:
    """The interpreter of an environment, or of a file that is one; None for any other path."""
    if path.is_file():
        return path
    found = (path / place for place in ("bin/python", "Scripts/python.exe", "bin/python3"))
    return next((each for each in found if each.is_file()), None)


def _candidates(folder: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if value := variables.get(name):
            yield from _interpreters([Path(value)])
    for home in folders_around(folder):
        yield from _interpreters(home / name for name in _FOLDERS if (home / name / "pyvenv.cfg").is_file())


def _interpreters(environments: "Iterator[Path] | list[Path]") -> Iterator[Path]:
    for environment in environments:
        found = in_environment(environment)
        if found is not None:
            yield found
