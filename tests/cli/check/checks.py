"""Run `promo-mypy check` as users do, each time in a process of its own."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mypy_runs import environment
from tests.program.executed import run_command

HEADER = "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"

#: A function whose returned value is float64 where float32 is declared, in line 7.
MISTAKE = f"""{HEADER}def centred(image: NDArray[np.float32]) -> NDArray[np.float32]:
    mean = np.array([0.485, 0.456, 0.406])
    return image - mean
"""


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    status: int
    output: str
    errors: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of the JSON format."""
        found: list[dict[str, Any]] = json.loads(self.output)["findings"]
        return found

    @property
    def codes(self) -> list[tuple[int, str]]:
        """Line and code of each finding of the JSON format."""
        return [(each["line"], each["code"]) for each in self.findings]


def check(folder: Path, cache: Path, *arguments: str, **variables: str) -> Done:
    """Run the command in a folder, outside every environment but that of the tests."""
    outside = {"VIRTUAL_ENV": "", "CONDA_PREFIX": ""} | variables
    done = run_command(folder, "check", *arguments, "--cache-dir", str(cache), **outside)
    return Done(done.returncode, done.stdout, done.stderr)


def check_json(folder: Path, cache: Path, *arguments: str) -> Done:
    """The same with the JSON format."""
    return check(folder, cache, *arguments, "--format", "json")


def piped(folder: Path, cache: Path, source: bytes, *arguments: str, **variables: str) -> Done:
    """The command with the source on its standard input."""
    command = [sys.executable, "-m", "promo_mypy.cli", "check", *arguments, "--cache-dir", str(cache)]
    done = subprocess.run(
        command, cwd=folder, env=environment() | variables, input=source, capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
