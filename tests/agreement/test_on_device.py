"""Programs of CuPy are written and executed where mypy is not installed; here NumPy stands in for CuPy."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

from tests.mypy_runs import ROOT
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


def test_programs_are_executed_without_mypy(tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text(STAND_IN, encoding="utf-8")
    (tmp_path / "mypy.py").write_text("raise ImportError", encoding="utf-8")
    file = tmp_path / "programs.pickle"
    options = ["execute", str(file), "--programs", "3", "--workers", "1"]
    run = subprocess.run(
        [sys.executable, "-m", "tests.agreement.on_device", *options],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout == "3 of 3 programs, 0 of them failed as a whole\n"
    executed = pickle.loads(file.read_bytes())
    assert {program.name for program, _ in executed} == {"program0", "program1", "program2"}
    assert all("import cupy as cp" in program.source() and len(values.values) > 20 for program, values in executed)
