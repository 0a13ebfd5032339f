"""Python looks for garbage less often where mypy reads array libraries, and nowhere else."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy import api
from mypy.nodes import MypyFile
from mypy.options import Options

from promo_mypy.plugin import garbage
from promo_mypy.plugin.hooks import plugin


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """What this process had before."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("program", "files", "seldom"),
    [("import paddle\nx = paddle.ones\n", 9, True), ("import paddle\n", 5000, False), ("import typing\n", 9, False)],
)
def test_builds(program: str, files: int, seldom: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one that reads an array library from its sources; what it has from the cache is read by nobody."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(garbage, "MANY_FILES", files)
    (tmp_path / "paddle.py").write_text("ones = 1\n")  # quickly read, and an array library by its name
    assert thresholds_after(tmp_path, program, "") == (stock := gc.get_threshold())
    found = thresholds_after(tmp_path, program, "plugins = promo_mypy.plugin\n")
    assert (found[0] == 10 * stock[0]) is seldom
    assert (found == stock) is not seldom
    # An object of the second generation is looked at after about as many new ones.
    assert found[0] * found[1] == stock[0] * stock[1]
    assert found[2] == stock[2]
    assert thresholds_after(tmp_path, program + "y = 1\n", "plugins = promo_mypy.plugin\n") == stock


def thresholds_after(folder: Path, program: str, plugins: str) -> tuple[int, int, int]:
    """Those that a run of mypy leaves."""
    (folder / "mypy.ini").write_text(f"[mypy]\n{plugins}")
    (folder / "program.py").write_text(program)
    assert api.run(["--cache-dir", str(folder / ".cache"), "program.py"])[2] == 0
    return gc.get_threshold()


def test_daemons(monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep their process, and with it the garbage."""
    monkeypatch.setattr(garbage, "MANY_FILES", 1)
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
