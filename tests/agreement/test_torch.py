"""Random programs for PyTorch: the inferred dtypes are the executed ones. `python -m tests.agreement` writes more."""

from pathlib import Path

import pytest

from tests.agreement.dialects import TORCH, TORCH_FLOAT64, Dialect
from tests.agreement.quick import check, profile
from tests.needed import needs

needs("torch", "jaxtyping")


@pytest.mark.parametrize(("dialect", "programs"), [(TORCH, 150), (TORCH_FLOAT64, 50)], ids=["float32", "float64"])
def test_torch_agrees(
    dialect: Dialect, programs: int, tmp_path: Path, plugin_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(dialect.name, profile(dialect, programs, tmp_path, plugin_cache), capsys)
