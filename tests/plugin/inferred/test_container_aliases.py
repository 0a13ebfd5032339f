"""A container of arrays that is filled under an alias, or by a function, holds arrays of unknown dtype."""

import re
from collections import defaultdict
from inspect import currentframe
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

PROGRAM = (Path(__file__).parent / "aliases" / "program.py.txt").read_text(encoding="utf-8")
HEADER = """\
import copy
from typing import Any, Protocol, TypeVar
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
T = TypeVar("T")
"""
LIBRARIES = {
    "numpy": """
import numpy as np
import numpy.typing as npt
from numpy import stack
F = npt.NDArray[np.float32]
I = npt.NDArray[np.int32]
Open = npt.NDArray[Any]
def ones(dtype: str) -> Any: return np.ones(3, dtype)
""",
    "jax": """
import jax.numpy as jnp
from jax.numpy import stack
from jaxtyping import Array as Open, Float32, Int32
F = Float32[Open, "3"]
I = Int32[Open, "3"]
def ones(dtype: str) -> Any: return jnp.ones(3, dtype)
""",
    "torch": """
import torch
from torch import stack, Tensor as Open
from jaxtyping import Float32, Int32
F = Float32[Open, "3"]
I = Int32[Open, "3"]
def ones(dtype: str) -> Any: return torch.ones(3, dtype=getattr(torch, dtype))
""",
}
FLOAT32 = "numpy.floating[numpy._typing._nbit_base._32Bit"
_DTYPE = re.compile(r"(?:numpy\.dtype|Array|Tensor)\[(?P<dtype>[^,\]]+(?:\[[^\]]*)?)")
SETTINGS = "disallow_untyped_defs = false\ndisallow_untyped_calls = false\ncheck_untyped_defs = false"


@pytest.mark.parametrize("library", LIBRARIES)
def test_aliases(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs(library)
    if library != "numpy":
        needs("jaxtyping")
    text = HEADER + LIBRARIES[library] + PROGRAM
    (tmp_path / "aliases.py").write_text(text, encoding="utf-8")
    run = run_mypy(tmp_path, "aliases.py", cache=plugin_cache, settings=SETTINGS)
    assert run.errors() == [], run.output
    inferred, executed, lines = run.revealed(), _executed(text), text.splitlines()
    assert inferred.keys() == executed.keys()
    for number, dtypes in executed.items():
        known = set(_DTYPE.findall(inferred[number]))
        if lines[number - 1].endswith("# known"):
            assert dtypes == {"float32"}, lines[number - 1]
            assert known in ({"float32"}, {FLOAT32}), (lines[number - 1], inferred[number])
        else:
            assert "int32" in dtypes, lines[number - 1]
            assert "Any" in known, (lines[number - 1], inferred[number])


def _executed(text: str) -> dict[int, set[str]]:
    """Line -> the dtypes of the value that is revealed there."""
    shown: defaultdict[int, set[str]] = defaultdict(set)

    def reveal_type(value: Any) -> None:
        frame = currentframe()
        assert frame is not None
        assert frame.f_back is not None
        shown[frame.f_back.f_lineno].add(str(value.dtype).removeprefix("torch."))

    exec(compile(text, "aliases.py", "exec"), {"reveal_type": reveal_type, "__name__": "aliases"})
    return shown


SCALARS = """\
import numpy as np
half = np.ones(3, np.float16)
def fill_untyped(ys):
    ys.append(half)
def passed() -> None:
    xs = [np.uint16(1)]
    reveal_type(xs[0])  # known
    fill_untyped(xs)
    reveal_type(xs[1])
def in_dicts() -> None:
    d = {"k": [np.uint16(1)]}
    fill_untyped(d["k"])
    reveal_type(d["k"][1])
def only_read() -> None:
    xs = [np.uint16(1)]
    print(len(xs))
    reveal_type(xs[0])  # known
for function in (passed, in_dicts, only_read):
    function()
"""


def test_scalars_in_containers(tmp_path: Path, plugin_cache: Path) -> None:
    """A list of NumPy scalars may get an array, too."""
    (tmp_path / "scalars.py").write_text(SCALARS)
    lines = SCALARS.splitlines()
    run = run_mypy(tmp_path, "scalars.py", cache=plugin_cache, settings=SETTINGS)
    assert run.errors() == [], run.output
    shown = {lines[number - 1].strip(): text for number, text in run.revealed().items()}
    assert all(("16Bit" in text) == line.endswith("# known") for line, text in shown.items()), shown
    executed: list[str] = []
    exec(SCALARS, {"reveal_type": lambda value: executed.append(str(value.dtype))})
    assert executed == ["uint16", "float16", "float16", "uint16"]
