"""NumPy's functions that turn any library's array into an ndarray keep its dtype, as executed."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.functions.numpy.forms import CONVERTING
from tests.mypy_runs import configuration, run_mypy
from tests.needed import imported, needs
from tests.program.executed import infer_json

DTYPES = ("bool", "uint8", "int16", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
HEADER = "from typing import Annotated\nimport numpy as np\nimport dask.array as da, torch, array_api_strict as xp\n"
# PyTorch and Dask implement an older version of the array protocol.
pytestmark = pytest.mark.filterwarnings("ignore")

#: Module -> its array class, annotated with a dtype.
ARRAYS = {
    "torch": "Annotated[torch.Tensor, torch.{0}]",
    "array_api_strict": "Annotated[xp._array_object.Array, xp.{0}]",
    "dask.array": "Annotated[da.Array, np.{0}]",
}


def made(module: str, dtype: str) -> Any:
    """An array of the library; None if it has no such dtype."""
    needs("dask", "torch", "array_api_strict")  # the header imports all
    library = imported(module)
    if module == "dask.array":
        return None if dtype == "bfloat16" else library.ones(3, dtype=dtype)
    found = getattr(library, dtype, None)
    return None if found is None else import_module(module).ones(3, dtype=found)


@pytest.mark.parametrize("module", ARRAYS)
def test_the_dtype_stays(module: str, tmp_path: Path, plugin_cache: Path) -> None:
    lines = HEADER.splitlines()
    expected: dict[int, str | None] = {}
    for dtype in DTYPES:
        array = made(module, dtype)
        if array is None:
            continue
        lines.append(f"def f_{dtype}(x: {ARRAYS[module].format(dtype)}) -> None:")
        for name in sorted(CONVERTING):
            lines.append(f"    np.{name}(x)")
            try:
                expected[len(lines)] = str(getattr(np, name)(array).dtype)
            except TypeError:
                expected[len(lines)] = None
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run_mypy(tmp_path, "program.py", cache=plugin_cache).errors() == []
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    found = {e["line"]: e["dtype"] for e in infer_json(tmp_path, "program.py")["expressions"] if e["column"] == 4}
    assert found == expected
    assert len(expected) > 40


def test_other_functions_leave_them_to_their_library(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: `np.sqrt` of a Dask array is a Dask array, and the dtype of no ndarray is inferred."""
    needs("torch", "array_api_strict")
    dask = imported("dask.array")
    text = f"{HEADER}def f(x: {ARRAYS['dask.array'].format('float32')}) -> None:\n    np.sqrt(x)\n"
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    found = infer_json(tmp_path, "program.py")["expressions"]
    assert [e["dtype"] for e in found if e["column"] == 4] in ([], [None])
    assert isinstance(np.sqrt(dask.ones(3)), dask.Array)
