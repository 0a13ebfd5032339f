"""Code that switches JAX's 64-bit dtypes on: no file of such a program has truncated dtypes."""

import ast
from pathlib import Path

import pytest

from promo_mypy.linting.x64 import switches_x64_on
from tests.cli.check.checks import check_json
from tests.needed import needs


@pytest.mark.parametrize(
    ("switch", "is_on"),
    [
        ('jax.config.update("jax_enable_x64", True)', True),
        ("jax.config.jax_enable_x64 = True", True),
        ("def f(): return jax.enable_x64(True)", True),
        ('jax.config.update("jax_enable_x64", False)', False),
        ('jax.config.update("jax_debug_nans", True)', False),
        ("print(jax.config.jax_enable_x64)", False),
    ],
)
def test_a_switch_of_x64_is_seen(switch: str, is_on: bool) -> None:
    assert switches_x64_on(ast.parse(f"import jax\n{switch}\n")) == is_on


def test_nothing_is_truncated_where_any_file_has_x64(tmp_path: Path, check_cache: Path) -> None:
    needs("jax")
    program = "import jax\n{}\nx = jax.numpy.zeros(3, jax.numpy.float64)\n"
    (tmp_path / "program.py").write_text(program.format(""), encoding="utf-8")
    assert check_json(tmp_path, check_cache).codes == [(3, "promo-truncation")]
    switch = 'jax.config.update("jax_enable_x64", True)'
    (tmp_path / "experiment.py").write_text(program.format(switch), encoding="utf-8")
    assert check_json(tmp_path, check_cache).codes == []
