"""mypy compares fewer indices of arrays and tensors with their declarations; what it infers and reports stays."""

from pathlib import Path

import numpy as np
import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

#: Indices, and the class of the item: of an array with two dimensions, executed.
INDICES = {
    "0": "array",
    "-1": "array",
    "0, 1": "scalar",
    "i": "array",
    "i, -1": "scalar",
    "True": "array",
    ":": "array",
    "1:": "array",
    "i:2, 0": "array",
    "...": "array",
    "..., None": "array",
    "None": "array",
    "mask": "array",
    "places": "array",
    "places, 0": "array",
    "(places, places)": "array",
    "holder.i": "array",
    "holder.mask": "array",
}
REFUSED = ("1.5", "'a'", "text", "i, text", "holder", "0, 'a'", "holder.missing", "number")

#: The names in them.
SETUP = """\
import numpy as np

class Holder:
    i = 1
    mask = np.ones((3, 3), dtype=np.bool_)

holder, text, number, i = Holder(), "a", 1.5, 1
array = np.ones((3, 3), dtype=np.float32)
mask, places = array > 0, np.array([0, 1])
"""


@pytest.mark.parametrize("index", INDICES)
def test_the_items_are_what_the_table_says(index: str) -> None:
    scope: dict[str, object] = {}
    exec(f"{SETUP}found = array[{index}]", scope)
    expected = np.ndarray if INDICES[index] == "array" else np.float32
    assert type(scope["found"]) is expected


def _program(lines: list[str]) -> str:
    return f"""\
{SETUP}
import numpy.typing as npt

def read(x: npt.NDArray[np.float32]) -> None:
{"".join(f"    {line}{chr(10)}" for line in lines)}"""


def test_every_accepted_index_gives_the_dtype(tmp_path: Path, plugin_cache: Path) -> None:
    program = _program([f"reveal_type(x[{index}])" for index in INDICES])
    (tmp_path / "accepted.py").write_text(program, encoding="utf-8")
    run = run_mypy(tmp_path, "accepted.py", cache=plugin_cache)
    assert run.errors() == []
    revealed = list(run.revealed().values())
    assert len(revealed) == len(INDICES)
    for index, found in zip(INDICES, revealed, strict=True):
        assert found == "Any" or "_32Bit" in found or "float32" in found, (index, found)
        assert found == "Any" or INDICES[index] == "scalar" or "rray" in found, (index, found)


def test_every_rejected_index_is_reported_as_without_the_plugin(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    program = _program([f"x[{index}]" for index in REFUSED])
    (tmp_path / "refused.py").write_text(program, encoding="utf-8")
    on = run_mypy(tmp_path, "refused.py", cache=plugin_cache)
    off = run_mypy(tmp_path, "refused.py", cache=stock_cache, plugin=False)
    assert on.messages == off.messages
    assert len({message.line for message in off.errors()}) == len(REFUSED)


def test_every_rejected_index_of_a_tensor_is_reported_as_without_the_plugin(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    needs("torch")
    setup = SETUP.replace("import numpy as np", "import torch").replace("np.array([", "torch.tensor([")
    setup = setup.replace("np.bool_", "torch.bool").replace("np.", "torch.")
    uses = [use for index in (*INDICES, *REFUSED, "(0, 1), 0", "[0, 1]") for use in (f"x[{index}]", f"x[{index}] = 1")]
    program = f"{setup}\ndef read(x: torch.Tensor) -> None:\n" + "".join(f"    {use}\n" for use in uses)
    (tmp_path / "tensors.py").write_text(program, encoding="utf-8")
    on = run_mypy(tmp_path, "tensors.py", cache=plugin_cache)
    off = run_mypy(tmp_path, "tensors.py", cache=stock_cache, plugin=False)
    places = [(message.line, message.code) for message in off.errors()]
    assert [(message.line, message.code) for message in on.errors()] == places
    assert len({line for line, _ in places}) == 2 * len(REFUSED)


def test_the_type_of_an_index_in_a_loop_may_change(tmp_path: Path, plugin_cache: Path) -> None:
    program = f"""\
{SETUP}
import numpy.typing as npt

def read(x: npt.NDArray[np.float32], y: npt.NDArray[np.bool_], n: int) -> None:
    k: int | npt.NDArray[np.bool_] = 0
    for _ in range(n):
        item = x[k]
        k = y
    kept: npt.NDArray[np.float32] = x[k]
"""
    (tmp_path / "loop.py").write_text(program, encoding="utf-8")
    assert run_mypy(tmp_path, "loop.py", cache=plugin_cache).errors() == []


def test_an_index_without_a_type_is_reported_as_without_the_plugin(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    program = "import numpy as np\nimport numpy.typing as npt\n\n"
    program += "def read(x: npt.NDArray[np.float32]) -> None:\n    places = []\n    print(x[places])\n"
    (tmp_path / "partial.py").write_text(program, encoding="utf-8")
    on = run_mypy(tmp_path, "partial.py", cache=plugin_cache)
    off = run_mypy(tmp_path, "partial.py", cache=stock_cache, plugin=False)
    assert on.messages == off.messages
    assert off.errors()
