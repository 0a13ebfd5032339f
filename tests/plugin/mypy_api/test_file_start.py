"""The first call in a file shows that mypy has started it; the answers of other plugins for that call stay."""

from pathlib import Path

from tests.mypy_runs import daemon_checks, run_mypy
from tests.needed import needs

# A file of arrays is checked first, so that the next file is a new one in the same run.
ARRAYS = """\
import numpy as np
import numpy.typing as npt
def double(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return x + x
"""

FUNCTION = """\
import arrays
from functools import partial
def f(x: int, y: str) -> float:
    return x
g = partial(f, 1)
g(2)
"""

METHOD = """\
import arrays
from typing import TypedDict
class Point(TypedDict):
    x: int
def f(point: Point) -> None:
    reveal_type(point.setdefault("x", 1))
    point.setdefault("x", "a")
"""


def test_first_calls_of_other_plugins(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    texts = {"arrays.py": ARRAYS, "function.py": FUNCTION, "method.py": METHOD}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    stock = run_mypy(tmp_path, *texts, cache=stock_cache, plugin=False)
    ours = run_mypy(tmp_path, *texts, cache=plugin_cache)
    assert len(stock.errors()) == 2
    assert set(ours.messages) == set(stock.messages)


def test_variables_of_a_file_that_is_checked_alone(tmp_path: Path, plugin_cache: Path) -> None:
    """The first array comes from a function that the plugin does not know."""
    (tmp_path / "arrays.py").write_text(ARRAYS)
    run_mypy(tmp_path, "arrays.py", cache=plugin_cache)
    (tmp_path / "alone.py").write_text(
        "import arrays\n"
        "import numpy.typing as npt, numpy as np\n"
        "def f(x: npt.NDArray[np.float32]) -> None:\n"
        "    y = arrays.double(x)\n"
        "    y = y.astype(bool)\n"
    )
    assert run_mypy(tmp_path, "alone.py", cache=plugin_cache).messages == ()


def test_variables_before_the_first_call(tmp_path: Path, plugin_cache: Path) -> None:
    """Variables in code for which mypy asks no plugin."""
    (tmp_path / "calls_nothing.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\n"
        "def f(a: npt.NDArray[np.float32], b: npt.NDArray[np.int32], c: bool) -> None:\n"
        "    x = a\n"
        "    x = b\n"
        "    if c:\n"
        "        y = a\n"
        "    else:\n"
        "        y = b\n"
        "    class Kept:\n"
        "        def __init__(self) -> None:\n"
        "            self.z = a\n"
        "        def keep(self) -> None:\n"
        "            self.z = b\n"
    )
    assert run_mypy(tmp_path, "calls_nothing.py", cache=plugin_cache).messages == ()


BASE = """\
import jax.numpy as jnp
class Base:
    scalar = jnp.float32(1)
"""
CALLS_NOTHING = """\
import jax.numpy as jnp
from base import Base
class Derived(Base):
    scalar = ("a", 1)
def function() -> None:
    n: int = Base.scalar
"""


def test_errors_before_the_first_call(tmp_path: Path, plugin_cache: Path) -> None:
    """The value is Any to stock mypy. mypy asks for no hook of this file, which is checked alone, and by a daemon."""
    needs("jax")
    (tmp_path / "base.py").write_text(BASE)
    run_mypy(tmp_path, "base.py", cache=plugin_cache)
    (tmp_path / "calls_nothing.py").write_text(CALLS_NOTHING)
    assert run_mypy(tmp_path, "calls_nothing.py", cache=plugin_cache).messages == ()
    with daemon_checks(tmp_path, "base.py", "calls_nothing.py") as check:
        assert check().messages == ()
        (tmp_path / "calls_nothing.py").write_text(CALLS_NOTHING.replace("n: int", "m: int"))
        assert check().messages == ()
        (tmp_path / "base.py").write_text(BASE.replace("float32", "int32"))
        assert check().messages == ()


def test_a_name_of_the_inserted_call(tmp_path: Path, plugin_cache: Path) -> None:
    """A file has its own `breakpoint`."""
    (tmp_path / "own.py").write_text("import numpy as np\ndef breakpoint(x: int) -> int:\n    return x\n")
    assert run_mypy(tmp_path, "own.py", cache=plugin_cache).messages == ()
