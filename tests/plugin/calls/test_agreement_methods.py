"""Methods and attributes of arrays, executed by their library and inferred by mypy, over all ordinary dtypes.

The expressions are in `method_examples`. A library may reject one for some dtypes or ranks. For what it computes, mypy
must infer the same; and it computes each expression for at least one dtype.
"""

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Exactly, Kept, Reduced, Sized
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.vocabulary import Item, Python
from promo_mypy.rules.functions.stored_numbers import ITEMS
from promo_mypy.rules.ranks import RankFacts
from tests.mypy_runs import Run, override, run_mypy
from tests.needed import imported
from tests.plugin.calls import method_examples

WEAK = {False: ("int32*", "float32*", "complex64*"), True: ("int64*", "float64*", "complex128*")}
SHAPES = {0: (), 1: (2,), 2: (2, 3), 3: (2, 3, 3)}
# Exceptions of a library that rejects an expression: no kernel, no such dtype, rank or shape, no such device.
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, AssertionError, OverflowError)

# These copy to a device that the machine may lack; then they are rejected for every dtype.
NEEDS_DEVICE = {"cuda", "xpu", "pin_memory"}

TORCH = """\
from typing import Any, TypeVar
import torch
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import Known, Rank
R = TypeVar("R")
def rank_of(x: "torch.Tensor[Any, R]") -> R: ...
"""

JAX = """\
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from promo_mypy.rules import dtypes as dt
"""

NUMPY = """\
from typing import assert_type
import ml_dtypes
import numpy as np
import numpy.typing as npt
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """One expression on an array of that dtype and rank, and the result of the library."""

    row: str
    expression: str
    dtype: str
    rank: int
    result: str
    result_rank: int


def cells_of(
    examples: method_examples.Examples, dtypes: tuple[str, ...], compute: Callable[[str, str, int], tuple[str, int]]
) -> list[Cell]:
    """All dtypes at one rank that the library accepts, and all ranks at one dtype, without the rejected ones."""
    cells = []
    for row, expressions in examples.items():
        for expression in expressions:
            found: list[Cell] = []
            for dtype, rank in _sweep(dtypes, found):
                try:
                    result, result_rank = compute(expression, dtype, rank)
                except REFUSALS:
                    continue
                found.append(Cell(row, expression, dtype, rank, result, result_rank))
            assert found or row in NEEDS_DEVICE, f"{expression}: refused for every dtype and rank"
            cells.extend(found)
    return cells


def _sweep(dtypes: tuple[str, ...], found: list[Cell]) -> Iterator[tuple[str, int]]:
    for dtype in ("float32", "complex64", "int64", "bool"):
        yield from ((dtype, rank) for rank in SHAPES)
        if found:
            break
    if found:
        done = {(cell.dtype, cell.rank) for cell in found}
        rank = next((cell.rank for cell in found if cell.rank == 2), found[0].rank)
        yield from ((dtype, rank) for dtype in dtypes if (dtype, rank) not in done)


def class_name(dtype: str) -> str:
    return dt.parse(dtype).__name__


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries warn about narrowed and discarded parts
        yield


# --- PyTorch -----------------------------------------------------------------------------------------------

ORDINARY = tuple(dtype.name for dtype in dt.ORDINARY)


def compute_torch(expression: str, dtype: str, rank: int) -> tuple[str, int]:
    torch = imported("torch")
    values = {
        "torch": torch,
        "x": torch.ones(SHAPES[rank]).to(getattr(torch, dtype)),
        "mask": torch.ones(SHAPES[rank], dtype=torch.bool),
        "index": torch.tensor([0, 1]),
        "half": torch.ones(2, 3, dtype=torch.float16),
    }
    result = eval(expression, values)
    return str(result.dtype).removeprefix("torch."), result.ndim


def rank_argument(rank: RankFacts) -> str:
    return f"Rank[{', '.join('Known' if holds else 'Any' for holds in rank.positions())}]"


def torch_file(cells: list[Cell]) -> tuple[str, dict[int, Cell], dict[int, Cell]]:
    """The source, and the cell whose type or rank each line reveals."""
    lines, types, ranks = TORCH.splitlines(), {}, {}
    for (dtype, rank), group in grouped(cells).items():
        facts = rank_argument(RankFacts.of(rank))
        lines += [
            f"def {class_name(dtype)}_{rank}(",
            f'    x: "torch.Tensor[dt.{class_name(dtype)}, {facts}]",',
            f'    mask: "torch.Tensor[dt.bool_, {facts}]",',
            f'    index: "torch.Tensor[dt.int64, {rank_argument(RankFacts.of(1))}]",',
            f'    half: "torch.Tensor[dt.float16, {rank_argument(RankFacts.of(2))}]",',
            ") -> None:",
        ]
        for cell in group:
            lines.append(f"    reveal_type({cell.expression})")
            types[len(lines)] = cell
            lines.append(f"    reveal_type(rank_of({cell.expression}))")
            ranks[len(lines)] = cell
    return "\n".join(lines) + "\n", types, ranks


def grouped(cells: list[Cell]) -> Mapping[tuple[str, int], list[Cell]]:
    groups = defaultdict(list)
    for cell in cells:
        groups[cell.dtype, cell.rank].append(cell)
    return groups


def read_rank(revealed: str) -> RankFacts:
    facts = re.fullmatch(r"(?:promo_mypy\.rules\.ranks\.)?Rank\[(.*)\]", revealed)
    return RankFacts.from_positions(tuple("Known" in fact for fact in facts[1].split(", "))) if facts else RankFacts()


def member(package: str, name: str) -> Row | None:
    """The row of a method or attribute of a library's arrays."""
    found = library(package)
    return found.method(name) or found.attribute(name)


def own_members(package: str) -> set[str]:
    """The methods that are not functions of the library too, and the attributes; only those that give arrays."""
    found = library(package)
    rows = {**found.methods, **found.attributes}
    return {name for name, row in rows.items() if name != ITEMS and not isinstance(row.rule, Python | Item)}


def members(package: str) -> set[str]:
    """All methods and attributes of a library."""
    return {*own_members(package), *library(package).shared_methods}


def rank_fault(cell: Cell, inferred: RankFacts, row: Row | None) -> str | None:
    """The fault in an inferred rank; None if it is true and as exact as the row promises."""
    if inferred.exact not in (None, cell.result_rank) or (inferred.positive and cell.result_rank == 0):
        return "wrong"
    if row is None or "x.shape" in cell.expression:
        return None
    if isinstance(row.rank, Kept | Sized | Exactly | Broadcast | Reduced) and inferred.exact is None:
        return "not exact"
    return None


def test_torch(tmp_path: Path, plugin_cache: Path) -> None:
    cells = cells_of(method_examples.TORCH, ORDINARY, compute_torch)
    source, types, ranks = torch_file(cells)
    revealed = reveal(source, tmp_path, plugin_cache).revealed()
    faults = [
        f"{cell.dtype} {cell.rank}-d {cell.expression}: {cell.result}, mypy says {revealed.get(line)}"
        for line, cell in types.items()
        if revealed.get(line) != f"Tensor[{class_name(cell.result)}]"
    ]
    for line, cell in ranks.items():
        fault = rank_fault(cell, read_rank(revealed.get(line, "")), member("torch", cell.row))
        if fault is not None:
            faults.append(f"{cell.rank}-d {cell.expression} is {cell.result_rank}-d, {fault}: {revealed.get(line)}")
    assert not faults, report(faults, len(types) + len(ranks))


def reveal(source: str, folder: Path, cache: Path, options: str = "") -> Run:
    (folder / "cells.py").write_text(source, encoding="utf-8")
    # This test does not check what the libraries' own types leave undeclared or reject.
    codes = ["no-untyped-call", "attr-defined", "call-overload", "arg-type", "operator", "empty-body"]
    settings = f"disable_error_code = {codes}"
    run = run_mypy(folder, "cells.py", cache=cache, settings=settings, options=options)
    assert run.status in (0, 1), run.output
    return run


def report(faults: list[str], total: int) -> str:
    return f"{len(faults)} of {total} differ:\n" + "\n".join(faults[:60])


# --- JAX ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x64", [False, True], ids=["x32", "x64"])
def test_jax(x64: bool, tmp_path: Path, plugin_cache: Path) -> None:
    jax = imported("jax")
    import jax.numpy as jnp
    import numpy as np

    def compute(expression: str, dtype: str, rank: int) -> tuple[str, int]:
        if rank != 2:
            raise ValueError  # JAX's types carry no rank
        if ".power(" in expression and dtype.startswith("int") and dtype.endswith("*"):
            raise ValueError  # unknown: without dimensions it stays weak, if it is not traced
        values = {"jax": jax, "jnp": jnp, "np": np, "index": np.array([0, 1]), "mask": np.array([True, False])}
        array = {"i": 1, "f": 1.0, "c": 1j}[dtype[0]] if dtype.endswith("*") else None
        x = jnp.full((2, 4), array) if array is not None else jnp.ones((2, 4), dtype)
        values |= {"x": x, "half": jnp.ones((2, 3), jnp.float16)}
        # Tracing runs JAX's own code for the dtype without compiling it; some methods cannot be traced.
        try:
            result = jax.eval_shape(lambda x: eval(expression, values | {"x": x}), x)
        except (AttributeError, TypeError, ValueError):
            result = eval(expression, values)
        return f"{result.dtype}{'*' if result.weak_type else ''}", result.ndim

    dtypes = (*(name for name in ORDINARY if x64 or name not in WIDE), *WEAK[x64])
    with jax.enable_x64(x64):
        cells = cells_of(method_examples.JAX, dtypes, compute)
    lines, types = JAX.splitlines(), {}
    for (dtype, _), group in grouped(cells).items():
        lines += [
            f"def {class_name(dtype)}(",
            f'    x: "jax.Array[dt.{class_name(dtype)}]", half: "jax.Array[dt.float16]",',
            "    index: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]",
            ") -> None:",
        ]
        for cell in group:
            lines.append(f"    reveal_type({cell.expression})")
            types[len(lines)] = cell
    options = override("cells", "jax_enable_x64 = true") if x64 else ""
    revealed = reveal("\n".join(lines) + "\n", tmp_path, plugin_cache, options).revealed()
    faults = [
        f"{cell.dtype} {cell.expression}: {cell.result}, mypy says {revealed.get(line)}"
        for line, cell in types.items()
        if revealed.get(line) != jax_type(cell)
    ]
    assert not faults, report(faults, len(types))


def jax_type(cell: Cell) -> str:
    """The type that mypy must infer for a cell: Any if it depends on the shape."""
    if cell.row == "__iter__" and "int" in cell.dtype:
        return "Any"  # The item of a vector is inferred as Python's int, as in `for i in x: items[i]`.
    shape_decides = cell.row == "diagonal" and cell.dtype.endswith("*")
    return "Array[Any]" if shape_decides else f"Array[{class_name(cell.result)}]"


WIDE = ("int64", "uint64", "float64", "complex128")


# --- NumPy -------------------------------------------------------------------------------------------------


def test_numpy(tmp_path: Path, plugin_cache: Path) -> None:
    import ml_dtypes
    import numpy as np

    def compute(expression: str, dtype: str, rank: int) -> tuple[str, int]:  # noqa: ARG001 -- NumPy's do not vary
        values = {"np": np, "ml_dtypes": ml_dtypes, "half": np.ones((2, 4), np.float16)}
        values["x"] = np.ones((2, 4), dtype)
        result = eval(expression, values)
        return result.dtype.name, result.ndim

    cells = cells_of(method_examples.NUMPY, ORDINARY, compute)
    lines, asserted = NUMPY.splitlines(), {}
    for (dtype, rank), group in grouped(cells).items():
        lines.append(f"def {class_name(dtype)}_{rank}(x: {numpy_type(dtype)}, half: npt.NDArray[np.float16]) -> None:")
        for cell in group:
            if (cell.row, cell.dtype) == ("imag", "bool"):
                continue  # NumPy's stubs know that it is False
            lines.append(f"    assert_type({cell.expression}, {numpy_type(cell.result)})")
            asserted[len(lines)] = cell
    run = reveal("\n".join(lines) + "\n", tmp_path, plugin_cache)
    faults = [f"{asserted[error.line].dtype} {error.text}" for error in run.errors()]
    assert not faults, report(faults, len(asserted))


def numpy_type(dtype: str) -> str:
    return f"npt.NDArray[{'ml_dtypes' if dtype == 'bfloat16' else 'np'}.{class_name(dtype)}]"


# --- coverage ----------------------------------------------------------------------------------------------


#: Members of sparse and quantized tensors: see elements/torch_sparse.py.txt. PyTorch gives to_sparse_coo no type.
SPARSE = {
    *("_indices", "_values", "coalesce", "dequantize", "indices", "values"),
    *("to_sparse", "to_sparse_coo", "to_sparse_csc", "to_sparse_csr"),
}


def test_every_row_has_an_example() -> None:
    items = {"__getitem__", "__iter__"}  # the rows that are code: promo_mypy.plugin.operators.indexing.index_items
    # PyTorch's own types lack cfloat and cdouble; `numpy` gives no tensor (test_between_libraries).
    others = {"grad", "cfloat", "cdouble", "numpy"} | SPARSE
    assert own_members("torch") - set(method_examples.TORCH) == others
    assert own_members("jax") - set(method_examples.JAX) == {"at", "clip"}
    assert set(method_examples.TORCH) - items - members("torch") == set()
    assert set(method_examples.JAX) - items - members("jax") == set()
