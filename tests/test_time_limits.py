import contextlib
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.module_runs import ROOT
from tests.time_limits import TimeLimitError, time_limit

_STUBBORN = """
import threading
from tests.time_limits import time_limit
with time_limit("program 7", seconds=60, last=0.1):
    threading.Event().wait()
"""


def _loop(program: str) -> None:
    with time_limit(program, 0.05):
        while True:
            pass


def _loop_again(program: str) -> None:
    """A program that catches what interrupts it the first time."""
    with time_limit(program, 0.05):
        with contextlib.suppress(TimeLimitError):
            while True:
                pass
        while True:
            pass


@pytest.mark.parametrize("program", [_loop, _loop_again])
def test_an_endless_program_is_interrupted(program: Callable[[str], None]) -> None:
    with pytest.raises(TimeLimitError, match=r"program 7 has not ended after 0\.05 s"):
        program("program 7")


def test_nothing_is_left_after_a_program_that_ends() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit("program 7", 60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_process_that_cannot_be_interrupted_ends() -> None:
    done = subprocess.run([sys.executable, "-c", _STUBBORN], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "program 7 has not ended after 0.1 s, and cannot be interrupted\n")
