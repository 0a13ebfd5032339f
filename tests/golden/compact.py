"""Turn raw measurements of an array library into a compact golden table.

Usage: python tests/golden/compact.py RAW.json [SECTION ...] > tests/golden/NAME.json

RAW.json holds sections of tables, each a mapping from "left,right" (or one dtype) to the dtype that came out, or to
"!" and the name of the exception. The output keeps what the rules answer for: promotion, weak operands, operators,
in-place operators, literals. A table becomes one line of short codes per left operand, under a legend; a table equal
to an earlier one only names it. Of a literal's result the dtype stays, the value goes. Tables that only compare two
others are dropped. Without a SECTION it takes those of SECTIONS.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SECTIONS = ("promote", "weak", "ops", "ops_array_zero_d", "inplace", "literals", "functions")
# Of functions and literals only what concerns operators.
KEPT = {
    "functions": {"divmod"},
    "lax": {
        *("add_18", "add_python", "add_small", "add_numpy_array", "python_python"),
        *("mul", "div", "rem", "pow", "dot", "bitwise_and", "shift_left", "eq", "lt"),
        *("unary_abs", "unary_neg", "unary_not"),
    },
    "literals": {"add", "radd", "mul", "eq", "lt", "iadd", "scalar_add", "zero_d_add", "float_add"},
}
# What an API measures that is no operator.
DROPPED = {"variable_assign_add"}
KINDS = {"bool": "b", "uint": "u", "int": "i", "float": "f", "complex": "c", "bfloat": "bf", "py_": "py_"}
ABSENT = "."


def code(cell: str) -> str:
    """A short code for a result: f32, f64*, i8|i8, f8_e4m3fn, !TE for a TypeError."""
    if "|" in cell:
        return "|".join(code(part) for part in cell.split("|"))
    if cell.startswith("!"):
        return "!" + "".join(letter for letter in cell if letter.isupper())
    name, star, _ = cell.partition("*")
    if name.startswith(("float8_", "float6_", "float4_")):
        return name.replace("float", "f") + star
    stem = name.rstrip("0123456789")
    return KINDS.get(stem, stem) + name[len(stem) :] + star


def dtype(cell: str) -> str:
    """A literal's cell without its value; of a declared and a computed dtype that are one, that one."""
    declared, _, computed = cell.partition("=")[0].partition("/")
    return declared if computed in ("", declared) else f"{declared}/{computed}"


def table(cells: dict[str, str]) -> dict[str, object]:
    """Rows of codes; a table over single dtypes has one row without a name."""
    pairs = {tuple(key.rpartition(",")[::2]): cell for key, cell in cells.items()}
    lefts = list(dict.fromkeys(left for left, _ in pairs))
    rights = list(dict.fromkeys(right for _, right in pairs))
    rows = {
        left: " ".join(code(pairs[left, right]) if (left, right) in pairs else ABSENT for right in rights)
        for left in lefts
    }
    return {"cells": len(cells), "columns": " ".join(rights), "rows": rows}


def compact(raw: Mapping[str, Any], sections: Sequence[str]) -> dict[str, object]:
    """The whole file, tables named section/table. Raw JSON: sections by name, and what was measured with what."""
    tables: dict[str, object] = {}
    legend: dict[str, str] = {}
    seen: dict[str, str] = {}
    for section in sections:
        measured: dict[str, dict[str, str]] = raw.get(section, {})
        for name, cells in measured.items():
            if "_vs_" in name or name in DROPPED or name not in KEPT.get(section, {name}):
                continue
            kept = {key: dtype(cell) for key, cell in cells.items()}
            legend |= {code(part): part for cell in kept.values() for part in cell.split("|")}
            text = json.dumps(kept)
            path = f"{section}/{name}"
            tables[path] = {"cells": len(kept), "same as": seen[text]} if text in seen else table(kept)
            seen.setdefault(text, path)
    head = {key: raw[key] for key in ("library", "version", "dependencies", "config", "canonical") if key in raw}
    return {**head, "legend": dict(sorted(legend.items())), "tables": tables}


if __name__ == "__main__":
    result = compact(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2:] or SECTIONS)
    sys.stdout.write(json.dumps(result, indent=1) + "\n")
