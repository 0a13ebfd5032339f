"""Read the measured tables in tests/golden, and those of operators that a GPU computed, into cells."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "golden"
FILES = (
    *("numpy", "jax-x64", "jax-x32", "jax-strict", "torch", "numpy-legacy", "jax-lax"),
    *("tensorflow", "tensorflow-numpy-all", "tensorflow-numpy-safe", "paddle", "array-api-strict", "cupy", "dask"),
    "cupy-gpu",
)
#: Entries that other tests read, beside measured calls.
PATHS = {"cupy-gpu": FOLDER.parent / "rules" / "functions" / "golden" / "cupy-gpu.json"}


@dataclass(frozen=True)
class GoldenTable:
    """One measured table: (left, right) -> the dtype of the result, or "!" and the exception."""

    file: str
    name: str
    cells: dict[tuple[str, str], str]
    measured: int
    """Number of cells in the raw measurement."""


GoldenFiles = Mapping[str, Mapping[str, GoldenTable]]
"""File -> table -> the table."""


@cache
def golden_tables(file: str) -> dict[str, GoldenTable]:
    content = json.loads(PATHS.get(file, FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    legend: dict[str, str] = content["legend"]

    def cells(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
        for left, row in table["rows"].items():
            for right, code in zip(table["columns"].split(), row.split(), strict=True):
                if code != ".":
                    yield (left, right), "|".join(legend[part] for part in code.split("|"))

    found: dict[str, GoldenTable] = {}
    for name, table in content["tables"].items():
        filled = found[table["same as"]].cells if "same as" in table else dict(cells(table))
        found[name] = GoldenTable(file, name, filled, table["cells"])
    return found
