"""A time limit for programs that are written at random: one of them may loop for ever."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import FrameType
from typing import Final

#: Seconds for one program. One of a few lines takes milliseconds, and what JAX compiles some seconds.
SECONDS: Final = 60.0
#: Seconds after which a process ends whose program cannot be interrupted, because a library computes for ever.
LAST: Final = 5 * SECONDS


class TimeLimitError(Exception):
    """A program has not ended in its time."""


@contextmanager
def time_limit(program: str, seconds: float = SECONDS, last: float = LAST) -> Iterator[None]:
    """Raise TimeLimitError in a block that takes longer, in the main thread of a process.

    Python cannot interrupt a library that computes. If the block is still running after `last` seconds, the process
    names the program and ends.
    """

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimitError(f"{program} has not ended after {seconds:g} s")

    def end() -> None:
        sys.stderr.write(f"{program} has not ended after {last:g} s, and cannot be interrupted\n")
        sys.stderr.flush()
        os._exit(1)

    watch = Timer(last, end)
    watch.daemon = True
    before = signal.signal(signal.SIGALRM, interrupt)
    # Again and again: the program may catch the first exception.
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    watch.start()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        watch.cancel()
