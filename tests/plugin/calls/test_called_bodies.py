"""`promo-mypy infer` follows calls of functions without a declared dtype into their bodies."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import configuration
from tests.needed import needs
from tests.program.executed import differences, infer_json, place_of, run_command

needs("torch")

OTHER = """\
import numpy as np
import torch

def init(n):
    return torch.zeros(n)

def rescale(x, size=2.0):
    return x / size

def declared(x: torch.Tensor, y: torch.Tensor | None = None) -> torch.Tensor | None:
    return x * 2

def pair(x):
    return x * 2, "text"

def chain(x):
    y = rescale(x, 3)
    return y

def again(x, n):
    return x if n == 0 else again(x * 2, n - 1)

def wrong(x):
    x.nothing_like_that = []
    return [x] + x + "text"

class Base:
    def get(self, x):
        return x.astype(np.int8)

class Derived(Base):
    def get(self, x):
        return x
"""
PROGRAM = """\
import numpy as np
import torch

import other

def use(base: other.Base) -> None:
    x, t = np.ones(3, np.float32), torch.ones(2, dtype=torch.float64)
    other.init(3) + 1
    other.rescale(x, 4)
    other.rescale(t)
    other.rescale(np.ones(2, np.int8))
    other.declared(t)
    d, e = other.pair(np.ones(3, np.int8))
    d
    other.chain(x)
    other.again(x, 4)
    base.get(x)
    y = other.init(3)
    y = None

use(other.Derived())
"""
#: Line -> the dtypes of the expressions that begin at the start of the line.
EXPECTED = {
    8: ["float32", "float32"],  # the call, and its sum
    9: ["float32"],
    10: ["float64"],
    11: ["float64"],
    12: ["float64"],
    14: ["int8"],
    15: ["float32"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Path:
    folder = tmp_path_factory.mktemp("called_bodies")
    (folder / "pyproject.toml").write_text(configuration(plugin_cache))
    (folder / "other.py").write_text(OTHER)
    (folder / "program.py").write_text(PROGRAM)
    return folder


def _found(folder: Path, *files: str) -> list[dict[str, Any]]:
    return [each for each in infer_json(folder, *files)["expressions"] if each["path"] == "program.py"]


def test_the_dtype_follows_from_the_arguments(folder: Path) -> None:
    expressions = _found(folder, "program.py", "other.py")
    found: dict[int, list[str]] = {}
    for each in expressions:
        line, column, *_ = place_of(each)
        if column == 4 and line in (*EXPECTED, 16, 17):
            found.setdefault(line, []).append(each["dtype"])
    assert found == EXPECTED
    assert differences(folder / "program.py", expressions) == []


def test_a_second_run_and_another_order_infer_the_same(folder: Path) -> None:
    first = _found(folder, "program.py", "other.py")
    assert _found(folder, "other.py", "program.py") == first


def test_a_body_that_is_not_among_the_files_is_not_followed(folder: Path) -> None:
    lines = {place_of(each)[0] for each in _found(folder, "program.py") if place_of(each)[1] == 4}
    assert lines.isdisjoint({8, 9, 10, 11, 14, 15})


def test_no_error_comes_from_the_bodies(folder: Path) -> None:
    done = run_command(folder, "infer", "program.py", "other.py", "--format", "json")
    assert json.loads(done.stdout)["left_out"] == []
    assert done.stderr == ""
