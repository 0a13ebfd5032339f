"""Random programs for NumPy: the inferred dtypes are the executed ones. `python -m tests.agreement` writes more."""

from pathlib import Path

import pytest

from tests.agreement.dialects import NUMPY
from tests.agreement.quick import check, profile


@pytest.mark.slow
def test_numpy_agrees(tmp_path: Path, plugin_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("NumPy", profile(NUMPY, 250, tmp_path, plugin_cache), capsys)
