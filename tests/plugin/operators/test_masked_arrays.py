"""A number beside a masked array is an array to NumPy: the stubs' dtype, that of the masked array, is not shown."""

from pathlib import Path
from typing import Final

import numpy as np

from tests.mypy_runs import run_mypy
from tests.plugin.calls.whole_programs import dtypes_shown

DTYPES: Final = ("float32", "float16", "int32", "uint8", "float64", "complex64")
OPERATIONS: Final = (
    "x * 2",
    "2 * x",
    "x + 1.5",
    "1 - x",
    "x / 2",
    "x - 2",
    "x ** 2",
    "2 / x",
    "x * x",
    "abs(x)",
    "x[1:]",
    "x.astype('c8') * 2",
    "x.astype('c8') + x.astype('c8')",
)


def test_no_other_dtype_is_shown(tmp_path: Path, plugin_cache: Path) -> None:
    lines, executed = ["import numpy as np"], {}
    for dtype in DTYPES:
        made = f"np.ma.masked_array(np.ones(3, np.{dtype}))"
        lines.append(f"x_{dtype} = {made}")
        for operation in OPERATIONS:
            written = operation.replace("x", f"x_{dtype}")
            lines.append(f"reveal_type({written})")
            value = eval(operation, {"x": np.ma.masked_array(np.ones(3, dtype)), "np": np})
            executed[len(lines)] = value.dtype.name
    (tmp_path / "masked.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    revealed = run_mypy(tmp_path, "masked.py", cache=plugin_cache).revealed()
    exact = {line: typ for line, typ in revealed.items() if "Any" not in typ.rpartition("dtype[")[2]}
    known = {line: dtypes_shown(typ) for line, typ in exact.items()}
    assert revealed.keys() == executed.keys()
    assert {line: (shown, executed[line]) for line, shown in known.items() if shown != {executed[line]}} == {}
    assert len(known) > 10
