"""Classes that the plugin changes survive mypy's cache and its workers: every run gives the output of a cold one."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.other_libraries.paddle_types import write_miniature

PROGRAM = """\
from typing import Annotated
import cupy
import dask.array as da
import numpy as np
import paddle
import tensorflow as tf
from array_api_strict._array_object import Array
def f(
    a: Annotated[da.Array, np.int8], b: Annotated[Array, np.int8], c: Annotated[cupy.ndarray, np.int8],
    d: Annotated[paddle.Tensor, paddle.int8], e: Annotated[tf.Tensor, tf.int8],
) -> None:
    reveal_type(a * 2.5)
    reveal_type(2.5 - a.astype(np.float32).T)
    reveal_type(b + 1)
    reveal_type(b + 1.5)
    reveal_type(c[0] / 2)
    reveal_type(2.5 * d)
    reveal_type(e % 2)
    reveal_type(1j + e)
"""


def test_warm_runs_and_workers_equal_a_cold_run(tmp_path: Path) -> None:
    needs("dask", "array_api_strict", "tensorflow-stubs")
    write_miniature(tmp_path)
    file = tmp_path / "program.py"
    outputs = []
    for touched, cache, arguments in (("", "cache", ()), ("\n", "cache", ()), ("\n", "other", ("-n", "2"))):
        file.write_text(PROGRAM + touched, encoding="utf-8")
        outputs.append(run_mypy(tmp_path, "program.py", *arguments, cache=tmp_path / cache).output)
    assert outputs[1:] == outputs[:1] * 2
    assert outputs[0].count("Revealed type") == 8
    assert outputs[0].count("promo-undefined") == 2
