"""The tool that turns raw measurements into the golden tables."""

import json
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parent.parent / "golden" / "compact.py"


def test_a_raw_measurement_becomes_rows_of_codes(tmp_path: Path) -> None:
    raw = {
        "library": "some",
        "version": "1.0",
        "ops": {
            "add": {"bool,float8_e4m3fn": "float8_e4m3fn", "int8,py_int": "!TypeError", "bool,py_int": "int64*"},
            "mul": {"bool,float8_e4m3fn": "float8_e4m3fn", "int8,py_int": "!TypeError", "bool,py_int": "int64*"},
            "neg": {"bool": "!TypeError", "bfloat16": "bfloat16"},
        },
        "functions": {"sin": {"bool": "float32"}, "divmod": {"int8,int8": "int8|int8"}},
        "literals": {"add": {"uint8,300": "uint8=44"}, "where": {"uint8,300": "uint8=44"}},
        "promote": {"add_vs_mul": {}},
    }
    file = tmp_path / "raw.json"
    file.write_text(json.dumps(raw), encoding="utf-8")
    output = subprocess.run([sys.executable, TOOL, file], capture_output=True, text=True, check=True).stdout
    made = json.loads(output)
    assert (made["library"], made["version"]) == ("some", "1.0")
    assert made["tables"] == {
        "ops/add": {
            "cells": 3,
            "columns": "float8_e4m3fn py_int",
            "rows": {"bool": "f8_e4m3fn i64*", "int8": ". !TE"},
        },
        "ops/mul": {"cells": 3, "same as": "ops/add"},
        "ops/neg": {"cells": 2, "columns": "bool bfloat16", "rows": {"": "!TE bf16"}},
        "literals/add": {"cells": 1, "columns": "300", "rows": {"uint8": "u8"}},
        "functions/divmod": {"cells": 1, "columns": "int8", "rows": {"int8": "i8|i8"}},
    }
    codes = {
        code for table in made["tables"].values() for row in table.get("rows", {}).values() for code in row.split()
    }
    assert {part for code in codes for part in code.split("|")} - {"."} == made["legend"].keys()
