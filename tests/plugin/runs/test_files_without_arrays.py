"""A file without arrays keeps stock mypy's types, also beside arrays, from the cache and in workers."""

from pathlib import Path
from typing import Final

import pytest

from tests.examples.agreement import dtype_named
from tests.mypy_runs import run_mypy

FILES: Final = {
    "meter": """\
from typing import Any
def anything() -> Any: ...
class Meter:
    total = 0
    def add(self) -> None:
        self.total = anything()
""",
    "reader": """\
from meter import Meter
def read(meter: Meter) -> None:
    reveal_type(meter.total)
    print("never" if meter.total is None else "always")
""",
    "model": """\
import numpy as np
import numpy.typing as npt
def forward() -> npt.NDArray[np.float32]:
    return np.ones(3, np.float32)
""",
    # It gets its arrays from a module of the user.
    "trainer": """\
from meter import Meter, anything
from model import forward
class Trainer:
    total = 0
    def add(self) -> None:
        self.total = anything()
    def step(self) -> None:
        reveal_type(forward() * self.total)
""",
}
ERRORS: Final = [("reader.py", 4, "redundant-expr")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def _errors(folder: Path, *arguments: str, cache: Path) -> tuple[list[tuple[str, int, str | None]], list[str]]:
    run = run_mypy(folder, "--enable-error-code=redundant-expr", *arguments, cache=cache)
    revealed = [shown for each in run.messages if (shown := each.revealed) is not None]
    return [(each.file, each.line, each.code) for each in run.errors()], revealed


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--num-workers", "2")])
def test_a_number_stays_a_number(
    options: tuple[str, ...], folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    files = [f"{name}.py" for name in FILES]
    assert _errors(folder, *options, "meter.py", "reader.py", cache=cache) == (ERRORS, ["int"])
    warm = _errors(folder, *options, *files, cache=cache)
    cold = _errors(folder, *options, *files, cache=tmp_path_factory.mktemp("other"))
    assert warm == cold
    errors, (of_meter, product) = cold
    assert (errors, of_meter) == (ERRORS, "int")
    assert dtype_named(product) is None
