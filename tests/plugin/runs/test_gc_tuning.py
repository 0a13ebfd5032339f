"""Garbage collection runs less often where mypy reads array libraries, nowhere else; edits leave little garbage."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy import api
from mypy.dmypy_server import Server, process_start_options
from mypy.nodes import Expression, MypyFile
from mypy.options import Options

from promo_mypy.plugin.hooks import plugin
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.process import gc_tuning
from tests.plugin.annotations.miniature import write, write_libraries


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Restores the thresholds of this process."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("program", "files", "seldom"),
    [("import paddle\nx = paddle.ones\n", 9, True), ("import paddle\n", 5000, False), ("import typing\n", 9, False)],
)
def test_builds(program: str, files: int, seldom: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that reads an array library from its sources; a library from the cache is not read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gc_tuning, "MANY_FILES", files)
    (tmp_path / "paddle.py").write_text("ones = 1\n")  # small, and an array library by its name
    assert thresholds_after(tmp_path, program, "") == (stock := gc.get_threshold())
    found = thresholds_after(tmp_path, program, "plugins = promo_mypy.plugin\n")
    assert (found[0] == 30 * stock[0]) is seldom
    assert (found == stock) is not seldom
    # The collector reaches an object of the second generation after about as many new ones.
    assert found[0] * found[1] == stock[0] * stock[1]
    assert found[2] == stock[2]
    assert thresholds_after(tmp_path, program + "y = 1\n", "plugins = promo_mypy.plugin\n") == stock


def thresholds_after(folder: Path, program: str, plugins: str) -> tuple[int, int, int]:
    """The thresholds after a run of mypy."""
    (folder / "mypy.ini").write_text(f"[mypy]\n{plugins}")
    (folder / "program.py").write_text(program)
    assert api.run(["--cache-dir", str(folder / ".cache"), "program.py"])[2] == 0
    return gc.get_threshold()


def test_daemons(monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon keeps its process, and with it the garbage."""
    monkeypatch.setattr(gc_tuning, "MANY_FILES", 1)
    before = gc.get_threshold()
    for is_daemon, seldom in ((True, False), (False, True)):
        options = Options()
        options.fine_grained_incremental = is_daemon
        made = plugin("")(options)
        made.set_modules({})
        file = MypyFile([], [])
        file._fullname = "numpy"
        made.get_additional_deps(file)
        assert (gc.get_threshold() != before) is seldom


PROGRAM = """\
from jax import Array
from jaxtyping import Float32

def f(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    y = x * {edit}
    y = y + 1
    return y
"""


@pytest.mark.slow
def test_edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next edit frees what an edit replaced, as without the plugin: no reference cycle of ours keeps it."""
    assert kept_expressions(tmp_path, monkeypatch) == 0


@pytest.mark.slow
def test_a_reference_cycle_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Declarations, "close", lambda _: None)
    assert kept_expressions(tmp_path, monkeypatch) > 10


def kept_expressions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Expressions of a file that a daemon leaves to the garbage collector in some edits.

    Expressions that exist before the edits are held: other tests of this process may have left them in a cache.
    """
    write_libraries(folder)
    write(folder, {"mypy.ini": "[mypy]\nplugins = promo_mypy.plugin\n", "program.py": PROGRAM.format(edit=1)})
    monkeypatch.chdir(folder)
    options = process_start_options(["--config-file", "mypy.ini", "--cache-dir", "cache"], allow_sources=False)
    server = Server(options, "status.json")

    def check(edit: int) -> None:
        write(folder, {"program.py": PROGRAM.format(edit=edit)})
        os.utime(folder / "program.py", (edit * 10, edit * 10))  # edits within one second would not be noticed
        answer = server.cmd_check(["program.py"], export_types=False, is_tty=False, terminal_width=80)
        assert answer["status"] == 0, answer

    check(2)
    gc.collect()
    held = [each for each in gc.get_objects() if issubclass(type(each), Expression)]  # a proxy's `__class__` may raise
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for edit in range(3, 8):
            check(edit)
        gc.collect()
        return sum(isinstance(found, Expression) for found in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        held.clear()
        gc.enable()
