"""Every row of Dask, array-api-strict and PaddlePaddle among the methods of arrays, executed and inferred.

CuPy's rows cannot be executed without a GPU; they are inferred for one dtype, so that none of them has no effect.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.dtypes import ORDINARY
from promo_mypy.rules.ranks import RankFacts
from tests.other_libraries import method_examples
from tests.other_libraries.installed import needs
from tests.plugin.test_agreement_methods import (
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

CUPY_METHODS = "ravel flatten squeeze reshape transpose swapaxes repeat take copy diagonal astype view"
CUPY_ATTRIBUTES = ("T", "mT", "real", "imag")
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
    """What mypy says otherwise than was executed: dtypes, and ranks where the class has them."""
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


def test_cupy(tmp_path: Path, plugin_cache: Path) -> None:
    arguments = {"reshape": "(-1)", "swapaxes": "(0, 1)", "repeat": "(2)", "take": "([0])", "astype": '("int8")'}
    lines = [
        "import cupy",
        "from promo_mypy.rules import dtypes as dt",
        'def f(x: "cupy.ndarray[dt.complex64]") -> None:',
        *(f"    reveal_type(x.{name}{arguments.get(name, '()')})" for name in CUPY_METHODS.split()),
        *(f"    reveal_type(x.{name})" for name in CUPY_ATTRIBUTES),
    ]
    revealed = reveal("\n".join(lines) + "\n", tmp_path, plugin_cache).revealed()
    for name, shown in zip((*CUPY_METHODS.split(), *CUPY_ATTRIBUTES), revealed.values(), strict=True):
        expected = {"astype": "int8", "real": "float32", "imag": "float32"}.get(name, "complex64")
        assert shown == f"ndarray[{expected}]", name


@pytest.mark.parametrize(
    ("library", "examples"),
    [
        ("dask", method_examples.DASK),
        ("array_api_strict", method_examples.ARRAY_API),
        ("paddle", method_examples.PADDLE),
    ],
)
def test_every_row_has_an_example(library: str, examples: method_examples.Examples) -> None:
    assert own_members(library) - set(examples) == set()
    assert set(examples) - {"__getitem__"} - members(library) == set()
