"""mypy's daemon may check a function twice: with the statements of its file, and then alone. Both find the same."""

from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import daemon_checks, run_mypy, touch
from tests.plugin.annotations.miniature import write

OTHER: Final = """\
import numpy as np
class Other:
    def __init__(self) -> None:
        self.items = [np.ones(3, np.float64)]
"""
#: Every function and the last statement need the attribute of the other file.
MAIN: Final = """\
from typing import Any
import numpy as np
import numpy.typing as npt
from other import Other
def fill(rows):  # type: ignore[no-untyped-def]
    rows.append(None)
def bound_again(other: Other, x: npt.NDArray[np.float32], y: npt.NDArray[np.int8]) -> None:
    mine = [x]
    reveal_type(mine[0])
    mine.append(y)
    reveal_type(mine[0])
    mine = [y]
    reveal_type(other.items)
def none_first(other: Other, x: npt.NDArray[np.float32], y: npt.NDArray[np.int8]) -> None:
    mine = None
    if other.items:
        mine = [x]
    else:
        mine = [y]
    reveal_type(mine[0])
    fill(mine)
    reveal_type(mine[0])
def replaced(other: Other, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    value = np.median(x)
    reveal_type(value)
    value = other.items[0]
    reveal_type(value)
    value = np.median(x, axis=0)
    return value
def converted(other: Other, x: npt.NDArray[np.float64], y: Any) -> None:
    value = x
    reveal_type(value)
    for _ in other.items:
        value = value.astype(np.float32)
    reveal_type(value)
    value = y
    reveal_type(value)
def number(other: Other, x: npt.NDArray[np.float32], y: Any) -> None:
    number = 0
    reveal_type(x * number)
    for _ in other.items:
        number = y
    reveal_type(x * number)
top = Other().items
"""


@pytest.mark.slow
def test_a_second_check_finds_the_same(tmp_path: Path, plugin_cache: Path) -> None:
    write(tmp_path, {"other.py": OTHER, "main.py": MAIN})
    files = ("other.py", "main.py")
    with daemon_checks(tmp_path, *files) as check:
        check()
        for text in (OTHER.replace("items", "others"), OTHER):
            write(tmp_path, {"other.py": text})
            touch(tmp_path / "other.py", 2)
            cold = run_mypy(tmp_path, *files, cache=plugin_cache)
            assert len(cold.revealed()) > 9
            assert check().lines() == cold.lines()


#: Statements with errors that mypy finds before it checks types, and their codes.
UNBOUND: Final = {
    "x = nosuch": "name-defined",
    "y: nosuch = x": "name-defined",
    "y: list | None = None": "type-arg",
    "y: 3 = x": "valid-type",
    "from typing import nosuch": "attr-defined",
    "x = x * 2": "",
}


def test_errors_before_the_types_are_checked_are_shown(tmp_path: Path) -> None:
    """After an edit mypy binds names again, and the checker of the last time is still there."""
    program = "import numpy as np\nimport numpy.typing as npt\ndef f(x: npt.NDArray[np.float32]) -> None:\n    {}\n"
    with daemon_checks(tmp_path, "main.py") as check:
        for number, (statement, code) in enumerate({"x = x + 1": "", **UNBOUND}.items()):
            write(tmp_path, {"main.py": program.format(statement)})
            touch(tmp_path / "main.py", 2 * number)
            found = {error.code for error in check().errors()}
            assert found == ({code} if code else set()), statement
