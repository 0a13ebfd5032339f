"""An array and a list or tuple: the inferred dtype is that of the executed expression."""

import operator
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np

from tests.mypy_runs import run_mypy
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

OPERATORS: dict[str, Callable[..., object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": operator.pow,
    "&": operator.and_,
    "<<": operator.lshift,
    "<": operator.lt,
    "==": operator.eq,
}
DTYPES = ("bool", "int8", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64", "complex64")
#: `a` is an int16 array, `b` a float32 array.
SEQUENCES = (
    "[1, 2]",
    "(1, 2)",
    "[1.0, 2]",
    "(True, False)",
    "[[1j, 2], [3, 4]]",
    "[a, b]",
    "(b, b)",
    "(b.max(), 2)",
    "[b.max(), a.max()]",
    "[a.max() for _ in range(2)]",
    "range(2)",
)
ARRAYS = {"a": np.array([1, 2], np.int16), "b": np.array([1, 2], np.float32)}


def _executed(symbol: str, left: object, right: object) -> str:
    try:
        with np.errstate(all="ignore"):
            result = OPERATORS[symbol](left, right)
    except (TypeError, ValueError):
        return "refused"
    assert isinstance(result, np.ndarray)
    return NUMPY_SPELLINGS["bool_" if result.dtype == bool else result.dtype.name]


def test_agrees_with_execution(tmp_path: Path, plugin_cache: Path) -> None:
    # Lists and tuples have these operators themselves, and mypy asks the left operand first.
    own = ("+", "*", "<", "==")
    cells = [
        (symbol, dtype, sequence, is_reflected)
        for symbol, dtype, sequence, is_reflected in product(OPERATORS, DTYPES, SEQUENCES, (False, True))
        if not (is_reflected and symbol in own)
    ]
    arrays = {dtype: np.ones(2, dtype) for dtype in DTYPES}
    parameters = [f"x_{dtype}: npt.NDArray[np.{dtype}]" for dtype in DTYPES]
    parameters += [f"{name}: npt.NDArray[np.{array.dtype.name}]" for name, array in ARRAYS.items()]
    source = f"import numpy as np\nimport numpy.typing as npt\ndef f({', '.join(parameters)}) -> None:\n"
    first_line = source.count("\n") + 1
    expected = []
    for symbol, dtype, sequence, is_reflected in cells:
        left, right = (sequence, f"x_{dtype}") if is_reflected else (f"x_{dtype}", sequence)
        source += f"    reveal_type({left} {symbol} {right})\n"
        operands = [arrays[dtype], eval(sequence, dict(ARRAYS))]
        expected.append(_executed(symbol, *(operands[::-1] if is_reflected else operands)))
    (tmp_path / "sequences.py").write_text(source)
    run = run_mypy(tmp_path, "sequences.py", cache=plugin_cache)
    revealed, refused = run.revealed(), {error.line for error in run.errors()}
    lines = source.splitlines()
    wrong = [
        f"{lines[line - 1].strip()}: mypy {inferred}, executed {dtype}"
        for line, dtype in enumerate(expected, first_line)
        if f"numpy.dtype[{dtype}]]" not in (inferred := "numpy.dtype[refused]]" if line in refused else revealed[line])
    ]
    assert not wrong, f"{len(wrong)} of {len(cells)} differ:\n" + "\n".join(wrong[:40])
