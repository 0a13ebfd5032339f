"""The programs beside this module, and the types that their comments promise for each `reveal_type`."""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.mypy_runs import Run

FOLDER = Path(__file__).with_name("programs")
_PROMISE = re.compile(r"\breveal_type\(.*\)  # (?P<type>.+)$")


def source(name: str) -> str:
    """The text of a program. Programs are `.txt` files, so that only our runs of mypy read them."""
    return (FOLDER / f"{name}.py.txt").read_text(encoding="utf-8")


def promised(text: str) -> dict[int, str]:
    """Line -> the type that the comment behind `reveal_type` names."""
    found = ((number, _PROMISE.search(line)) for number, line in enumerate(text.splitlines(), start=1))
    return {number: match["type"] for number, match in found if match is not None}


def broken_promises(run: Run, text: str) -> Mapping[int, tuple[str, str | None]]:
    """Line -> (promised, revealed) where they differ; for runs over one file."""
    revealed = run.revealed()
    wanted = promised(text)
    assert wanted
    return {line: (typ, revealed.get(line)) for line, typ in wanted.items() if revealed.get(line) != typ}
