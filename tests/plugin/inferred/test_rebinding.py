"""An unannotated variable may be rebound to an array of another dtype; an annotated one may not."""

import re
from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jax")

NDARRAY = re.compile(r"numpy\.ndarray\[tuple\[Any, \.\.\.\], numpy\.dtype\[(?:numpy\.)?(\w+)\]\]")
PROGRAM = """\
from collections.abc import Callable
from typing import Any
import jax
import numpy as np
import numpy.typing as npt
from promo_mypy.rules.dtypes import bfloat16, float32, int32
A = "jax.Array[float32]"
Made = Callable[[], "jax.Array[float32]"]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
def anything() -> Any: ...
def plain(x: "jax.Array[float32]", h: "jax.Array[bfloat16]", i: "jax.Array[int32]") -> None:
    y = x * 2
    y = h * 2
    reveal_type(y)  # bfloat16
    y = i * 2
    reveal_type(y)  # int32
def branch(x: "jax.Array[float32]", h: "jax.Array[bfloat16]", c: bool) -> None:
    y = x * 2
    if c:
        y = h * 2
        reveal_type(y)  # bfloat16
    reveal_type(y)  # float32 or bfloat16
def loop(x: "jax.Array[float32]", h: "jax.Array[bfloat16]") -> None:
    y = h * 2
    for _ in range(3):
        reveal_type(y)  # bfloat16 or float32
        y = y * x
        reveal_type(y)  # float32
def augmented(x: "jax.Array[float32]", i: "jax.Array[int32]") -> None:
    y = i * 2
    y += x
    reveal_type(y)  # float32
def parts(u: "jax.Array[float32] | jax.Array[bfloat16]") -> None:
    y, z = divmod(u, 2)
    reveal_type(y)  # float32 or bfloat16
    y = y * 2
    reveal_type(y)  # float32 or bfloat16
def pair(x: "jax.Array[float32]", i: "jax.Array[int32]") -> None:
    y, z = i * 2, x * 2
    y, z = z * 1, y * 1
    reveal_type(y)  # float32
    reveal_type(z)  # int32
    y, z = z, y
    reveal_type(y)  # int32
    reveal_type(z)  # float32
def ndarrays(n: npt.NDArray[np.float32], m: npt.NDArray[np.int32]) -> None:
    y = n * 2
    y = n * m
    reveal_type(y)  # float64
def other_types(x: "jax.Array[float32]") -> None:
    y = x * 2
    y = "text"  # error
def declared(x: "jax.Array[float32]", h: "jax.Array[bfloat16]") -> None:
    y: "jax.Array[float32]" = x * 2
    y = h * 2  # error
    x = h * 2  # error
class Holder:
    def __init__(self, x: "jax.Array[float32]") -> None:
        self.y = x * 2
    def change(self, h: "jax.Array[bfloat16]") -> None:
        self.y = h * 2
    def read(self) -> None:
        reveal_type(self.y)  # Any
class Given:
    def __init__(self, n: npt.NDArray[np.float64], x: "jax.Array[float32]", m: Made) -> None:
        self.n = n
        self.x = x
        self.made = m
        self.other = x
class GivenAgain(Given):
    def __init__(self, n: npt.NDArray[np.float64], x: "jax.Array[float32]", m: Made) -> None:
        super().__init__(n, x, m)
        self.n = n
        self.x = x
        self.made = m
        self.other = x * 2
    def read(self) -> None:
        reveal_type(self.n)  # float64
        reveal_type(self.x)  # float32
        reveal_type(self.made())  # float32
        reveal_type(self.other)  # float32
counts = np.ones(3)
class Buffers:
    def __init__(self, n: npt.NDArray[np.float64], c: bool) -> None:
        self.filled = n * 2
        self.maybe = n * 2 if c else None
        self.held = [n * 2]
        self.other = n * 2
        self.added = n * 2
    def fill(self, n: npt.NDArray[np.float32], u: Any) -> None:
        self.filled[0] = 1
        self.filled[0] += u
        self.filled[1:] = n
        if self.maybe is not None:
            self.maybe[0] = u
            reveal_type(self.maybe)  # float64
        self.held[0] = n
        self.added += n
        counts[0] += 1
    def read(self) -> None:
        reveal_type(self.filled * 2)  # float64
        reveal_type(self.held[0])  # Any
        reveal_type(self.other)  # Any
        reveal_type(counts * self.filled)  # float64
class Inherits(Buffers):
    def more(self, n: npt.NDArray[np.float32]) -> None:
        self.filled[0] = n[0]
        self.other = n
        reveal_type(self.filled)  # float64
def fill_from_outside(b: Inherits, u: Any) -> None:
    b.filled[0] = u
    reveal_type(b.filled)  # float64
def forgets(x: "jax.Array[float32]", u: jax.Array, c: bool) -> None:
    y = x * 2
    y = u
    reveal_type(y)  # Any
    y = x * 2
    reveal_type(y)  # float32
    if c:
        y = u
    reveal_type(y)  # float32 or Any
def starts_with_none(x: "jax.Array[float32]", h: "jax.Array[bfloat16]", u: jax.Array) -> None:
    y = None
    y = x * 2
    reveal_type(y)  # float32
    y = h * 2
    reveal_type(y)  # bfloat16
    y = u
    reveal_type(y)  # Any
class Numbers:
    size: int
    def __init__(self) -> None:
        self.certain = 0
        self.total = 0
        self.last = 2.5
    def add(self, u: Any) -> None:
        self.certain += self.size * len("text")
        self.certain = self.certain if self.certain else self.certain + 1
        self.total += 1
        self.total = u + self.total
        for self.last in u:
            pass
    def read(self, x: "jax.Array[float32]") -> None:
        reveal_type(x * self.certain)  # float32
        reveal_type(x * self.total)  # Any
        reveal_type(x * self.last)  # Any
certain = 2
number = 2
for number in range(5):
    certain = certain + number
    maybe = certain
for maybe in anything():
    pass
number = "text"  # error
def global_numbers(x: "jax.Array[float32]") -> None:
    reveal_type(x * certain)  # float32
    reveal_type(x * number)  # float32
    reveal_type(x * maybe)  # Any
def before_any_hook(x: "jax.Array[float32]", u: jax.Array) -> None:
    y = x
    y = u
    reveal_type(y)  # Any
def loop_checked_twice(arrays: "list[jax.Array[float32]]", i: "jax.Array[bfloat16]") -> None:
    last = None
    for array in arrays:
        if last is not None:
            print(last)
        x = array
        x = i * 2
        reveal_type(x)  # bfloat16
        last = 1
def pair_or_array(v: "Matrix | tuple[Matrix, bool]") -> None:
    first, flat = v
    second, flat = v
def three_turns(a: "jax.Array[float32]", b: "jax.Array[bfloat16]", c: "jax.Array[int32]") -> None:
    x, y, z = a * 1, b * 1, c * 1
    for _ in range(5):
        reveal_type(x)  # bfloat16 or float32 or int32
        x, y, z = y, z, x
"""


def test_rebinding(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "rebinding.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "rebinding.py", cache=plugin_cache)
    lines = PROGRAM.splitlines()
    marked_errors = [number for number, line in enumerate(lines, start=1) if line.endswith("# error")]
    assert [(error.line, error.code) for error in run.errors()] == [(line, "assignment") for line in marked_errors]
    for number, shown in run.revealed().items():
        wanted = lines[number - 1].partition("# ")[2].split(" or ")
        shown = NDARRAY.sub(r"Array[\1]", shown)
        assert sorted(shown.split(" | ")) == sorted(f"Array[{dtype}]" for dtype in wanted), lines[number - 1]


# Without dtypes in the source: no errors beside those of stock mypy, whatever the plugin infers for the values.
WITHOUT_DTYPES = """\
import builtins
import sys
from typing import Any, Union
import numpy as np
import torch
from torch import Tensor
def parts(x: Tensor, n: int) -> Any:
    if n:
        first, x = x[:, :n], x[:, n:]
    else:
        first, x = None, x
    return first, x
def positions(masks: Any, boxes: list[Tensor], training: bool) -> Any:
    if training:
        found = []
        for box in boxes:
            found.append(box[masks])
    else:
        found = None
    return found
def counted(widths: list[int]) -> Any:
    values, counts = torch.unique(torch.tensor(widths), return_counts=True)
    values, counts = values.tolist(), counts.tolist()
    return values, counts
def turned(note: Any, base: bool) -> Any:
    remainder = np.mod(np.asanyarray(note), 12)
    if base:
        roll = remainder
    else:
        roll = remainder - 9
    roll = int(np.round(roll * 3))
    return roll
if sys.version_info < (3, 0):
    class Unreached:
        scale = torch.ones(2)
        def change(self) -> None:
            self.scale = torch.ones(2, dtype=torch.int8)
scale = torch.ones(2)
scale = torch.ones(2, dtype=torch.int8)
class Metric:
    def __ge__(self, other: Union["Metric", builtins.float, Tensor]) -> "Metric": return self
    def __gt__(self, other: Union["Metric", builtins.float, Tensor]) -> "Metric": return self
    def __le__(self, other: Union["Metric", builtins.float, Tensor]) -> "Metric": return self
    def __lt__(self, other: Union["Metric", builtins.float, Tensor]) -> "Metric": return self
    def __radd__(self, other: Union["Metric", builtins.float, Tensor]) -> "Metric": return self
"""


def test_what_stock_mypy_accepts_is_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs("torch")
    (tmp_path / "rebinding.py").write_text(WITHOUT_DTYPES)
    assert not run_mypy(tmp_path, "rebinding.py", cache=stock_cache, plugin=False).errors()
    assert not run_mypy(tmp_path, "rebinding.py", cache=plugin_cache).errors()


REFUSED = """\
from collections.abc import Iterable
from types import EllipsisType
from typing import Union
import torch
Index = Union[EllipsisType, slice, Iterable[int], torch.LongTensor, int]
def index(items: Union[Index, tuple[Index, ...]], b: bool) -> None:
    items = items if isinstance(items, tuple) else (items,)
    items = tuple(i.item() if torch.is_tensor(i) and not len(i.shape) else i for i in items)
    if b:
        items = items[:1] + tuple(slice(None) for _ in range(3))
    items = items + (slice(None),)
    *batch, row, column = items
def again(x: Union[torch.Tensor, None, int], b: bool, s: str) -> None:
    for _ in range(3):
        x = s
        x = None
    if b:
        x = s
    if b:
        x = s
    else:
        x = 3
"""


def test_errors_after_an_incompatible_assignment(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    """The other members of the variable's type are known as without the plugin."""
    needs("torch")
    (tmp_path / "refused.py").write_text(REFUSED)
    stock = run_mypy(tmp_path, "refused.py", cache=stock_cache, plugin=False).errors()
    ours = run_mypy(tmp_path, "refused.py", cache=plugin_cache).errors()
    assert [(error.line, error.code) for error in ours] == [(error.line, error.code) for error in stock]
    assert [error.line for error in stock] == [8, 15, 18, 20]


def test_an_exception_after_an_incompatible_assignment(tmp_path: Path, plugin_cache: Path) -> None:
    """The dtype of the array is the one before the assignment, or unknown."""
    text = """\
import numpy as np
def f() -> None:
    matrix = np.ones((3, 3))
    found = np.arange(3) > 1
    try:
        found = matrix
        raise ValueError
    except ValueError:
        reveal_type(found)
    reveal_type(found)
"""
    (tmp_path / "refused.py").write_text(text)
    run = run_mypy(tmp_path, "refused.py", cache=plugin_cache)
    assert [(error.line, error.code) for error in run.errors()] == [(6, "assignment")]
    before, after = (f"numpy.ndarray[tuple[int], numpy.dtype[{dtype}]]" for dtype in ("numpy.bool[bool]", "Any"))
    assert run.revealed() == dict.fromkeys((9, 10), f"{before} | {after}")


def test_a_number_after_an_incompatible_assignment(tmp_path: Path, plugin_cache: Path) -> None:
    """mypy goes on with the number, and the dtype of a product with it is unknown."""
    text = """\
import numpy as np
n = 3
n = n / 2
reveal_type(np.arange(3) * n)
def f() -> None:
    n = 3
    n = np.float32(0.5)
    reveal_type(np.arange(3) * n)
    n[0]
    n = 3
    reveal_type(np.arange(3) * n)
"""
    (tmp_path / "refused.py").write_text(text)
    run = run_mypy(tmp_path, "refused.py", cache=plugin_cache)
    refused = [(3, "assignment"), (7, "assignment"), (9, "index")]
    assert [(error.line, error.code) for error in run.errors()] == refused
    unknown, revealed = "numpy.ndarray[tuple[int], numpy.dtype[Any]]", run.revealed()
    assert [revealed[line] == unknown for line in (4, 8, 11)] == [True, True, False]


CYCLE = """\
import numpy as np
import numpy.typing as npt
import OTHER
def rebound(x: npt.ArrayLike, scale: bool) -> object:
    later = OTHER.made
    values = np.asanyarray(x, dtype=np.float64)
    if scale:
        factor = np.sqrt((values ** 2).sum())
    else:
        factor = 1
    return factor, later
made = np.sqrt(3)
"""


def test_files_that_import_each_other(tmp_path: Path, plugin_cache: Path) -> None:
    """mypy returns to one of them after the other; it is still known which types only the plugin inferred."""
    for name, other in (("first", "second"), ("second", "first")):
        (tmp_path / f"{name}.py").write_text(CYCLE.replace("OTHER", other))
    run = run_mypy(tmp_path, "first.py", "second.py", cache=plugin_cache)
    assert run.errors() == [], run.output
