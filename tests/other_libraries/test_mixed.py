"""Arrays of the further libraries beside NumPy's arrays and scalars: the inferred dtypes are the executed ones."""

import json
from pathlib import Path

import pytest

from promo_mypy.rules.dtypes import parse
from tests.examples.agreement import run_python
from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.other_libraries.mixed import DTYPES, cells

HEAD = """\
from typing import Any
import numpy as np
from promo_mypy.rules import dtypes as dt
"""
# library -> modules it needs, import, annotation of an array, and how many of 1620 cells may be unknown. NumPy computes
# if it is on the left of array-api-strict; Paddle accepts few NumPy scalars.
LIBRARIES = {
    "dask": (("dask",), "import dask.array as da", '"da.Array[dt.{0}]"', 0),
    "array-api": (
        ("array_api_strict",), "from array_api_strict._array_object import Array", '"Array[dt.{0}]"', 810,
    ),
    "paddle": (("paddle",), "import paddle", '"paddle.Tensor[dt.{0}, Rank1]"', 470),
    "tensorflow": (("tensorflow", "tensorflow-stubs"), "import tensorflow as tf", '"tf.Tensor[dt.{0}]"', 18),
}  # fmt: skip
RANK_1 = "from promo_mypy.rules.ranks import Known, Rank\nRank1 = Rank[Any, Known, Known, Any, Any, Any, Any, Any]\n"
NUMPY = {"ndarray": "np.ndarray[tuple[int], np.dtype[np.{0}]]", "scalar": "np.{0}"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_agrees_with_execution(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    modules, imports, annotation, allowed = LIBRARIES[library]
    needs(*modules)
    actual = json.loads(run_python("-m", "tests.other_libraries.mixed", library, attempts=20).splitlines()[-1])
    forms = {"array": annotation, **NUMPY}
    names = [f"{form}_{d}: {text.format(parse(d).__name__)}" for form, text in forms.items() for d in DTYPES]
    source = f"{HEAD}{RANK_1}{imports}\ndef f({', '.join(names)}) -> None:\n"
    first = source.count("\n") + 1
    listed = list(cells())
    source += "".join(f"    reveal_type({left}_{a} {s} {right}_{b})\n" for s, left, right, a, b in listed)
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    # mypy's own errors come from the types that the libraries declare, not from the plugin.
    revealed, refused = run.revealed(), {error.line for error in run.errors() if error.code == "promo-undefined"}
    wrong, unknown = [], 0
    for line, cell in enumerate(listed, start=first):
        result = actual[",".join(cell)]
        shown = "!" if line in refused else revealed[line]
        if "Any" in shown or "numpy" in shown or shown in ("bool", "float", "complex"):
            unknown += 1
            continue
        array = "Tensor" if library in ("paddle", "tensorflow") else "Array"
        expected = "!" if result[0] == "!" else f"{array}[{parse(result.split()[1]).__name__}]"
        if shown != expected and not _lacks_a_kernel(library, result):
            wrong.append(f"{' '.join(cell)}: mypy {shown}, executed {result}")
    assert not wrong, f"{len(wrong)} of {len(listed)} differ:\n" + "\n".join(wrong[:40])
    assert unknown <= allowed, f"{unknown} of {len(listed)} unknown"


def _lacks_a_kernel(library: str, result: str) -> bool:
    """Paddle's float16 has few kernels on a CPU, which is not a rule of promotion."""
    return library == "paddle" and result == "!RuntimeError"
