"""Correct code without dtypes stays correct with the generic array classes."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jax", "torch")

PROGRAM = """\
from collections.abc import Sequence
from typing import Any

import jax
import torch


def use(x: torch.Tensor) -> None: ...


def calls(value: Any, n: int, x: torch.Tensor, names: Sequence[str]) -> None:
    use(max(value, n))
    use(min(n, value))
    chosen: torch.Tensor = max(value, 1)
    array: jax.Array = min(value, 2, n)
    use(max(x, x))
    mixed = [torch.zeros(3), torch.zeros(3, dtype=torch.int64)]
    torch.cat(mixed), torch.stack(mixed), torch.meshgrid(mixed)
"""


def test_what_stock_mypy_accepts_is_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    for plugin, cache in ((False, stock_cache), (True, plugin_cache)):
        assert run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin).errors() == []


def test_a_wrong_argument_is_still_reported(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: arguments whose types are not tensors."""
    (tmp_path / "program.py").write_text(PROGRAM + "    use(max(n, 1))\n", encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [(error.line, error.code) for error in run.errors()] == [(PROGRAM.count("\n") + 1, "arg-type")]


@pytest.mark.slow
def test_a_generic_function_of_a_program_is_called_as_in_stock_mypy(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    own = "from typing import TypeVar\nT = TypeVar('T')\ndef chosen_by(x: T, y: T) -> T:\n    return x\n"
    program = own + PROGRAM.replace("max(value, n)", "chosen_by(value, n)")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    for plugin, cache in ((False, stock_cache), (True, plugin_cache)):
        assert run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin).errors() == []
