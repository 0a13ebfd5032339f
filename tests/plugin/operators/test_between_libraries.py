"""Arrays that one library makes of another's: the inferred dtype is that of the executed call."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.dtypes import parse
from promo_mypy.rules.functions.exports import OF_NUMPY
from promo_mypy.rules.functions.exports import OF_SCALARS as OF_SCALARS_OF
from promo_mypy.rules.mixing import CONVERTIBLE
from tests.mypy_runs import run_mypy
from tests.needed import imported, needs
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

torch = imported("torch")
needs("jaxtyping")

SMALL = ("bfloat16", "float8_e5m2", "int4")
NUMPY = (*sorted(dtype.name for dtype in CONVERTIBLE), *SMALL)
TORCH = (*NUMPY[: -len(SMALL)], "bfloat16", "complex32", "float8_e4m3fn", "float8_e5m2fnuz")
#: Calls that turn an ndarray into a tensor, and a tensor into an ndarray.
TO_TORCH = (
    "torch.tensor({})",
    "torch.as_tensor({})",
    "torch.asarray({})",
    "torch.from_numpy({})",
    "torch.tensor([{}])",
)
OF_SCALARS = (
    "torch.tensor({})",
    "torch.as_tensor({})",
    "torch.asarray({})",
    "torch.tensor([{}])",
    "torch.tensor([[{}], [1.5]])",
)
TO_NUMPY = ("{}.numpy()", "{}.detach().cpu().numpy()", "{}.numpy(force=True)", "np.asarray({})")
CASTS = ("torch.as_tensor({}, dtype=torch.float16)", "torch.from_numpy({}).float()")


def _class(dtype: str) -> str:
    return parse(dtype).__name__


def _array(dtype: str) -> np.ndarray:
    return np.ones(2).astype(getattr(ml_dtypes, dtype) if dtype in SMALL else dtype)


def _executed(text: str, value: object) -> str | None:
    """The dtype; None if the library rejects the call."""
    try:
        result = eval(text.format("x"), {"torch": torch, "np": np, "x": value})
    except (TypeError, NotImplementedError):
        return None
    return str(result.dtype).removeprefix("torch.")


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # about lists of arrays, which are slow
def test_the_inferred_dtype_is_the_executed_one(tmp_path: Path, plugin_cache: Path) -> None:
    arrays = [(text, f"n_{d}", _executed(text, _array(d)), "Tensor") for d in NUMPY for text in (*TO_TORCH, *CASTS)]
    tensors = [
        (text, f"t_{d}", _executed(text, torch.ones(2).to(getattr(torch, d))), "ndarray")
        for d in TORCH
        for text in TO_NUMPY
    ]
    scalars = [(text, f"s_{d}", _executed(text, _array(d)[0]), "Tensor") for d in NUMPY for text in OF_SCALARS]
    cells = [*arrays, *scalars, *tensors]
    modules = {d: "ml_dtypes" if d in SMALL else "np" for d in NUMPY}
    parameters = [
        *(f"n_{d}: npt.NDArray[{modules[d]}.{_class(d)}]" for d in NUMPY),
        *(f"s_{d}: {modules[d]}.{_class(d)}" for d in NUMPY),
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
    converted = {text.format(name) for text, name, dtype, _ in arrays if dtype is None and "[" not in text}
    assert len(converted) >= 6
    assert {text for text, line in expressions.items() if line in refusals} == converted | {
        f"t_{dtype}{call}"
        for dtype in TORCH
        if dtype not in NUMPY or dtype in SMALL
        for call in (".numpy()", ".detach().cpu().numpy()", ".numpy(force=True)")
    }


def _shown(dtype: str, library: str) -> str:
    if library == "Tensor":
        return f"Tensor[{_class(dtype)}]"
    return f"numpy.ndarray[tuple[Any, ...], numpy.dtype[{NUMPY_SPELLINGS[_class(dtype)]}]]"


def test_every_converting_function_of_torch_is_executed() -> None:
    assert {text.removeprefix("torch.").partition("(")[0] for text in TO_TORCH} == OF_NUMPY["torch"]
    assert {text.removeprefix("torch.").partition("(")[0] for text in OF_SCALARS} == OF_SCALARS_OF["torch"]


#: Expressions whose dtype depends on the rank of a former ndarray or scalar -> whether it is known.
RANKED = {
    "torch.tensor(s) + t": True, "torch.as_tensor(np.float64(1)) * t": True, "torch.tensor([s]) + t": True,
    "torch.tensor(a) + t": False, "torch.from_numpy(a)[0] + t": False, "torch.from_numpy(np.asarray(1.0)) + t": False,
    "torch.from_numpy(np.zeros(3)) + t": True, "torch.tensor(np.zeros(3).sum()) + t": True,
    "torch.from_numpy(t.numpy()) + t": True,
}  # fmt: skip


def test_the_rank_decides(tmp_path: Path, plugin_cache: Path) -> None:
    head = (
        "import numpy as np\nimport numpy.typing as npt\nimport torch\nfrom jaxtyping import Float32\n"
        'def f(t: Float32[torch.Tensor, "3"], a: npt.NDArray[np.float64], s: np.float64) -> None:\n'
    )
    (tmp_path / "ranks.py").write_text(head + "".join(f"    reveal_type({text})\n" for text in RANKED))
    revealed = run_mypy(tmp_path, "ranks.py", cache=plugin_cache).revealed().values()
    values = {"torch": torch, "np": np, "t": torch.ones(3), "a": np.ones(3), "s": np.float64(1)}
    executed = [str(eval(text, dict(values)).dtype).removeprefix("torch.") for text in RANKED]
    known = zip(executed, RANKED.values(), strict=True)
    expected = [_shown(dtype, "Tensor") if is_known else "Tensor[Any]" for dtype, is_known in known]
    assert list(revealed) == expected
