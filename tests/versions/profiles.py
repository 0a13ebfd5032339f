"""What runs in a session of the matrix."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Profile:
    """Some tests, and how often they run.

    Attributes:
        tests: files and folders, as pytest takes them.
        rounds: "cold" is a run in which mypy reads the libraries, "warm" one after it, with mypy's cache of the first.
        workers: processes; each has its own cache.
    """

    tests: tuple[str, ...]
    rounds: tuple[str, ...]
    workers: str


_QUICK_START: Final = "tests/versions/test_quick_start.py"

PROFILES: Final = {
    "fast": Profile(
        (
            _QUICK_START,
            "tests/plugin/operators/test_operator_cells.py",
            "tests/plugin/inferred/test_quiet_programs.py",
            "tests/plugin/annotations/test_numpy_forms.py",
            "tests/plugin/annotations/test_weak_dtypes.py",
        ),
        ("cold", "warm"),
        "2",
    ),
    "full": Profile((_QUICK_START, "tests/plugin", "tests/examples"), ("cold",), "auto"),
}
