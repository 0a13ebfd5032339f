"""Arrays that one library makes of another's: what mypy infers is the dtype that the call gives when it is run."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.dtypes import parse
from promo_mypy.rules.functions.exports import OF_NUMPY
from promo_mypy.rules.mixing import CONVERTIBLE
from tests.mypy_runs import run_mypy
from tests.plugin.test_operator_cells import NUMPY_SPELLINGS

torch = pytest.importorskip("torch")

SMALL = ("bfloat16", "float8_e5m2", "int4")
NUMPY = (*sorted(dtype.name for dtype in CONVERTIBLE), *SMALL)
TORCH = (*NUMPY[: -len(SMALL)], "bfloat16", "complex32", "float8_e4m3fn", "float8_e5m2fnuz")
#: What makes a tensor of an ndarray, and an ndarray of a tensor.
TO_TORCH = (
    "torch.tensor({})",
    "torch.as_tensor({})",
    "torch.asarray({})",
    "torch.from_numpy({})",
    "torch.tensor([{}])",
)
TO_NUMPY = ("{}.numpy()", "{}.detach().cpu().numpy()", "{}.numpy(force=True)", "np.asarray({})")
CASTS = ("torch.as_tensor({}, dtype=torch.float16)", "torch.from_numpy({}).float()")


def _class(dtype: str) -> str:
    return parse(dtype).__name__


def _array(dtype: str) -> np.ndarray:
    return np.ones(2).astype(getattr(ml_dtypes, dtype) if dtype in SMALL else dtype)


def _executed(text: str, value: object) -> str | None:
    """The dtype; None for what is refused."""
    try:
        result = eval(text.format("x"), {"torch": torch, "np": np, "x": value})
    except (TypeError, NotImplementedError):
        return None
    return str(result.dtype).removeprefix("torch.")


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # of lists of arrays, which are slow
def test_what_is_inferred_is_what_is_executed(tmp_path: Path, plugin_cache: Path) -> None:
    arrays = [(text, f"n_{d}", _executed(text, _array(d)), "Tensor") for d in NUMPY for text in (*TO_TORCH, *CASTS)]
    tensors = [
        (text, f"t_{d}", _executed(text, torch.ones(2).to(getattr(torch, d))), "ndarray")
        for d in TORCH
        for text in TO_NUMPY
    ]
    cells = [*arrays, *tensors]
    modules = {d: "ml_dtypes" if d in SMALL else "np" for d in NUMPY}
    parameters = [
        *(f"n_{d}: npt.NDArray[{modules[d]}.{_class(d)}]" for d in NUMPY),
        *(f't_{d}: "torch.Tensor[dt.{_class(d)}]"' for d in TORCH),
    ]
    head = (
        "import ml_dtypes\nimport numpy as np\nimport numpy.typing as npt\nimport torch\n"
        f"from promo_mypy.rules import dtypes as dt\ndef f({', '.join(parameters)}) -> None:\n"
    )
    first = head.count("\n") + 1
    source = head + "".join(f"    reveal_type({text.format(name)})\n" for text, name, _, _ in cells)
    (tmp_path / "cells.py").write_text(source)
    run = run_mypy(tmp_path, "cells.py", cache=plugin_cache)
    revealed = run.revealed()
    refusals = {error.line for error in run.errors() if error.code == "promo-undefined"}
    wrong = [
        f"{text.format(name)}: executed {dtype}, mypy says {revealed[line]}, refused: {line in refusals}"
        for line, (text, name, dtype, library) in enumerate(cells, first)
        if dtype is not None and (line in refusals or revealed[line] != _shown(dtype, library))
    ]
    assert wrong == []
    expressions = {text.format(name): line for line, (text, name, _, _) in enumerate(cells, first)}
    assert {text for text, line in expressions.items() if line in refusals} == {
        f"t_{dtype}{call}"
        for dtype in TORCH
        if dtype not in NUMPY or dtype in SMALL
        for call in (".numpy()", ".detach().cpu().numpy()", ".numpy(force=True)")
    }


def _shown(dtype: str, library: str) -> str:
    if library == "Tensor":
        return f"Tensor[{_class(dtype)}]"
    return f"numpy.ndarray[tuple[Any, ...], numpy.dtype[{NUMPY_SPELLINGS[_class(dtype)]}]]"


def test_every_such_function_of_torch_is_executed() -> None:
    assert {text.removeprefix("torch.").partition("(")[0] for text in TO_TORCH} == OF_NUMPY["torch"]
