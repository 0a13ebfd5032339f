"""Another plugin, after ours in the configuration, keeps its hooks of a user's functions."""

from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import run_mypy
from tests.slow_tests import slow_but

PLUGIN: Final = """\
from mypy.plugin import Plugin
def told(ctx):
    ctx.api.fail("told by the other plugin", ctx.context)
    return ctx.default_return_type
class Other(Plugin):
    def get_function_hook(self, fullname):
        return told if fullname.startswith("program.") else None
def plugin(version):
    return Other
"""
PROGRAM: Final = """\
from typing import overload
import numpy as np
import numpy.typing as npt
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x: int | str) -> int | str:
    return x
def g(x: int) -> int:
    return x
def main(x: npt.NDArray[np.float32]) -> None:
    x * 2
    f(1)
    f("1")
    g(1)
"""


@pytest.mark.parametrize("plugin", slow_but({False}, [True, False]))
def test_its_hooks_are_called(plugin: bool, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(PLUGIN)
    (tmp_path / "program.py").write_text(PROGRAM)
    cache = plugin_cache if plugin else stock_cache
    run = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin, further_plugins=(other.as_posix(),))
    told = {message.line for message in run.errors() if message.text == "told by the other plugin"}
    assert told == {14, 15, 16}
