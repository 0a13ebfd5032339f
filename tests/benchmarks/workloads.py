"""The table of workloads: the program, the cache before the run, and the limits that the project has set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.benchmarks import programs

#: The largest ratio of peak memory, in every workload.
MEMORY_LIMIT: Final = 1.05
#: The most seconds for a check by the mypy daemon after a one-line edit.
DAEMON_LIMIT: Final = 0.3
#: The most seconds of processor time for the import of the whole plugin, beyond that of mypy.
STARTUP_LIMIT: Final = 0.06


@dataclass(frozen=True, slots=True)
class Workload:
    """A program or package that is checked with both variants.

    Attributes:
        name: its name in reports.
        warm: a program that is checked before, so that its imports are in the cache; None: the cache is empty.
        program: makes the measured file, of that many lines; None: an installed package is checked.
        lines: the size of the measured file.
        package: the package to check if there is no program.
        limit: the largest ratio of times that the project allows; None if it is measured for information.
        rounds: how often each variant is run; short runs need more for a stable median.
    """

    name: str
    warm: str | None
    program: Callable[[int], str] | None = None
    lines: int = 0
    package: str = ""
    limit: float | None = None
    rounds: int = 5


_NUMPY: Final = "import numpy as np\nimport numpy.typing as npt\nx: npt.NDArray[np.float32]\n"
_JAX: Final = "import jax\nimport jax.numpy as jnp\nfrom jaxtyping import Array, Float32\nx: Float32[Array, '']\n"
_TORCH: Final = "import torch\nfrom jaxtyping import Float32\nfrom torch import Tensor\nx: Float32[Tensor, '']\n"
_STDLIB: Final = "import collections.abc, functools, logging, re, typing\n"

WORKLOADS: Final = (
    Workload("numpy arithmetic", _NUMPY, programs.numpy_arithmetic, 2400, limit=0.10, rounds=3),
    Workload("numpy, all operands left to its stubs", _NUMPY, programs.numpy_fallback, 2400, rounds=3),
    Workload("numpy functions", _NUMPY, programs.numpy_functions, 2000, limit=0.30, rounds=3),
    Workload("jax program", _JAX, programs.jax_program, 2300, limit=1.05, rounds=9),
    Workload("torch program", _TORCH, programs.torch_program, 2300, limit=1.05, rounds=9),
    Workload("jax program, empty cache", None, programs.jax_program, 2300, limit=1.05, rounds=3),
    Workload("torch program, empty cache", None, programs.torch_program, 2300, limit=1.05, rounds=3),
    Workload("jinja2, empty cache", None, package="jinja2", limit=1.02, rounds=9),
    Workload("jinja2, standard library in the cache", _STDLIB, package="jinja2", limit=1.02, rounds=15),
)
