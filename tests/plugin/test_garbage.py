"""Python looks for garbage less often where mypy reads array libraries, and nowhere else."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy import api
from mypy.options import Options

from promo_mypy.plugin.hooks import plugin


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """What this process had before."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize(("program", "seldom"), [("import numpy as np\nx = np.ones(3)\n", True), ("x = 1\n", False)])
def test_builds(program: str, seldom: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(program)
    for plugins in ("", "plugins = promo_mypy.plugin\n"):
        (tmp_path / "mypy.ini").write_text(f"[mypy]\n{plugins}")
        assert api.run(["--cache-dir", str(tmp_path), "program.py"])[2] == 0
        found = gc.get_threshold()
        if not plugins:
            stock = found
    assert (found[0] == 10 * stock[0]) is seldom
    assert (found == stock) is not seldom
    # An object of the second generation is looked at after about as many new ones.
    assert found[0] * found[1] == stock[0] * stock[1]
    assert found[2] == stock[2]


def test_daemons() -> None:
    """They keep their process, and with it the garbage."""
    options = Options()
    options.fine_grained_incremental = True
    before = gc.get_threshold()
    plugin("")(options).set_modules({})
    assert gc.get_threshold() == before
