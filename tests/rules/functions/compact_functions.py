"""Turn the functions in a raw measurement of an array library into a compact golden file.

Usage: python -m tests.rules.functions.compact_functions RAW.json > tests/rules/functions/golden/NAME.json

It is the form of tests/golden/compact.py, for the parts that that tool leaves out: functions, arrays made of Python
numbers, and jax.lax. The expressions of the table "creation" keep their text.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.golden.compact import code, table

WEAK = ("asarray", "array", "tensor", "to_tensor", "constant", "convert_to_tensor", "tnp_asarray")


def compact(raw: Mapping[str, Any]) -> dict[str, object]:
    """The whole file: tables by section and name; a table that repeats another one names it."""
    functions = raw["functions"] if "functions" in raw else raw["ops"]  # CuPy's ufuncs
    measured: dict[str, dict[str, str]] = {f"functions/{name}": cells for name, cells in functions.items()}
    measured |= {f"weak/{name}": raw["weak"][name] for name in raw["weak"] if name.split("_default")[0] in WEAK}
    measured |= {f"lax/{name}": cells for name, cells in raw.get("lax", {}).items()}
    creation = measured.pop("functions/creation", {})
    tables: dict[str, object] = {}
    seen: dict[str, str] = {}
    for name, cells in measured.items():
        text = json.dumps(cells)
        tables[name] = {"cells": len(cells), "same as": seen[text]} if text in seen else table(cells)
        seen.setdefault(text, name)
    codes = [part for rows in (*measured.values(), creation) for cell in rows.values() for part in cell.split("|")]
    return {
        **{key: raw[key] for key in ("library", "version", "config") if key in raw},
        "legend": dict(sorted({code(part): part for part in codes}.items())),
        "creation": {text: code(cell) for text, cell in creation.items()},
        "tables": tables,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(compact(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), indent=1) + "\n")
