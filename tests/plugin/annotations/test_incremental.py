"""When a re-exporting module changes what its names stand for, the modules that use them are checked again."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.mypy_runs import Run, daemon_checks, run_mypy
from tests.plugin.annotations.miniature import write, write_libraries

ARRAY_TYPING = "from jax import Array as Array\nfrom jaxtyping import {0} as Float, {1} as Index\n"
PROGRAM = {
    "between.py": "from array_typing import Index as Index, Array as Array\nimport array_typing as at\n",
    "user.py": """\
from array_typing import Array, Float
from between import Index, at
Alias = at.Float[Array, "n"]
class Model:
    weight: Float[Array, "n"]
    def __call__(self, x: Index[Array, "n"]) -> Float[Array, "n"]:
        reveal_type(x)
        return self.weight
def function(alias: Alias, index: at.Index[Array, ""]) -> None:
    reveal_type(alias)
    reveal_type(index)
""",
    "last.py": """\
from user import Alias, Model
def function(model: Model, alias: Alias) -> None:
    reveal_type(model.weight)
    reveal_type(alias)
""",
}
CHANGES = [("Float", "Int32"), ("UInt8", "Int64"), ("UInt8", "Int32"), ("Float", "Int32"), ("Float32", "Bool")]
SPELLED = {
    "Float": "Float",
    "UInt8": "uint8",
    "Int32": "int32",
    "Int64": "int64",
    "Float32": "float32",
    "Bool": "bool_",
}

Check = Callable[[], Run]


def _once(folder: Path, *arguments: str) -> Check:
    files = ("user.py", "last.py", "--implicit-reexport")
    return lambda: run_mypy(folder, *files, *arguments, cache=folder / "cache")


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Check]:
    with daemon_checks(tmp_path, "user.py", "last.py", settings="implicit_reexport = true\n") as check:
        yield check


def _follow_changes(folder: Path, check: Check) -> None:
    write_libraries(folder)
    write(folder, PROGRAM)
    for float_, index in CHANGES:
        for touch in ("", "extra: int = 1\n"):  # the second changes the module, but none of the names
            write(folder, {"array_typing.py": ARRAY_TYPING.format(float_, index) + touch})
            run = check()
            shown = [(message.file, message.revealed) for message in run.messages if message.revealed is not None]
            first, second = f"Array[{SPELLED[float_]}]", f"Array[{SPELLED[index]}]"
            assert [typ for file, typ in shown if file == "user.py"] == [second, first, second], run.output
            assert [typ for file, typ in shown if file == "last.py"] == [first, first], run.output


def test_cache(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path))


@pytest.mark.slow
def test_workers(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path, "-n", "2"))


def test_daemon(tmp_path: Path, daemon: Check) -> None:
    _follow_changes(tmp_path, daemon)


@pytest.mark.slow
def test_no_cache(tmp_path: Path) -> None:
    _follow_changes(tmp_path, _once(tmp_path, "--cache-dir", os.devnull))
