"""Pieces cover an array once, fit the cache, and are computed in the caller's context, whatever the thread."""

import os
import subprocess
import sys
from collections.abc import Iterator
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promo_runtime.kernels.pieces import ELEMENTS, Cut, Scratch, cuts, in_pieces

ROOT = Path(__file__).parents[3]
SHAPES = [
    (),
    (0,),
    (3, 0, 2),
    (1,),
    (ELEMENTS,),
    (ELEMENTS + 1,),
    (7, ELEMENTS + 1),
    (3, 2, ELEMENTS // 2 + 1),
    (999, 77),
]


def times_covered(shape: tuple[int, ...], pieces: list[Cut]) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    seen = np.zeros(shape, np.int8)
    for cut in pieces:
        seen[cut] += 1
        assert 0 < seen[cut].size <= ELEMENTS
        assert seen[cut].flags.c_contiguous
    return seen


@pytest.mark.parametrize("shape", SHAPES)
def test_every_element_is_in_one_piece(shape: tuple[int, ...]) -> None:
    assert (times_covered(shape, list(cuts(shape))) == 1).all()


@given(st.lists(st.sampled_from([1, 2, 3, 181, 182, 1000]), max_size=4).filter(lambda shape: prod(shape) < 10**7))
@settings(deadline=None, max_examples=50)
def test_every_element_is_in_one_piece_of_any_shape(shape: list[int]) -> None:
    assert (times_covered(tuple(shape), list(cuts(tuple(shape)))) == 1).all()


def test_a_missing_piece_is_found() -> None:
    shape = (3, ELEMENTS)
    assert not (times_covered(shape, list(cuts(shape))[1:]) == 1).all()


def test_scratch_memory_is_reused_and_starts_at_a_cache_line() -> None:
    scratch = Scratch()
    large, small = (scratch.array(0, (size,), np.dtype(np.float32)) for size in (1000, 10))
    assert np.shares_memory(large, small)
    assert not np.shares_memory(large, scratch.array(1, (10,), np.dtype(np.uint8)))
    assert large.ctypes.data % 64 == scratch.array(2, (2, 999), np.dtype(np.uint16)).ctypes.data % 64 == 0


def test_an_exception_in_a_thread_is_raised_after_all_pieces_ended() -> None:
    done: list[Cut] = []

    def compute(pieces: Iterator[Cut]) -> None:
        for cut in pieces:
            if cut[0].start == 0:
                raise ZeroDivisionError("the first piece")
            done.append(cut)

    with pytest.raises(ZeroDivisionError, match="the first piece"):
        in_pieces((50 * ELEMENTS,), compute)


def test_threads_have_the_callers_errstate() -> None:
    states: list[str] = []

    def compute(pieces: Iterator[Cut]) -> None:
        states.extend(np.geterr()["over"] for _ in pieces)

    with np.errstate(over="raise"):
        in_pieces((40 * ELEMENTS,), compute)
    assert states == ["raise"] * 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
def test_a_forked_process_has_its_own_threads() -> None:
    script = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'runtime')!r}]\n"
        "import os, numpy as np, promo_runtime as pr\n"
        "xp, a, b = pr.namespace('jax'), np.ones(10**6, np.float32), np.ones(10**6, np.int32)\n"
        "assert (xp.add(a, b) == 2).all()\n"
        "child = os.fork()\n"
        "assert (xp.add(a, b) == 2).all()\n"
        "sys.exit(0) if child == 0 else sys.exit(os.waitpid(child, 0)[1])\n"
    )
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script]
    subprocess.run(command, check=True, timeout=60)
