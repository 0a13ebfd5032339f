"""Lengths of axes: a result computed with them has the executed dtype, and they cause no other errors."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tests.mypy_runs import run_mypy

#: The head of each expression: a function of a float32 array and a uint8 array of rank 2.
STATEMENTS: Final = (
    "h, w = x.shape[:2]",
    "n = x.shape[0]",
    "last = y.shape[-1]",
    "a, b = x.shape[0], y.shape[1]",
    "half = n // 2",
    "ratio = h / w",
    "shape = x.shape",
    "longest = max(x.shape)",
)
EXPRESSIONS: Final = (
    "x / x.shape[0]", "x * h", "h * x", "y * w", "y + last", "last - y", "x / (x.shape[0] - 1)", "(h - 1) * y",
    "y * ratio", "x * ratio", "y // half", "x.sum() / n", "x.sum() / x.shape[0]", "y.sum() * a", "x * -b", "y ** n",
    "np.arange(h)", "np.arange(x.shape[0])", "np.arange(0, n, 2)", "np.full((3,), h)", "np.full(3, n / 2)",
    "np.array([h, w])", "np.array([x.shape[0], 2.0])", "np.array((n, half))", "np.linspace(0, h, 5)", "np.add(y, n)",
    "np.maximum(y, x.shape[0])", "np.where(x > 0, h, w)", "np.where(x > 0, x, n)", "np.clip(y, 0, h)",
    "np.prod(shape)", "np.array(x.shape)", "np.array(shape[1:])", "np.arange(min(h, w))", "np.arange(longest)",
    "np.arange(round(h / 2))", "np.full(2, n * 0.5)", "np.float32(2) * n",
)  # fmt: skip
HEADER: Final = (
    "import numpy as np\nimport numpy.typing as npt\n\n\n"
    "def f(x: npt.NDArray[np.float32], y: npt.NDArray[np.uint8]) -> None:\n"
)
DTYPES: Final = {
    "floating[_32Bit]": "float32", "float64": "float64", "unsignedinteger[_8Bit]": "uint8",
    "signedinteger[_64Bit]": "int64", "unsignedinteger[_64Bit]": "uint64", "signedinteger[_32Bit | _64Bit]": "int64",
}  # fmt: skip


def executed() -> dict[str, str]:
    found = {}
    values: dict[str, Any] = {"np": np, "x": np.ones((4, 3), np.float32), "y": np.ones((4, 3), np.uint8)}
    exec("\n".join(STATEMENTS), values)
    for expression in EXPRESSIONS:
        found[expression] = str(np.asarray(eval(expression, values)).dtype)
    return found


def dtype_in(revealed: str) -> str:
    """The dtype of an array type, or of a scalar's."""
    name = revealed.replace("numpy.", "").replace("_typing._nbit_base.", "")
    return DTYPES[name[name.index("dtype[") + len("dtype[") : -2] if "dtype[" in name else name]


def test_the_dtype_is_the_executed_one(tmp_path: Path, plugin_cache: Path) -> None:
    body = [*STATEMENTS, *(f"reveal_type({expression})" for expression in EXPRESSIONS)]
    (tmp_path / "program.py").write_text(HEADER + "".join(f"    {line}\n" for line in body), encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    revealed = dict(zip(EXPRESSIONS, run.revealed().values(), strict=True))
    assert {expression: dtype_in(text) for expression, text in revealed.items()} == executed()


#: Uses of lengths that stock mypy accepts.
QUIET: Final = """\
class Sizes:
    def __init__(self, x: npt.NDArray[np.float32], flag: bool) -> None:
        self.n = x.shape[0]
        if flag:
            self.n = 2.5
        self.m = 2 * x.shape[0]
        self.k, self.j = x.shape

    def change(self) -> None:
        self.n = None
        self.m = "a"
        self.k = 0.5


def takes(sizes: list[float], shape: tuple[int, int], names: dict[str, object]) -> None: ...


def g(x: npt.NDArray[np.float32], y: npt.NDArray[np.uint8], flag: bool, given: int | None = None) -> None:
    h, w = x.shape[:2]
    sizes = [h, w]
    sizes.append(2.5)
    takes(sizes, x.shape, {"h": h})
    names = {"h": h, "w": w}
    names["name"] = "a"
    takes([], (h, w), names)
    pairs = [(h, w), (1, 2)]
    pairs.append(("a", "b"))
    some = {h, 1}
    some.add("b")
    h = h / 2
    w = "auto"
    n = x.shape[0]
    half = n // 2
    half = half / 3
    half = "x"
    twice = n * 2
    twice = None
    mean = x / n
    mean = mean.tolist()
    single = x.sum() / x.shape[0]
    single = float(single)
    single = None
    a, b = x.shape[0], y.shape[1]
    a = "u"
    b = None
    large = n > 3
    large = None
    for size in x.shape:
        size = size / 2
    for size in x.shape:
        size = "s"
    largest = max(n, 2)
    largest = "a"
    longest = max(x.shape)
    longest = "a"
    rounded = round(x.shape[0] / 2)
    rounded = None
    first, *others = x.shape
    others.append("a")
    lengths = [v.shape[0] for v in (x, y)]
    lengths.append("a")
    while flag:
        i, j = y.shape
        i = i / 2
        j = x
    total = 0.0
    total += x.shape[0] / 2
    text = "auto"
    text = x.shape[0]
    given = x.shape[0]
    fixed: float = x.shape[0]
    cast(int, x.shape[0])
    image = np.zeros((x.shape[0], x.shape[1]))
    image = np.zeros((x.shape[0], x.shape[1], 3))
    rows = np.arange(n)
    rows = rows[:, None]
    grid = np.full((n, n), 1.0)
    grid = grid[0]
    axes = [1] * len(x.shape)
    axes[0] = -1
    flat = np.zeros(3)
    flat = flat.reshape(axes)

    def inner() -> None:
        nonlocal n
        n = "s"
"""


def test_lengths_cause_no_error(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    text = f"from typing import cast\n{HEADER}    pass\n\n\n{QUIET}"
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    settings = "warn_redundant_casts = true"
    runs = [
        run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin, settings=settings)
        for plugin, cache in ((True, plugin_cache), (False, stock_cache))
    ]
    lines = text.splitlines()
    mypy_alone = {error.line for error in runs[1].errors()}
    assert [(lines[error.line - 1], error.text) for error in runs[0].errors() if error.line not in mypy_alone] == []


@pytest.mark.parametrize("other", ["Any", "Frame"])
def test_shapes_of_other_classes_are_unchanged(other: str, tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(
        "from typing import Any\n" + HEADER + "    pass\n\n\nclass Frame:\n    shape: tuple[Any, ...]\n\n\n"
        f"def g(frame: {other}, x: npt.NDArray[np.float32]) -> None:\n    n = frame.shape[0]\n"
        "    reveal_type(n)\n    reveal_type(x / n)\n    reveal_type(np.arange(n))\n"
        "    reveal_type(x / frame.shape[0])\n",
        encoding="utf-8",
    )
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    number, product, counted, other_product = run.revealed().values()
    assert (number, product, other_product) == ("Any", "Any", "Any")
    assert counted.startswith("numpy.ndarray[")
    assert "int" not in counted.replace("tuple[int]", "")
