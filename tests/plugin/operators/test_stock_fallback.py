"""NumPy's own overloads check operands that the rules do not cover: same types, same errors, same words."""

from pathlib import Path

from tests.mypy_runs import run_mypy

UNCOVERED = """\
from typing import Any, TypeVar
import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.number[Any])

class Foreign:
    def __radd__(self, other: object) -> int: ...

class Ufunc:
    def __array_ufunc__(self, *arguments: Any) -> Any: ...

class Own(np.ndarray[Any, np.dtype[np.float32]]): ...

def f(
    n: npt.NDArray[np.float32], d: npt.NDArray[np.datetime64], t: npt.NDArray[np.timedelta64],
    o: npt.NDArray[np.object_], s: npt.NDArray[np.str_], a: npt.NDArray[Any], b: np.ndarray, x: Any,
    scalar: np.timedelta64, own: Own, moment: np.datetime64,
) -> None:
    reveal_type(n + "a")
    reveal_type(n - None)
    reveal_type(n + Foreign())
    reveal_type(n + Ufunc())
    reveal_type("a" + n)
    reveal_type(d - d)
    reveal_type(d + t)
    reveal_type(d + "a")
    reveal_type(d - "a")
    reveal_type(t / t)
    reveal_type(t / 2)
    reveal_type(t * n)
    reveal_type(n * scalar)
    reveal_type(moment - moment)
    reveal_type(o + n)
    reveal_type(n + o)
    reveal_type(o << n)
    reveal_type(s + s)
    reveal_type(s + n)
    reveal_type(s < s)
    reveal_type(n + a)
    reveal_type(a + 1)
    reveal_type(a == a)
    reveal_type(b + b)
    reveal_type(n + x)
    reveal_type(x + n)
    reveal_type(n == "a")
    reveal_type(n == None)
    reveal_type(n < None)
    reveal_type(d < d)
    reveal_type(d < "a")
    reveal_type(n @ "a")
    reveal_type(divmod(t, t))
    reveal_type(divmod(n, "a"))
    reveal_type(-d)
    reveal_type(~s)
    reveal_type(+o)
    reveal_type(abs(t))
    reveal_type(-t)
    reveal_type(own + own)
    reveal_type(own * 2)
    n.__add__("a")
    sum([n, n])
    n += "a"
    n @= "s"
    d += t
    d += 1
    o += n

def generic(x: npt.NDArray[T], y: npt.NDArray[T]) -> npt.NDArray[T]:
    reveal_type(x + y)
    reveal_type(x * 2)
    reveal_type(-x)
    return x
"""


UNKNOWN = """\
from typing import Any
import numpy as np
import numpy.typing as npt

def f(n: npt.NDArray[np.float32], a: npt.NDArray[Any], b: np.ndarray) -> None:
    reveal_type(a + n)
    reveal_type(b @ n)
    reveal_type(a * 2.5)
    reveal_type(2.5 - a)
    reveal_type(a / 2)
"""


def test_same_output_as_without_the_plugin(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    (tmp_path / "uncovered.py").write_text(UNCOVERED)
    settings = 'disable_error_code = ["empty-body", "type-arg"]'
    stock = run_mypy(tmp_path, "uncovered.py", cache=stock_cache, plugin=False, settings=settings)
    ours = run_mypy(tmp_path, "uncovered.py", cache=plugin_cache, settings=settings)
    assert len(stock.errors()) > 15, stock.output
    assert ours.output == stock.output


def test_same_shape_as_without_the_plugin_beside_an_unknown_dtype(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    (tmp_path / "unknown.py").write_text(UNKNOWN)
    settings = 'disable_error_code = ["type-arg"]'
    stock = run_mypy(tmp_path, "unknown.py", cache=stock_cache, plugin=False, settings=settings)
    ours = run_mypy(tmp_path, "unknown.py", cache=plugin_cache, settings=settings)
    # The first matching overload names one of several possible dtypes.
    assert stock.output.count("64Bit") + stock.output.count("32Bit") + stock.output.count("float64") >= 5, stock.output
    assert ours.output.count('"numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]"') == 5, ours.output
    assert not ours.errors()
