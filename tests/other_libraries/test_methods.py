"""Every row of Dask, array-api-strict and PaddlePaddle among the methods of arrays, executed and inferred.

CuPy's methods are compared with the recorded results of a GPU.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.dtypes import ORDINARY
from promo_mypy.rules.ranks import RankFacts
from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.other_libraries import method_examples, recorded_cupy
from tests.other_libraries.installed import needs_types
from tests.plugin.calls.test_agreement_methods import (
    SHAPES,
    Cell,
    cells_of,
    class_name,
    grouped,
    member,
    members,
    own_members,
    rank_argument,
    rank_fault,
    read_rank,
    report,
    reveal,
)
from tests.rules.functions.cupy import calls
from tests.rules.functions.measuring import written

DTYPES = tuple(dtype.name for dtype in ORDINARY)
HEAD = """\
from typing import Any, TypeVar
import numpy as np
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import Known, Rank
"""


def faults_of(
    library: str, imports: str, cells: list[Cell], annotation: Callable[[str, int], str], folder: Path, cache: Path
) -> list[str]:
    """The dtypes that differ between mypy and the execution, and ranks if the class has them."""
    ranked = library == "paddle"
    lines, types, ranks = [*HEAD.splitlines(), *imports.splitlines()], {}, {}
    for (dtype, rank), group in grouped(cells).items():
        given = {"x": (dtype, rank), "mask": ("bool", rank), "index": ("int64", 1), "half": ("float16", 2)}
        parameters = ", ".join(f"{name}: {annotation(*array)}" for name, array in given.items())
        lines.append(f"def {class_name(dtype)}_{rank}({parameters}) -> None:")
        for cell in group:
            lines.append(f"    reveal_type({cell.expression})")
            types[len(lines)] = cell
            if ranked:
                lines.append(f"    reveal_type(rank_of({cell.expression}))")
                ranks[len(lines)] = cell
    run = reveal("\n".join(lines) + "\n", folder, cache)
    revealed = run.revealed()
    shown = "Tensor" if ranked else "Array"
    faults = [
        f"{cell.dtype} {cell.rank}-d {cell.expression}: {cell.result}, mypy says {revealed.get(line)}"
        for line, cell in types.items()
        if revealed.get(line) != f"{shown}[{class_name(cell.result)}]"
    ]
    for line, cell in ranks.items():
        fault = rank_fault(cell, read_rank(revealed.get(line, "")), member(library, cell.row))
        if fault is not None:
            faults.append(f"{cell.rank}-d {cell.expression} is {cell.result_rank}-d, {fault}: {revealed.get(line)}")
    return faults


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries warn about discarded parts, Paddle about compilers
        yield


def test_dask(tmp_path: Path, plugin_cache: Path) -> None:
    needs("dask")
    import dask.array as da
    import numpy as np

    def compute(expression: str, dtype: str, rank: int) -> tuple[str, int]:
        if rank != 2:
            raise ValueError  # Dask's arrays carry no rank
        array = da.ones((2, 4), dtype=dtype, chunks=2)
        values: Mapping[str, Any] = {
            "np": np,
            "x": array,
            "mask": da.ones((2, 4), dtype=bool, chunks=2),
            "half": da.ones((2, 3), dtype=np.float16),
        }
        result = eval(expression, dict(values))
        computed = result.compute()
        assert computed.dtype == result.dtype, expression
        return computed.dtype.name, result.ndim

    cells = cells_of(method_examples.DASK, DTYPES, compute)
    found = faults_of(
        "dask", "import dask.array as da", cells, lambda d, _: f'"da.Array[dt.{class_name(d)}]"', tmp_path, plugin_cache
    )
    assert not found, report(found, len(cells))


def test_array_api(tmp_path: Path, plugin_cache: Path) -> None:
    needs("array_api_strict")
    import array_api_strict as xp

    def compute(expression: str, dtype: str, rank: int) -> tuple[str, int]:
        if rank != 2:
            raise ValueError
        if not hasattr(xp, dtype):
            raise TypeError
        result = eval(expression, {"x": xp.ones((2, 4), dtype=getattr(xp, dtype))})
        return str(result.dtype).removeprefix("array_api_strict."), result.ndim

    cells = cells_of(method_examples.ARRAY_API, DTYPES, compute)
    imports = "from array_api_strict._array_object import Array"
    found = faults_of("array-api", imports, cells, lambda d, _: f'"Array[dt.{class_name(d)}]"', tmp_path, plugin_cache)
    assert not found, report(found, len(cells))


def test_paddle(tmp_path: Path, plugin_cache: Path) -> None:
    needs("paddle")
    import paddle

    def compute(expression: str, dtype: str, rank: int) -> tuple[str, int]:
        if dtype == "uint16":
            raise TypeError  # Paddle's name for bfloat16
        values = {
            "paddle": paddle,
            "x": paddle.ones(SHAPES[rank]).astype(dtype),
            "mask": paddle.ones(SHAPES[rank]).astype("bool"),
            "index": paddle.to_tensor([0, 1]),
            "half": paddle.ones([2, 3]).astype("float16"),
        }
        result = eval(expression, values)
        result = result[0] if isinstance(result, list) else result
        return str(result.dtype).removeprefix("paddle."), result.ndim

    listed = {name: expressions for name, expressions in method_examples.PADDLE.items() if name != "unbind"}
    listed["unbind"] = ["x.unbind()[0]"]
    cells = cells_of(listed, DTYPES, compute)
    imports = 'import paddle\nR = TypeVar("R")\ndef rank_of(x: "paddle.Tensor[Any, R]") -> R: ...'

    def annotation(dtype: str, rank: int) -> str:
        return f'"paddle.Tensor[dt.{class_name(dtype)}, {rank_argument(RankFacts.of(rank))}]"'

    found = faults_of("paddle", imports, cells, annotation, tmp_path, plugin_cache)
    assert not found, report(found, len(cells))


@pytest.mark.slow
def test_cupy(tmp_path: Path, plugin_cache: Path) -> None:
    needs_types("cupy", tmp_path)
    texts = {text: name for name, listed in written(calls.METHODS).items() for text in listed}
    chosen = list(recorded_cupy.cells(texts))
    (tmp_path / "program.py").write_text(recorded_cupy.program(chosen), encoding="utf-8")
    found = recorded_cupy.compare(chosen, run_mypy(tmp_path, "program.py", cache=plugin_cache))
    assert found.wrong == []
    # Other exceptions are about kernels that CuPy lacks, and `item` takes no arguments, whatever the dtype.
    assert [cell for cell in found.accepted if "TypeError" in cell and not cell.startswith("x.item(0)")] == []
    assert (found.cells, found.known, found.refused) == (1170, 1051, 44)
    # Indices are code: promo_mypy.plugin.operators.indexing.index_items.
    assert members("cupy") - {"__getitem__"} - set(texts.values()) == set()


@pytest.mark.parametrize(
    ("library", "examples"),
    [
        ("dask", method_examples.DASK),
        ("array_api_strict", method_examples.ARRAY_API),
        ("paddle", method_examples.PADDLE),
    ],
)
def test_every_row_has_an_example(library: str, examples: method_examples.Examples) -> None:
    # `compute` gives an array of NumPy: tests/plugin/calls/whole/computed.py.txt
    assert own_members(library) - set(examples) - {"compute"} == set()
    assert set(examples) - {"__getitem__"} - members(library) == set()
