"""Processes that execute CuPy on a GPU, for as long as there is time: each pair of dtypes is a kernel to compile."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import TimeoutError as Late
from multiprocessing import get_context
from multiprocessing.pool import Pool
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def workers(count: int, begin: Callable[[], None] | None = None) -> Pool:
    """That many processes, each of which runs `begin` first."""
    # CuPy reads this when it is imported. Every GPU runs CuPy's own kernels, but not every GPU those of CUB.
    os.environ["CUPY_ACCELERATORS"] = ""
    os.environ["OMP_NUM_THREADS"] = "1"
    return get_context("spawn").Pool(count, begin)


def in_time(pool: Pool, function: Callable[[T], R], todo: Sequence[T], end: float) -> Iterator[R]:
    """The results that come before `time.monotonic()` is `end`, in any order. Then the processes are terminated."""
    results = pool.imap_unordered(function, todo)
    for _ in todo:
        try:
            yield results.next(timeout=max(0.1, end - time.monotonic()))
        except Late:
            pool.terminate()
            return
