"""Measure the start of every run: the import of the plugin, beyond that of mypy."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.benchmarks.process import variables

#: Array libraries that must not be imported.
ARRAYS = ("numpy", "jax", "torch", "ml_dtypes", "jaxtyping")

_PROGRAM = f"""
import json, sys, time
import mypy.build, mypy.main
started = time.process_time()
import promo_mypy.plugin
alone = time.process_time() - started
import promo_mypy.plugin.features
print(json.dumps([alone, time.process_time() - started, [name for name in {ARRAYS} if name in sys.modules]]))
"""


@dataclass(frozen=True, slots=True)
class Startup:
    """Seconds of processor time by run: for builds without arrays, and with the features for builds with arrays.

    `arrays`: the array libraries that were imported nevertheless.
    """

    alone: tuple[float, ...]
    features: tuple[float, ...]
    arrays: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """The median with the features."""
        return median(self.features)


def startup(folder: Path, *, rounds: int) -> Startup:
    """Import the plugin in processes of their own, with byte code at hand."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for _ in range(rounds + 1):
        command = [sys.executable, "-c", _PROGRAM]
        done = subprocess.run(command, cwd=folder, env=variables(folder), capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    del runs[0]  # it wrote the byte code
    return Startup(
        tuple(alone for alone, _, _ in runs), tuple(both for _, both, _ in runs), tuple(sorted(set(runs[-1][2])))
    )
