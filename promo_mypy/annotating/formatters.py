"""Run the formatters of a repository on annotated files: the order of imports, and the length of lines."""

import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from promo_mypy.checking.repository_folders import folders_around
from promo_mypy.rules.lattices.file_names import PYPROJECT

#: A formatter that takes longer than this for one file is left out, in seconds.
_LONGEST: Final = 30


@dataclass(frozen=True, slots=True)
class Formatter:
    """A program that formats standard input.

    Attributes:
        table: its table below `tool` in pyproject.toml.
        files: its own files with options.
        command: how to run it; `{}` stands for the path of the file.
    """

    table: str
    files: tuple[str, ...]
    command: tuple[str, ...]

    def is_chosen(self, folder: Path) -> bool:
        """Whether a repository has options for it in this folder."""
        if any((folder / name).is_file() for name in self.files):
            return True
        try:
            options = tomllib.loads((folder / PYPROJECT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return self.table in options.get("tool", {})

    def formatted(self, text: str, path: str) -> str | None:
        """The formatted text; None if the program is not installed, or does not take the file."""
        program = shutil.which(self.command[0])
        if program is None:
            return None
        command = [program, *(each.format(path) for each in self.command[1:])]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, encoding="utf-8", check=False, timeout=_LONGEST
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


_RUFF: Final = ("ruff.toml", ".ruff.toml")
FORMATTERS: Final = (
    Formatter("ruff", _RUFF, ("ruff", "check", "--select=I", "--fix-only", "--quiet", "--stdin-filename={}", "-")),
    Formatter("isort", (".isort.cfg",), ("isort", "--quiet", "--filename={}", "-")),
    Formatter("ruff", _RUFF, ("ruff", "format", "--quiet", "--stdin-filename={}", "-")),
    Formatter("black", (), ("black", "--quiet", "--stdin-filename={}", "-")),
)


def formatted_like(before: str, after: str, path: str) -> str:
    """The changed text of a file, by each formatter of its repository that would leave the text before as it is."""
    homes = list(folders_around(Path(path).absolute().parent))
    chosen = [each for each in FORMATTERS if any(map(each.is_chosen, homes))]
    for formatter in chosen:
        if formatter.formatted(before, path) == before:
            after = formatter.formatted(after, path) or after
    return after
