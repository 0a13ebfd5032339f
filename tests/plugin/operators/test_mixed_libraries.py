"""Arrays of two libraries in one operator: the inferred type is that of the executed expression."""

import operator
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported

jax = imported("jax")
torch = imported("torch")

OPERATORS = {
    "+": operator.add,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
    "<": operator.lt,
    "==": operator.eq,
}
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")
KINDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "ndarray": ("npt.NDArray[np.{0}]", lambda dtype: np.ones(3, dtype)),
    "scalar": ("np.{0}", lambda dtype: np.dtype(dtype).type(1)),
    "jax": ('"jax.Array[dt.{0}]"', lambda dtype: jax.numpy.ones(3, dtype)),
    "torch": ('"torch.Tensor[dt.{0}]"', lambda dtype: torch.ones(3, dtype=getattr(torch, dtype))),
}
PAIRS = [("jax", "ndarray"), ("jax", "scalar"), ("torch", "ndarray"), ("torch", "scalar")]
PREAMBLE = (
    "import jax, torch\nimport numpy as np\nimport numpy.typing as npt\nfrom promo_mypy.rules import dtypes as dt\n"
)


def _class(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


def _executed(cell: tuple[str, str, str, str, str]) -> str:
    symbol, first, a, second, b = cell
    left, right = KINDS[first][1](a), KINDS[second][1](b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = OPERATORS[symbol](left, right)
        except NotImplementedError:
            return "no kernel"
        except (TypeError, ValueError, RuntimeError):
            return "refused"
    library = "Array" if isinstance(result, jax.Array) else "Tensor" if isinstance(result, torch.Tensor) else "?"
    return f"{library}[{_class(str(result.dtype).removeprefix('torch.'))}]"


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_agrees_with_execution(pair: tuple[str, str], tmp_path: Path, plugin_cache: Path) -> None:
    cells = [
        (symbol, first, a, second, b)
        for symbol in OPERATORS
        for first, second in (pair, pair[::-1])
        for a in DTYPES
        for b in DTYPES
        if not (a == "float64" and first == "jax")
        and not (b == "float64" and second == "jax")
        and not (a == "int64" and first == "jax")
        and not (b == "int64" and second == "jax")
    ]
    parameters = [f"{kind}_{d}: {KINDS[kind][0].format(_class(d))}" for kind in pair for d in DTYPES]
    source = PREAMBLE + f"def f({', '.join(parameters)}) -> None:\n"
    first_line = source.count("\n") + 1
    source += "".join(f"    reveal_type({first}_{a} {symbol} {second}_{b})\n" for symbol, first, a, second, b in cells)
    (tmp_path / "mixed.py").write_text(source)
    run = run_mypy(tmp_path, "mixed.py", cache=plugin_cache)
    revealed, refused = run.revealed(), {error.line for error in run.errors()}
    results: list[str] = []

    def execute() -> None:
        results.extend(map(_executed, cells))

    if "jax" in pair:  # JAX compiles whatever it executes; it tells the dtypes without doing so
        jax.eval_shape(execute)
    else:
        execute()
    wrong, unknown = [], 0
    for line, (cell, abstract) in enumerate(zip(cells, results, strict=True), start=first_line):
        symbol, first, a, second, b = cell
        inferred = "refused" if line in refused else revealed[line]
        if inferred.endswith("Any]") or inferred == "Any":
            unknown += 1
        elif inferred != abstract and (actual := _executed(cell)) not in {inferred, "no kernel"}:
            # Executed, JAX rejects more.
            wrong.append(f"{first}_{a} {symbol} {second}_{b}: mypy {inferred}, executed {actual}")
    assert not wrong, f"{len(wrong)} of {len(cells)} differ:\n" + "\n".join(wrong[:40])
    assert unknown < len(cells) / 6, f"{unknown} of {len(cells)} unknown"
