"""Lists of Python numbers where a library takes arrays: list displays are rejected, other lists are left to mypy."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

torch = imported("torch")
needs("jaxtyping")

PROGRAM = """\
from typing import Any
import torch
from jaxtyping import Float32
def stacked(values: list[list[Any]], x: Float32[torch.Tensor, "n"]) -> None:
    totals = []
    for value in values:
        total = 0.0
        for each in value:
            total = total + each
        totals.append(total)
    torch.stack(totals)  # type: ignore[arg-type]
    torch.stack([1.0, x])  # type: ignore[list-item]
    torch.stack([1.0])  # type: ignore[list-item]
"""


def test_only_list_displays_are_rejected(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "lists.py").write_text(PROGRAM)
    errors = run_mypy(tmp_path, "lists.py", cache=plugin_cache).errors()
    assert [(error.line, error.code) for error in errors] == [(12, "promo-undefined"), (13, "promo-undefined")]


def test_a_list_of_numbers_to_mypy_may_hold_tensors() -> None:
    totals = []
    for value in ([torch.ones(2)], [torch.ones(2), torch.ones(2)]):
        total = 0.0
        for each in value:
            total = total + each
        totals.append(total)
    assert torch.stack(totals).dtype == torch.float32
    with pytest.raises(TypeError):
        torch.stack([1.0])
