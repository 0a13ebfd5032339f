"""An item of a container is not known to have the dtype of the first item after another scalar has replaced it."""

import re
from pathlib import Path

from tests.mypy_runs import run_mypy

PROGRAM = """\
import numpy as np

def put(single: np.float32, c: bool) -> None:
    total = np.ones(3, np.float32).sum()
    pair = (np.int64(3), 1)
    reveal_type(pair[0])  # int64
    pair = (total, 1)
    reveal_type(pair[0])  # float32
    pairs = [(np.int64(3), "a")]
    reveal_type(pairs[0][0])  # int64
    pairs.append((np.ones(3, np.int64).sum(), "b"))
    reveal_type(pairs[0][0])  # int64
    pairs.append((total, "b"))
    reveal_type(pairs[0][0])  # unknown
    shared = [(np.int64(3), "a")]
    alias = shared
    alias[0] = (total, "b")
    reveal_type(shared[0][0])  # unknown
    named = {"a": (np.int64(3), 1)}
    named["a"] = (total, 2)
    reveal_type(named["a"][0])  # unknown
    deep = [((np.int64(3), 1), "a")]
    deep.insert(0, ((total, 1), "a"))
    reveal_type(deep[0][0][0])  # unknown
    kept = [np.int64(3)]
    if c:
        kept = [total]
    reveal_type(kept[0])  # unknown
"""
SCALAR = re.compile(r"numpy\.(signedinteger|floating)\[numpy\._typing\._nbit_base\._(\d+)Bit\]$")
KINDS = {"signedinteger": "int", "floating": "float"}


def test_items_have_the_dtypes_that_they_may_have(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    expected = {n: line.split("# ")[1] for n, line in enumerate(PROGRAM.splitlines(), 1) if "reveal_type" in line}
    assert {line: _dtype(typ) for line, typ in run.revealed().items()} == expected
    assert run.errors() == []


def _dtype(typ: str) -> str:
    scalar = SCALAR.match(typ)
    return f"{KINDS[scalar[1]]}{scalar[2]}" if scalar else "unknown" if "Any" in typ else typ
