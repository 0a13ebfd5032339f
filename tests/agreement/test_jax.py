"""Random programs for JAX: the inferred dtypes are the executed ones. `python -m tests.agreement` writes more."""

from pathlib import Path

import pytest

from tests.agreement.dialects import JAX, JAX_X32, Dialect
from tests.agreement.quick import check, profile
from tests.needed import needs

needs("jax", "jaxtyping")


@pytest.mark.parametrize("dialect", [JAX, JAX_X32], ids=["x64", "x32"])
def test_jax_agrees(dialect: Dialect, tmp_path: Path, plugin_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(dialect.name, profile(dialect, 130, tmp_path, plugin_cache), capsys)
