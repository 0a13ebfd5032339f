"""A command leaves its process at once, and nothing that it printed or registered is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """\
import atexit, threading, time
from promo_mypy.cli.leaving import leave

class Late:
    def __del__(self):
        print("freed")

late = Late()
late.itself = late
atexit.register(print, "registered")
print("printed")
{before}
leave(3)
raise SystemExit(3)
"""
_IN_A_THREAD = "threading.Thread(target=lambda: (time.sleep(0.2), print('in a thread'))).start()"


@pytest.mark.parametrize(
    ("before", "printed"),
    [("", ["printed", "registered"]), (_IN_A_THREAD, ["printed", "in a thread", "registered", "freed"])],
    ids=["alone", "with another thread"],
)
def test_what_is_left_to_do_is_done(before: str, printed: list[str]) -> None:
    command = [sys.executable, "-c", _PROGRAM.format(before=before)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (printed, "", 3)


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_output_that_cannot_be_written_is_reported() -> None:
    command = [sys.executable, "-c", _PROGRAM.format(before="")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert "No space left" in done.stderr
    assert done.returncode != 0
