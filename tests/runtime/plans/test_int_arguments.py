"""Python ints beyond the range of a dtype as arguments of functions: the result is that of the system's library."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from tests.needed import needs

DTYPES = ("int8", "uint8", "int32", "int64", "uint64")
NUMBERS = (300, -5, -300, 2**31, 2**40, -(2**31) - 1, 2**63, -(2**63) - 1, 2**70)
FUNCTIONS = (
    "where", "clip", "full", "full_like", "maximum", "minimum", "fmax", "fmin", "isin", "searchsorted", "isclose",
)  # fmt: skip
CONDITION = [True, False]

#: PyTorch lacks some of the functions, and has no loops for others on the wide unsigned integers.
MISSING = (AttributeError, NotImplementedError)


def outcome(call: Callable[[], Any]) -> str:
    """Dtype and values, or that the call was rejected; "" if the function does not exist."""
    try:
        result = call()
    except MISSING:
        return ""
    except (TypeError, OverflowError, RuntimeError):
        return "refused"
    return f"{str(result.dtype).rpartition('.')[2]} {np.asarray(result).tolist()}"


def called(library: Any, name: str, condition: Any, x: Any, number: int, dtype: Any) -> Any:
    """The call as a program would write it."""
    if name == "where":
        return library.where(condition, x, number)
    if name == "full":
        return library.full((2,), number, dtype=dtype)
    return getattr(library, name)(x, number, *((None,) if name == "clip" else ()))


def theirs(system: str, name: str, dtype: str, number: int) -> str:
    """The answer of the library itself."""
    if system == "torch":
        torch = import_module("torch")
        return outcome(
            lambda: called(
                torch, name, torch.tensor(CONDITION), torch.tensor([1, 2]).to(getattr(torch, dtype)), number,
                getattr(torch, dtype),
            )
        )  # fmt: skip
    library = import_module("numpy" if system == "numpy" else "jax.numpy")
    return outcome(
        lambda: called(library, name, library.asarray(CONDITION), library.asarray([1, 2], dtype), number, dtype)
    )


def compared(system: str) -> tuple[int, list[str]]:
    """How many calls were compared, and those that differ."""
    count, wrong = 0, []
    for dtype in DTYPES:
        for number in NUMBERS:
            for name in FUNCTIONS:
                x, space = np.array([1, 2], dtype), pr.namespace(system)
                expected = theirs(system, name, dtype, number)
                got = outcome(lambda: called(space, name, np.array(CONDITION), x, number, dtype))  # noqa: B023
                count += bool(expected and got)
                if expected and got and got != expected:
                    wrong.append(f"{name}({dtype}, {number}): {got}, and theirs {expected}")
    return count, wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("system", "least"), [("numpy", 480), ("jax", 480), ("torch", 240)])
def test_each_function_agrees_with_the_library(system: str, least: int) -> None:
    needs(system)
    if system == "jax":
        with import_module("jax").enable_x64(True):
            count, wrong = compared(system)
    else:
        count, wrong = compared(system)
    # PyTorch does not promote uint64; the rules say the same of isin.
    assert [each for each in wrong if not each.startswith("isin(uint64")] == []
    assert count >= least


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promo_runtime.namespaces.joining.fitted", lambda *arguments: arguments[-1])
    with pytest.raises(OverflowError):
        pr.namespace("numpy").where(np.array(CONDITION), np.array([1, 2], np.int16), 1 << 20)


def test_the_error_gives_the_reason() -> None:
    x = np.array([1, 2], np.int8)
    with pytest.raises(pr.OutOfRangeError, match=r"where\(int8, int\) under torch promotion: 300 is out of range for"):
        pr.namespace("torch").where(np.array(CONDITION), x, 300)
    wrapped = pr.asarray(x, system="torch")
    with pytest.raises(pr.OutOfRangeError, match="cast the array"):
        wrapped.clip(300)
    assert pr.namespace("jax").where(np.array(CONDITION), pr.asarray(x, system="jax"), 300).tolist() == [1, 44]
