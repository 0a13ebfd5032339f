"""mypy computes promotions in every mode - cold, warm, workers, daemon - also after a change elsewhere."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.mypy_runs import Run, daemon_checks, run_mypy
from tests.plugin.annotations.miniature import write, write_libraries

# The names depend on nothing else, so that mypy has little to read.
HEADER = """\
from typing import Any, Generic, TypeVar
from jax import Array
from promo_mypy.rules.promoted import Promote
from promo_mypy.rules.dtypes import float8_e4m3fn, float32, int32
A = TypeVar("A")
B = TypeVar("B")
"""
LIBRARY = """\
def add(x: "Array[A]", y: "Array[B]") -> {result}:
    raise NotImplementedError
class Layer(Generic[A]):
    def __init__(self, weight: "Array[A]") -> None: ...
    def __call__(self, x: "Array[B]") -> {result}:
        raise NotImplementedError
    def method(self, x: "Array[B]") -> {result}:
        raise NotImplementedError
def use(x: "Array[int32]", y: "Array[float32]") -> None:
    reveal_type(add(x, y))
"""
USER = """\
from library import Layer, add
class Narrow(Layer["int32"]): ...
def use(x: "Array[int32]", y: "Array[float32]", z: "Array[float8_e4m3fn]") -> None:
    reveal_type(add(x, y))
    reveal_type(Layer(x)(y))
    reveal_type(Narrow(x)(y))
    reveal_type(Narrow(x).method(y))
    add(y, z)
"""
RESULTS = {
    '"Array[Promote[A, B]]"': "float32",
    '"Array[Any]"': "Any",
    '"Array[Promote[B, A]] | None"': "float32",
    '"Array[Promote[int32, int32]]"': "int32",
    '"Array[Promote[A, B, float32]]"': "float32",
}

FILES = ("library.py", "user.py")
Check = Callable[[], Run]


def _once(folder: Path, *arguments: str) -> Check:
    return lambda: run_mypy(folder, *FILES, *arguments, cache=folder / "cache")


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Check]:
    with daemon_checks(tmp_path, *FILES) as check:
        yield check


def _follow_changes(folder: Path, check: Check, extras: tuple[str, ...] = ("", "", "extra: int = 1\n")) -> None:
    """Check each result; by default twice, and once after another line in the calling module."""
    write_libraries(folder)
    write(folder, {"user.py": HEADER + USER})
    for result, dtype in RESULTS.items():
        write(folder, {"library.py": HEADER + LIBRARY.format(result=result)})
        for extra in extras:
            write(folder, {"user.py": HEADER + USER + extra})
            run = check()
            typ = f"Array[{dtype}] | None" if "None" in result else f"Array[{dtype}]"
            # mypy's workers report modules in the order in which they finish.
            shown = sorted((message.file, message.revealed) for message in run.messages if message.revealed is not None)
            assert shown == [("library.py", typ), *[("user.py", typ)] * 4], run.output
            refused = [("user.py", "promo-undefined")] if "[A, B" in result or "[B, A" in result else []
            assert [(error.file, error.code) for error in run.errors()] == refused, run.output


def test_cache(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path))


@pytest.mark.slow
def test_workers(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path, "-n", "2"))


@pytest.mark.slow
def test_daemon(tmp_path: Path, daemon: Check) -> None:
    _follow_changes(tmp_path, daemon)


@pytest.mark.slow
def test_no_cache(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path, "--cache-dir", os.devnull), extras=("",))
