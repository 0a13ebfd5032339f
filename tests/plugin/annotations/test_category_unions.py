"""A category is accepted where a union of annotations has all its dtypes, and rejected where one is missing."""

from pathlib import Path
from typing import Final

from tests.mypy_runs import run_mypy
from tests.needed import needs

PROGRAM: Final = Path(__file__).parent / "category_unions.py.txt"


def test_errors(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    text = PROGRAM.read_text(encoding="utf-8")
    (tmp_path / "unions.py").write_text(text, encoding="utf-8")
    expected = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# error")]
    assert [error.line for error in run_mypy(tmp_path, "unions.py", cache=plugin_cache).errors()] == expected
