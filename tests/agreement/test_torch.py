"""Random programs for PyTorch: what mypy infers is what is executed. `python -m tests.agreement` writes more."""

from pathlib import Path

import pytest

from tests.agreement.dialects import TORCH
from tests.agreement.quick import check, profile

pytest.importorskip("torch")
pytest.importorskip("jaxtyping")


def test_torch_agrees(tmp_path: Path, plugin_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("PyTorch", profile(TORCH, 200, tmp_path, plugin_cache), capsys)
