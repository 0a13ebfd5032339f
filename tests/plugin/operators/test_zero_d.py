"""Values that NumPy's stubs call arrays and that may be scalars, beside tensors: the inferred type holds for both."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.functions.numpy.forms import MAKING
from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

torch = imported("torch")
needs("jaxtyping")

HEAD = """\
import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float32, Float64
class C:
    def __init__(self, a: npt.NDArray[np.float64]) -> None:
        self.given = a
        self.computed = a * 2
def f(v: Float32[torch.Tensor, "3"], w: Float64[torch.Tensor, "3"], a: npt.NDArray[np.float64], c: C) -> None:
    m = a * 2
    n = np.array(a)
    n = n.astype(np.float64)
"""
#: Expression -> whether both forms of the computed value give the same result.
EXPRESSIONS = {
    "v - a": True,
    "v - m": False,
    "m - v": False,
    "v - (a + 1)": False,
    "v - -a": False,
    "w - m": True,
    "v == m": True,
    "v - n": True,
    "v - np.ones(3) * 2": True,
    "v - np.asarray(m)": True,
    "v - c.given": True,
    "v - c.computed": False,
    "v - torch.ones(3).double().numpy()": True,
    "v - a.astype(np.float64)": True,
    "v - m.astype(np.float64)": False,
}


class _Attributes:
    def __init__(self, a: object) -> None:
        self.given, self.computed = a, a * 2  # type: ignore[operator]  # an array


def _executed(text: str, a: object) -> str | None:
    given = {"v": torch.ones(3), "w": torch.ones(3, dtype=torch.float64), "a": a, "c": _Attributes(a)}
    given |= {"np": np, "torch": torch, "m": a * 2, "n": np.array(a)}  # type: ignore[operator]  # an array
    try:
        result = eval(text, given)
    except TypeError:
        return None
    assert isinstance(result, torch.Tensor)
    return str(result.dtype).removeprefix("torch.")


@pytest.mark.filterwarnings("ignore:__array_wrap__:DeprecationWarning")
def test_the_inferred_type_holds_for_both_forms(tmp_path: Path, plugin_cache: Path) -> None:
    body = "".join(f"    reveal_type({text})\n" for text in EXPRESSIONS)
    (tmp_path / "computed.py").write_text(HEAD + body)
    run = run_mypy(tmp_path, "computed.py", cache=plugin_cache)
    assert run.errors() == []  # `m - v` is rejected only for an array
    expected = []
    for text, is_known in EXPRESSIONS.items():
        # An array of rank 1, and one of rank 0.
        one, none = _executed(text, np.ones(3)), _executed(text, np.asarray(1.0))
        assert (one == none) is is_known, text
        cls = "bool_" if one == "bool" else one
        expected.append(f"Tensor[{cls}]" if is_known else "Tensor[Any]")
    assert list(run.revealed().values()) == expected


@pytest.mark.parametrize("name", sorted(MAKING - {"arange", "linspace", "eye", "identity", "where", "select"}))
def test_functions_that_make_arrays_never_return_scalars(name: str) -> None:
    made: list[object] = []
    for argument in (np.asarray(1.0), np.float64(1), 1.0, (), 0, [np.float64(1)], [[1.0]], [np.ones(1)]):
        for more in ((), (2.0,)):
            try:
                made.append(getattr(np, name)(argument, *more))
            except (TypeError, ValueError):
                continue
    assert made
    assert all(type(each) is np.ndarray for each in made), made


@pytest.mark.parametrize("value", [np.asarray(1.0), np.float64(1), 1.0])
def test_selected_values_are_arrays(value: Any) -> None:
    made = (np.where(np.True_, value, value), np.where(True, value, 2), np.select([np.True_], [value], value))
    assert all(type(each) is np.ndarray for each in made)


def test_ranges_are_arrays() -> None:
    made = (np.arange(0), np.arange(1.0), np.linspace(0, 1, 0), np.linspace(0, 1), np.eye(0), np.identity(1))
    assert all(type(each) is np.ndarray for each in made)
