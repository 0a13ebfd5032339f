"""jaxtyping over the further array classes: what it accepts at run time, and the dtypes that the plugin reads."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.other_libraries.cells import LIBRARIES, Library
from tests.other_libraries.installed import needs_types

MODES = ("tensorflow-numpy-all", "tensorflow-numpy-safe")


@pytest.mark.parametrize("library", [row for row in LIBRARIES if row.golden not in MODES], ids=lambda row: row.golden)
def test_the_plugin_reads_it(library: Library, tmp_path: Path, plugin_cache: Path) -> None:
    needs("jaxtyping")
    needs_types(library.golden, tmp_path)
    source = (
        f"from jaxtyping import Float, Float32, Int8, Shaped\n{library.imports}\n"
        f"def f(x: Float32[{library.array}, 'n'], i: Int8[{library.array}, '... n'], "
        f"r: Float[{library.array}, ''], s: Shaped[{library.array}, 'n']) -> None:\n"
        "    reveal_type(x)\n    reveal_type(i)\n    reveal_type(r)\n    reveal_type(s)\n"
        f"Batch = Float32[{library.array}, 'n']\n"
        "def g(x: Batch) -> None:\n    reveal_type(x)\n"
    )
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    shown = [library.shown.format(dtype) for dtype in ("float32", "int8", "Float", "Any", "float32")]
    assert list(run.revealed().values()) == shown, run.output


def _accepted(make: Any, cls: type) -> tuple[bool, bool]:
    """Whether Float32 accepts a float32 array of the class, and a float64 one."""
    import jaxtyping

    annotation: Any = jaxtyping.Float32[cls, "n"]
    return isinstance(make("float32"), annotation), isinstance(make("float64"), annotation)


def test_dask_at_run_time() -> None:
    needs("dask")
    needs("jaxtyping")
    import dask.array as da

    assert _accepted(lambda dtype: da.ones(3, dtype=dtype), da.Array) == (True, False)


def test_array_api_at_run_time() -> None:
    needs("array_api_strict")
    needs("jaxtyping")
    import array_api_strict as xp
    from array_api_strict._array_object import Array

    assert _accepted(lambda dtype: xp.ones(3, dtype=getattr(xp, dtype)), Array) == (True, False)


def test_paddle_at_run_time() -> None:
    """jaxtyping does not know Paddle's names of dtypes. docs/limits.md says so until this test fails."""
    needs("paddle")
    needs("jaxtyping")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import paddle

    assert _accepted(lambda dtype: paddle.ones([3], dtype=dtype), paddle.Tensor) == (False, False)
