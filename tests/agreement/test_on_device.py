"""Programs of CuPy are written and executed where mypy is not installed; here NumPy stands in for CuPy."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

from tests.agreement.on_device import Executed
from tests.mypy_runs import ROOT, run_mypy
from tests.needed import needs

needs("jaxtyping")

STAND_IN = """\
import numpy
from numpy import *
class ndarray(numpy.ndarray):
    def get(self):
        return numpy.asarray(self)
ndarray.__module__ = "cupy"
def asnumpy(x):
    return numpy.asarray(x)
def _own(function):
    return lambda *args, **options: function(*args, **options).view(ndarray)
asarray, array, ones, zeros = map(_own, (numpy.asarray, numpy.array, numpy.ones, numpy.zeros))
arange, full, eye, linspace = map(_own, (numpy.arange, numpy.full, numpy.eye, numpy.linspace))
"""


def _executed(folder: Path, count: int) -> list[Executed]:
    (folder / "cupy.py").write_text(STAND_IN, encoding="utf-8")
    (folder / "mypy.py").write_text("raise ImportError", encoding="utf-8")
    file = folder / "programs.pickle"
    options = ["execute", str(file), "--programs", str(count), "--workers", "1"]
    run = subprocess.run(
        [sys.executable, "-m", "tests.agreement.on_device", *options],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{count} of {count} programs, 0 of them failed as a whole\n"
    executed: list[Executed] = pickle.loads(file.read_bytes())
    return executed


def test_programs_are_executed_without_mypy(tmp_path: Path) -> None:
    executed = _executed(tmp_path, 3)
    assert {program.name for program, _ in executed} == {"program0", "program1", "program2"}
    assert all("import cupy as cp" in program.source() and values for program, values in executed)
    assert all(len(values.values) > 20 for _, values in executed if values)


def test_the_plugin_never_fails_on_them(tmp_path: Path, plugin_cache: Path) -> None:
    """What the plugin says of wrong programs needs no GPU."""
    executing, checking = tmp_path / "executing", tmp_path / "checking"
    executing.mkdir()
    checking.mkdir()
    names = []
    for program, _ in _executed(executing, 40):
        names.append(f"{program.name}.py")
        (checking / names[-1]).write_text(program.source(), encoding="utf-8")
    errors = run_mypy(checking, *names, cache=plugin_cache).errors()
    assert len(errors) > 40
    assert [each for each in errors if each.code == "promo-failure"] == []
