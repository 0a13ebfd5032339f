"""The figures of published packages: their format, and the error without them."""

from pathlib import Path
from typing import Any

from tests.packages.offline import run_without_index
from tests.program.packages import report


def _row(package: str, all_: tuple[int, ...], annotated: tuple[int, ...]) -> dict[str, Any]:
    return {"package": package, **_counts(all_), "annotated": _counts(annotated)}


def _counts(numbers: tuple[int, ...]) -> dict[str, Any]:
    return dict(zip(("expressions", "exact", "several", "unknown"), numbers, strict=True))


def test_shares_are_of_all_array_expressions() -> None:
    nothing = (0, 0, 0, 0)
    rows = [_row("one 1.0", (8, 4, 2, 2), (4, 2, 1, 1)), _row("none 1.0", nothing, nothing)]
    causes = [{"text": "numpy.load()", "count": 2}]
    lines = report({"versions": {"mypy": "2"}, "packages": rows, "causes": causes}).splitlines()
    assert lines[0] == "mypy 2"
    assert lines[4:6] == [
        "| one 1.0 | 75.0 % | 50.0 % | 8 | 75.0 % | 4 |",
        "| none 1.0 | 100.0 % | 100.0 % | 0 | 100.0 % | 0 |",
    ]
    assert lines[-1] == "- 2: numpy.load()"


def test_the_command_exits_with_2_if_nothing_was_fetched(tmp_path: Path) -> None:
    done = run_without_index("tests.program.packages", "lineax", "--work", str(tmp_path))
    assert done.returncode == 2, done.stdout + done.stderr
    assert "network" in done.stderr
