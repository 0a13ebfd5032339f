"""Read and write the results of a GPU: `golden/cupy-gpu.json`.

Operators are tables, in the form of tests/golden/compact.py. A call has an entry for each of its results, with the
combinations of dtypes that give it, in the same codes: "x, y -> f32" is `"f32": "bf16,f16 f16,f32"`; a hyphen for a
call without variables. A call whose results are those of an earlier one names it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.golden.compact import code, table
from tests.rules.functions.cupy.calls import TABLES, texts

PATH = Path(__file__).parents[1] / "golden" / "cupy-gpu.json"
Cells = Mapping[tuple[str, ...], str]
"""Dtypes of the variables, the number that is written out last -> the result, or "!" and the exception."""

NO_TABLES: Mapping[str, object] = {}


@dataclass(frozen=True)
class Record:
    """Expression -> its cells; what measured them, and when."""

    version: str
    device: str
    date: str
    cells: Mapping[str, Cells]


def to_json(record: Record, tables: Mapping[str, object] = NO_TABLES) -> str:
    """The whole file. `tables`: those of an earlier file, for operators that this record lacks."""
    measured = {name: _table(record.cells[text]) for name, text in TABLES.items() if text in record.cells}
    calls: dict[str, object] = {}
    seen: dict[str, str] = {}
    for text in sorted(record.cells.keys() - set(TABLES.values())):
        listed = _listed(record.cells[text])
        same = seen.setdefault(json.dumps(listed), text)
        calls[text] = listed if same == text else same
    content = {
        "library": "cupy",
        "version": record.version,
        "device": record.device,
        "date": record.date,
        "legend": _legend(record),
        "tables": {**tables, **measured},
        "calls": calls,
    }
    return json.dumps(content, indent=1) + "\n"


def completed(record: Record, path: Path = PATH) -> str:
    """The file with that record in the place of what it says of the same expressions."""
    earlier = read(path)
    tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
    asked = {text: earlier.cells[text] for text in texts() if text in earlier.cells}
    return to_json(replace(record, cells={**asked, **record.cells}), tables)


def lacks(text: str, combinations: Iterable[tuple[str, ...]]) -> bool:
    """Whether the file lacks one of those cells."""
    return text not in TABLES.values() and not read().cells.get(text, {}).keys() >= set(combinations)


@cache
def read(path: Path = PATH) -> Record:
    """The recorded calls; the operators are read as every golden table."""
    content = json.loads(path.read_text(encoding="utf-8"))
    legend: Mapping[str, str] = content["legend"]
    cells: dict[str, Cells] = {}
    for text, listed in content["calls"].items():
        if isinstance(listed, str):
            cells[text] = cells[listed]
            continue
        cells[text] = {
            () if names == "-" else tuple(legend.get(name, name) for name in names.split(",")): _in_full(legend, result)
            for result, combinations in listed.items()
            for names in combinations.split()
        }
    return Record(content["version"], content["device"], content["date"], cells)


def _in_full(legend: Mapping[str, str], result: str) -> str:
    return "|".join(legend[part] for part in result.split("|"))


def _table(cells: Cells) -> dict[str, object]:
    return table({",".join(names): result for names, result in cells.items()})


def _listed(cells: Cells) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for names, result in cells.items():
        found.setdefault(code(result), []).append(",".join(map(code, names)) or "-")
    return {result: " ".join(combinations) for result, combinations in found.items()}


def _legend(record: Record) -> dict[str, str]:
    results = (part for cells in record.cells.values() for result in cells.values() for part in result.split("|"))
    names = (name for cells in record.cells.values() for names in cells for name in names)
    return dict(sorted({code(name): name for name in (*results, *names) if not name.lstrip("-")[:1].isdigit()}.items()))
