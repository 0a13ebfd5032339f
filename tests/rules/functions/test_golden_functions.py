"""Compare every measured function, creation and reduction with the registry, one test per file and section.

golden_differences lists the deliberate differences, each with its reason. Each must occur, and nothing else may differ.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from tests.rules.functions.expressions import agree, expression, spelled
from tests.rules.functions.golden_calls import CALLS, NOT_CALLS, NOT_CREATION
from tests.rules.functions.golden_differences import DIFFERENCES, Difference

FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Source:
    """A golden file: its system, its library, the prefix of its functions and of those of jax.lax."""

    system: str
    library: str
    prefix: str
    array_class: str
    namespaces: tuple[tuple[str, str], ...]


_JAX = (("jnp", "jax.numpy"), ("jax", "jax"))
SOURCES = {
    "numpy": Source("numpy", "numpy", "np.", "numpy.ndarray", (("np", "numpy"),)),
    "numpy-legacy": Source("numpy-legacy", "numpy", "np.", "numpy.ndarray", (("np", "numpy"),)),
    "jax-x64": Source("jax", "jax", "jnp.", "jax.Array", _JAX),
    "jax-x32": Source("jax-x32", "jax", "jnp.", "jax.Array", _JAX),
    "torch": Source("torch", "torch", "torch.", "torch.Tensor", (("torch", "torch"),)),
    "cupy": Source("cupy", "cupy", "cp.", "cupy.ndarray", (("cp", "cupy"),)),
    "dask": Source("dask", "dask", "da.", "dask.array.Array", (("da", "dask.array"),)),
    "tensorflow": Source("tensorflow", "tensorflow", "tf.", "tensorflow.Tensor", (("tf", "tensorflow"),)),
    "paddle": Source("paddle", "paddle", "paddle.", "paddle.Tensor", (("paddle", "paddle"),)),
    "array-api-strict": Source(
        "array-api", "array_api_strict", "xp.", "array_api_strict.Array", (("xp", "array_api_strict"),)
    ),
}

# Number of cells in the raw measurements, so that a lost table is noticed.
CELLS = {
    "numpy": {"functions": 15661, "weak": 4, "creation": 51},
    "numpy-legacy": {"functions": 15661, "weak": 4, "creation": 51},
    "jax-x64": {"functions": 17565, "weak": 8, "lax": 5360, "creation": 65},
    "jax-x32": {"functions": 17565, "weak": 8, "lax": 5360, "creation": 65},
    "torch": {"functions": 18046, "weak": 20, "creation": 40},
    "cupy": {"functions": 11535},
    "dask": {"functions": 3120, "creation": 12},
    "tensorflow": {"functions": 7335, "weak": 8, "creation": 27},
    "paddle": {"functions": 10920, "weak": 4, "creation": 20},
    "array-api-strict": {"functions": 8034, "weak": 4, "creation": 23},
}


@dataclass(frozen=True)
class Cell:
    """One measured call: an expression, the dtypes of its variables, and the result."""

    text: str
    dtypes: tuple[str, ...]
    measured: str
    system: PromotionSystem


def unpacked(legend: Mapping[str, str], code: str) -> str:
    return "|".join(legend[part] for part in code.split("|"))


def rows(table: Mapping[str, Any], tables: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """(dtypes, code) of every cell; a table over single dtypes has one row without a name."""
    table = tables[table["same as"]] if "same as" in table else table
    for left, codes in table["rows"].items():
        for right, code in zip(table["columns"].split(), codes.split(), strict=True):
            if code != ".":
                yield ((left, right) if left else (right,)), code


def call(source: Source, name: str, operands: int) -> str | None:
    """The expression of a measured table; None if the table is not a call."""
    section, _, function = name.partition("/")
    if function in NOT_CALLS.get(source.library, "").split():
        return None
    text = CALLS[source.library].get(name if section == "lax" else function)
    if section == "lax":
        return text or f"jax.lax.{function.removeprefix('unary_')}({'u, v' if operands == 2 else 'x'})"
    if section == "weak":
        return f"{source.prefix}{function.partition('_default')[0]}(u)"
    text = (text or ("{}(u, v)" if operands == 2 else "{}(x)")).replace("{}", function)
    return text if text.startswith(("x.", "jax.")) else source.prefix + text


@cache
def cells(file: str) -> dict[str, tuple[Cell, ...]]:
    """Section -> every measured cell."""
    source = SOURCES[file]
    content = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    legend, tables = content["legend"], content["tables"]
    found: dict[str, list[Cell]] = {"functions": [], "weak": [], "lax": [], "creation": []}
    for name, table in tables.items():
        default = name.partition("_default_")[2]
        system = get_system(source.system, torch_default_dtype=default or "float32")
        for dtypes, code in rows(table, tables):
            text = call(source, name, len(dtypes))
            if text is not None:
                found[name.partition("/")[0]].append(Cell(text, dtypes, unpacked(legend, code), system))
    for text, code in content["creation"].items():
        if not re.fullmatch(NOT_CREATION, text):
            cell = Cell(source.prefix + text, (), unpacked(legend, code), get_system(source.system))
            found["creation"].append(cell)
    return {section: tuple(listed) for section, listed in found.items() if listed}


def in_full(system: PromotionSystem, name: str) -> str:
    """Golden files write i*, f*, c* for a weak dtype of the width that is the system's default; bool is never weak."""
    widths = {f"{dtype.kind}*": dtype.name for dtype in system.weak_dtypes}
    return "|".join("bool" if part == "bool*" else widths.get(part, part) for part in name.split("|"))


@cache
def differing(file: str, section: str) -> list[str]:
    """The cells where rules and measurement differ, as "expression dtypes: measured -> ours"."""
    source, found = SOURCES[file], []
    for cell in cells(file)[section]:
        asked = expression(cell.text, source.array_class, source.namespaces)
        dtypes = [in_full(cell.system, name) for name in cell.dtypes]
        ours = spelled(asked.ask(cell.system, dict(zip(asked.variables, dtypes, strict=True))))
        measured = in_full(cell.system, cell.measured)
        # An array of Python objects has no dtype here.
        known = "?" not in ours or measured == "object"
        if not (known and agree(measured, ours)) and not (measured == "object" and ours == "?"):
            found.append(f"{cell.text} {','.join(cell.dtypes)}: {cell.measured} -> {ours}")
    return found


def explained(file: str, cell: str) -> list[Difference]:
    return [row for row in DIFFERENCES if fnmatch(file, row.file) and re.fullmatch(row.cell, cell)]


SECTIONS = [(file, section) for file in SOURCES for section in CELLS[file]]


@pytest.mark.parametrize(("file", "section"), SECTIONS)
def test_rules_reproduce_the_measurement(file: str, section: str) -> None:
    assert [cell for cell in differing(file, section) if not explained(file, cell)] == []


def test_no_table_was_lost() -> None:
    counted = {file: {section: len(found) for section, found in cells(file).items()} for file in SOURCES}
    assert counted == CELLS


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.reason)
def test_each_difference_occurs(row: Difference) -> None:
    assert (
        sum(row in explained(file, cell) for file, section in SECTIONS for cell in differing(file, section))
        == row.cells
    )


def test_a_wrong_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = cells("numpy")["weak"]
    wrong = [replace(cell, measured="float16") for cell in measured]
    monkeypatch.setitem(cells("numpy"), "weak", tuple(wrong))
    assert len(differing.__wrapped__("numpy", "weak")) == len(measured) == 4
