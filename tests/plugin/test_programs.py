"""Programs that state the expected result themselves: by `assert_type`, by `# type: ignore[code]` where mypy reports
an error, and by a comment behind each `reveal_type` of a tensor (whose rank argument is an internal detail).

They are `.txt` files, so that only these runs of mypy read them. One run per folder, one case per file.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.mypy_runs import Message, run_mypy
from tests.needed import needs

HERE = Path(__file__).parent
FOLDERS = ("conversions", "preserved_dtypes", "indexing", "transforms")
PROGRAMS = [path for name in FOLDERS for folder in HERE.rglob(name) for path in folder.glob("*.txt")]
NEEDED = ("jax", "jaxtyping", "torch")
_PROMISE = re.compile(r"\breveal_type\(.*\)  # (?P<type>.+)$")

Check = Callable[[Path], list[Message]]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Check:
    """Program -> the output of mypy; the folder is checked when its first program is asked for."""
    needs(*NEEDED)

    @cache
    def run(folder: Path) -> tuple[Message, ...]:
        copies = tmp_path_factory.mktemp(folder.name)
        for program in folder.glob("*.txt"):
            (copies / f"{folder.name}_{program.stem}").write_text(program.read_text(encoding="utf-8"))
        done = run_mypy(copies, ".", cache=plugin_cache)
        assert done.status in (0, 1), done.output
        return done.messages

    return lambda program: [m for m in run(program.parent) if m.file == f"{program.parent.name}_{program.stem}"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_program(program: Path, check: Check) -> None:
    messages = check(program)
    lines = program.read_text(encoding="utf-8").splitlines()
    promised = {number: match["type"] for number, line in enumerate(lines, 1) if (match := _PROMISE.search(line))}
    revealed = {message.line: message.revealed for message in messages if message.revealed is not None}
    broken = {line: (typ, revealed.get(line)) for line, typ in promised.items() if revealed.get(line) != typ}
    assert broken == {}
    assert [f"{message.line}: {message.text}" for message in messages if message.severity == "error"] == []


def test_every_folder_has_programs() -> None:
    assert {path.parent.name for path in PROGRAMS} == set(FOLDERS)
