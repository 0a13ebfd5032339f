"""A long chain of variables, each computed from the one before it, neither crashes mypy nor takes it long."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jax")

COUNT = 2_500
ENDS = """\
last = x{last}
if last:
    last = 3
kept = [np.ones(3), x{last}]
kept.append("text")
reveal_type(last)
"""


@pytest.mark.parametrize("is_local", [False, True])
@pytest.mark.parametrize("first", ["jnp.float32(2)", "jnp.ones(3)", "np.ones(3).sum()", "3"])
def test_a_chain(first: str, tmp_path: Path, plugin_cache: Path, *, is_local: bool) -> None:
    lines = [f"x0 = {first}", *(f"x{n} = x{n - 1} * 2" for n in range(1, COUNT))]
    lines += ENDS.format(last=COUNT - 1).splitlines()
    if is_local:
        lines = ["def program() -> None:", *(f"    {line}" for line in lines)]
    (tmp_path / "program.py").write_text("\n".join(["import jax.numpy as jnp", "import numpy as np", *lines, ""]))
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, settings="check_untyped_defs = true\n")
    assert "INTERNAL ERROR" not in run.output
    assert [each for each in run.errors() if each.code == "promo-failure"] == []
    assert len(run.revealed()) == 1
