"""Compute large arrays in pieces that stay in a core's cache, shared by threads.

NumPy's loops release the interpreter lock, so pieces of one call are computed on several cores at once. Besides
operands and result, a thread needs only its `Scratch`, some hundred KiB, whatever the size of the arrays.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from math import prod
from threading import Lock
from typing import Any, Final

import numpy as np

Cut = tuple[Any, ...]
"""An index that gives a view of one piece, for every array of the same shape."""

ELEMENTS: Final = 1 << 16
"""The most elements in a piece, if a kernel does not require fewer."""

#: The pieces per thread. With fewer, waking a thread takes longer than computing the pieces.
_PIECES_PER_THREAD: Final = 4
#: Each thread has its own scratch; together they stay below 2 MiB. The memory bandwidth would not serve many more
#: threads.
_THREADS: Final = 4
#: Vector instructions on addresses across two cache lines take twice the time.
_CACHE_LINE: Final = 64


def cuts(shape: tuple[int, ...], elements: int = ELEMENTS) -> Iterator[Cut]:
    """Indices of pieces with at most `elements` elements that cover the shape. Pieces of contiguous arrays are
    contiguous.
    """
    if not prod(shape):
        return
    axis, inner = len(shape), 1
    while axis and inner * shape[axis - 1] <= elements:
        axis -= 1
        inner *= shape[axis]
    if not axis:
        yield (...,)
        return
    length = shape[axis - 1]
    count = -(-length // (elements // inner))
    for outer in np.ndindex(shape[: axis - 1]):
        for place in range(count):
            yield (*outer, slice(length * place // count, length * (place + 1) // count), ...)


class Scratch:
    """Arrays that a thread reuses for every piece."""

    def __init__(self) -> None:
        self._made: dict[int, np.ndarray[Any, np.dtype[np.uint8]]] = {}

    def array(self, place: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """An array with arbitrary values. Arrays of one place share their memory."""
        size = prod(shape) * dtype.itemsize
        flat = self._made.get(place)
        if flat is None or len(flat) < size:
            memory = np.empty(size + _CACHE_LINE, np.uint8)
            flat = self._made[place] = memory[-memory.ctypes.data % _CACHE_LINE :]
        return flat[:size].view(dtype).reshape(shape)


def in_pieces(shape: tuple[int, ...], compute: Callable[[Iterator[Cut]], None], elements: int = ELEMENTS) -> None:
    """Compute all pieces. `compute` takes pieces until none is left; each helping thread calls it once.

    Threads see the caller's context, including numpy.errstate. An exception in a thread is raised when all have ended.
    """
    pieces = list(cuts(shape, elements))
    taken = iter(pieces)
    helpers = min(_THREADS, _cores(), len(pieces) // _PIECES_PER_THREAD) - 1
    if helpers < 1:
        compute(taken)
        return
    futures = [_pool().submit(copy_context().run, compute, taken) for _ in range(helpers)]
    try:
        compute(taken)
    finally:  # cancel what no thread has started by now
        begun = [future for future in futures if not future.cancel()]
        wait(begun)
    for future in begun:
        future.result()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_pools: Final[list[ThreadPoolExecutor]] = []
_making: Final = Lock()


def _pool() -> ThreadPoolExecutor:
    if not _pools:
        with _making:
            if not _pools:
                _pools.append(ThreadPoolExecutor(_THREADS - 1, "promo_runtime"))
    return _pools[0]


if hasattr(os, "register_at_fork"):  # a forked process inherits the pool without its threads
    os.register_at_fork(after_in_child=_pools.clear)
