"""A name in an annotation means what its import statement says, whatever its spelling; in every way of running mypy."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.plugin.annotations.miniature import write, write_libraries
from tests.plugin.annotations.programs import broken_promises, source

PACKAGE = {
    "pkg/__init__.py": """\
from . import array_typing as at
from .array_typing import Float as PkgFloat
""",
    "pkg/array_typing.py": """\
from typing import Annotated as NotFloat, Any as Any

from jax import Array as Array
from jaxtyping import Bool as Bool, Float as Float, Int32 as I32
from jaxtyping import Float16 as RadarFloat
from jaxtyping import Int8 as Float64
""",
    "pkg/again.py": """\
import jaxtyping as jaxtyping
from pkg.array_typing import Float as Fl, I32 as I32
from .array_typing import RadarFloat as Radar
from .third import *
""",
    "pkg/third.py": """\
from jaxtyping import UInt8 as Pixel, Key as Key
from .array_typing import *
from .array_typing import Bool as Truth
from .again import Fl as Circular
""",
    "pkg/attempts.py": """\
import sys
from typing import TYPE_CHECKING

try:
    from jaxtyping import Float32 as F
except ImportError:
    from typing import Annotated as F

if TYPE_CHECKING:
    from jaxtyping import Int16 as I
else:
    from jaxtyping import Int64 as I

if sys.version_info >= (3, 0):
    from jaxtyping import Bool as B
else:
    from jaxtyping import Key as B
""",
}
REEXPORTS = "--implicit-reexport"


@pytest.mark.parametrize(
    "workers",
    [pytest.param((), id="one process"), pytest.param(("-n", "2"), id="workers", marks=pytest.mark.slow)],
)
def test_cold_and_warm(workers: tuple[str, ...], tmp_path: Path) -> None:
    write_libraries(tmp_path)
    write(tmp_path, PACKAGE)
    text = source("imports_user")
    for touch in ("", "# touched: everything else now comes from mypy's cache\n"):
        (tmp_path / "user.py").write_text(text + touch)
        run = run_mypy(tmp_path, "user.py", REEXPORTS, *workers, cache=tmp_path / "cache")
        assert broken_promises(run, text) == {}
        assert run.errors() == []


def test_an_import_cycle(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    files = {
        "one.py": """\
from jax import Array
from jaxtyping import Int8 as A
import two
x: two.B[Array, ""]
reveal_type(x)
""",
        "two.py": """\
from jax import Array
from one import A as B, x
y: B[Array, ""]
reveal_type([x, y])
""",
    }
    write(tmp_path, files)
    for _ in range(2):
        run = run_mypy(tmp_path, "one.py", "two.py", REEXPORTS, cache=tmp_path / "cache")
        shown = sorted(message.revealed or message.text for message in run.messages)
        assert shown == ["Array[int8]", "list[Array[int8]]"]
        write(tmp_path, {"two.py": files["two.py"] + "# touched\n"})


def test_stubs_and_unreachable_packages(tmp_path: Path) -> None:
    """A name that is spelled like jaxtyping's, but comes from a missing package, has no dtype."""
    write_libraries(tmp_path)
    program = """\
from jax import Array
from missing import Float32  # type: ignore[import-not-found]
from typing import Annotated as Int8
def f(a: Float32[Array, "n"], b: Int8[Array, "n"]) -> None:
    reveal_type(a)  # Any
    reveal_type(b)  # Array[Any]
"""
    write(tmp_path, {"program.py": program})
    run = run_mypy(tmp_path, "program.py", cache=tmp_path / "cache")
    assert broken_promises(run, program) == {}
