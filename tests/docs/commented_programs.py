"""The programs of the pages: each `reveal_type` has a comment, and mypy reveals what the comment says."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import blocks
from tests.mypy_runs import run_mypy

_NUMPY = re.compile(r"numpy\.ndarray\[.*, numpy\.dtype\[numpy\.(\w+)(?:\[.*_(\d+)Bit\])?\]\]")


def assert_as_commented(text: str, least: int, folder: Path, cache: Path) -> str:
    """Check the only Python block of a text with mypy, and return it; it has at least so many comments."""
    (source,) = blocks(text, "python")
    (folder / "annotated.py").write_text(source)
    run = run_mypy(folder, "annotated.py", cache=cache)
    assert run.errors() == [], run.output
    said = dict(comments(source))
    assert len(said) >= least
    assert {line: plain(revealed) for line, revealed in run.revealed().items()} == said
    return source


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Line -> the dtype that its comment names."""
    for number, line in enumerate(source.splitlines(), start=1):
        if "reveal_type(" in line:
            yield number, line.split("# ")[1].split(":")[0]


def calls(source: str) -> list[str]:
    """The expressions that a program reveals, to be executed."""
    return re.findall(r"reveal_type\((.*)\)  #", source)


def plain(revealed: str) -> str:
    """A revealed array type in the words of the pages: only the dtypes."""
    numpy = _NUMPY.fullmatch(revealed)
    if numpy is not None:
        kinds = {"floating": "float", "signedinteger": "int", "unsignedinteger": "uint"}
        return kinds.get(numpy[1], numpy[1]) + (numpy[2] or "")
    return re.sub(r"^(?:Array|Tensor|ndarray)\[(.*)\]$", r"\1", revealed)
