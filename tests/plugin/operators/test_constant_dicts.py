"""The item of a dict that never changes has the dtype of the value of its key."""

from pathlib import Path
from typing import Final

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.plugin.calls.whole_programs import dtypes_shown, executed

PROGRAM: Final = Path(__file__).parent / "constant_dicts.py.txt"


def test_items(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "torch")
    text = PROGRAM.read_text(encoding="utf-8")
    (tmp_path / "dicts.py").write_text(text, encoding="utf-8")
    run, (values, raised) = run_mypy(tmp_path, "dicts.py", cache=plugin_cache), executed(PROGRAM)
    revealed = run.revealed()
    exact = {line: typ for line, typ in revealed.items() if "Any" not in typ.rpartition("dtype[")[2]}
    known = {
        n: line.split("# ")[1] for n, line in enumerate(text.splitlines(), 1) if "reveal_type" in line and "# " in line
    }
    assert {line: dtypes_shown(typ) for line, typ in exact.items()} == {line: {name} for line, name in known.items()}
    assert {line: values[line] for line in known} == {line: {name} for line, name in known.items()}
    assert revealed.keys() == values.keys()
    assert (run.errors(), raised) == ([], set())
