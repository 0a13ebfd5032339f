"""Methods of dataclasses and NamedTuples return the dtypes of their execution."""

from pathlib import Path
from typing import Final

from tests.plugin.calls.cases import copied_and_checked
from tests.plugin.executed_programs import compare, execute

PROGRAM: Final = Path(__file__).parent / "objects.py.txt"


def test_dtypes_and_mistakes_are_those_of_the_execution(tmp_path: Path, plugin_cache: Path) -> None:
    run = copied_and_checked([PROGRAM], tmp_path, plugin_cache)
    compare(PROGRAM, execute([PROGRAM])[PROGRAM], run.messages)
