"""Python numbers that a function stores in a dtype: exactly the calls that raise in the library are reported."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.functions.stored_numbers import ITEMS, STORED
from tests.mypy_runs import run_mypy
from tests.needed import imported
from tests.rules.functions.cupy import calls as calls_cupy

# Zero is among the divisors.
pytestmark = pytest.mark.filterwarnings("ignore")

VALUES = (0, 127, 128, 255, 256, 300, -1, -128, -129, -255, -256)
DTYPES = ("uint8", "int8", "int16")
HEADERS = {
    "numpy": "import numpy as np\nimport numpy.typing as npt\n",
    "jax": "import jax.numpy as jnp\nfrom typing import Annotated\nimport jax\n",
    "torch": "import torch\nfrom typing import Annotated\n",
    "dask": "import dask.array as da\nfrom promo_mypy.rules import dtypes as dt\n",
    "array_api_strict": "from array_api_strict._array_object import Array\nfrom promo_mypy.rules import dtypes as dt\n",
}
ARRAYS = {
    "numpy": "npt.NDArray[np.{}]",
    "jax": "Annotated[jax.Array, jnp.{}]",
    "torch": "Annotated[torch.Tensor, torch.{}]",
    "dask": '"da.Array[dt.{}]"',
    "array_api_strict": '"Array[dt.{}]"',
}
#: Calls of the functions in STORED, scalar types, and functions that wrap or saturate; {v} is the int, {d} the dtype.
CALLS = {
    "numpy": (
        "np.full(3, {v}, dtype=np.{d})", "np.full((2,), fill_value={v}, dtype='{d}')", "np.full_like(x, {v})",
        "np.full_like(x, {v}, dtype=np.int32)", "np.array([1, {v}], dtype=np.{d})", "np.array({v}, dtype=np.{d})",
        "np.array([[{v}], [2]], np.{d})", "np.array([{v}, 1.5], dtype=np.{d})", "np.asarray([{v}], dtype=np.{d})",
        "np.asanyarray({v}, np.{d})", "np.ascontiguousarray([{v}], np.{d})", "np.asfortranarray([{v}], np.{d})",
        "np.asarray_chkfinite([{v}], np.{d})", "np.require([{v}], np.{d})", "np.maximum(x, {v})", "np.minimum({v}, x)",
        "np.fmax(x, {v})", "np.fmin(x, {v})", "np.gcd(x, {v})", "np.lcm(x, {v})", "np.fmod(x, {v})",
        "np.max(x, initial={v})", "np.min(x, initial={v})", "np.{d}({v})", "np.full(3, [{v}], dtype=np.{d})",
        "np.where(x > 0, x, {v})", "np.array([{v}])", "np.full(3, {v})", "np.hypot(x, {v})",
        "np.full(3, {v}, dtype=np.float32)", "np.clip(x, 0, {v})", "np.clip(x, {v}, None)", "x.clip(max={v})",
        "np.insert(x, 0, {v})", "np.insert(x, 0, [{v}])", "x.copy().fill({v})", "np.put(x.copy(), 0, {v})",
        "x.copy().put(0, [{v}])", "np.place(x.copy(), x > 0, [{v}])", "np.putmask(x.copy(), x > 0, {v})",
        "np.copyto(x.copy(), {v})", "np.fill_diagonal(np.ones((3, 3), np.{d}), {v})", "np.fromiter([{v}], np.{d})",
        "np.sum(x, initial={v})", "x.prod(initial={v})", "np.nanmax(x, initial={v})", "np.nanmin(x, initial={v})",
        "np.arange({v}, {v} + 2, dtype=np.{d})", "np.arange({v}, 400, 1, dtype=np.{d})", "np.arange({v}, dtype=np.{d})",
        "np.arange(0, {v}, 130, dtype=np.{d})", "np.arange({v}, {v}, dtype=np.{d})",
        "np.linspace(0, {v}, 3, dtype=np.{d})", "np.power(x, {v})", "x.copy().__setitem__(0, {v})",
        "x.copy()[0] = {v}", "x.copy()[x > 100] = {v}", "x.copy()[:0] = {v}", "x.copy()[:2] = [1, {v}]",
        "x.copy()[...] = ({v}, 1, 2)", "x.copy()[:2] = [1.5, {v}]", "x.copy()[0], x.copy()[1] = {v}, 1",
        "np.ones(3, np.float32)[0] = {v}", "np.ones(3, bool)[0] = {v}",
    ),
    "jax": (
        "jnp.array([1, {v}], dtype=jnp.{d})", "jnp.array({v}, dtype=jnp.{d})", "jnp.asarray({v}, dtype=jnp.{d})",
        "jnp.asarray([[{v}]], jnp.{d})", "jnp.{d}({v})", "jnp.full(3, {v}, dtype=jnp.{d})", "jnp.full_like(x, {v})",
        "jnp.maximum(x, {v})", "jnp.where(x > 0, x, {v})", "x.at[0].set({v})", "jnp.clip(x, 0, {v})",
        *(f"jnp.{name}({{v}})" for name in ("int2", "uint2", "int4", "uint4")), "jnp.array([{v}], jnp.uint4)",
    ),
    "torch": (
        "torch.full((3,), {v}, dtype=torch.{d})", "torch.full_like(x, {v})", "x.new_full((2,), {v})",
        "torch.tensor([1, {v}], dtype=torch.{d})", "torch.tensor({v}, dtype=torch.{d})",
        "torch.as_tensor([[{v}]], dtype=torch.{d})", "torch.asarray({v}, dtype=torch.{d})",
        "torch.scalar_tensor({v}, dtype=torch.{d})", "torch.clamp(x, 0, {v})", "x.clamp(max={v})", "x.clamp(min={v})",
        "torch.clamp_min(x, {v})", "torch.clamp_max(x, {v})", "x.clone().clamp_({v}, 100)", "x.clone().fill_({v})",
        "torch.where(x > 0, x, {v})", "torch.where(x > 0, {v}, x)", "x.masked_fill(x > 0, {v})",
        "x.clone().masked_fill_(x > 0, {v})", "torch.index_fill(x, 0, torch.tensor([0]), {v})",
        "x.scatter(0, torch.tensor([0]), {v})", "x.clone().scatter_(0, torch.tensor([0]), {v})", "x.new_tensor([{v}])",
        "x.clone().index_fill_(0, torch.tensor([0]), {v})", "torch.ones(3, 3, dtype=torch.{d}).fill_diagonal_({v})",
        "x.clone().clip_(0, {v})", "torch.nn.functional.threshold(x, 0, {v})",
        "torch.nn.functional.threshold(x, {v}, 0)", "torch.nn.functional.pad(x, (1, 1), value={v})",
        "torch.add(x, x, alpha={v})", "x.add(x, alpha={v})", "x.clone().add_(x, alpha={v})",
        "torch.pow(x, {v})", "torch.sub(x, x, alpha={v})", "torch.subtract(x, x, alpha={v})",
        "x.sub(x, alpha={v})", "x.clone().sub_(x, alpha={v})",
        "torch.addcmul(x, x, x, value={v})", "torch.index_add(x, 0, torch.tensor([0]), x[:1], alpha={v})",
        "torch.linspace(0, {v}, 3, dtype=torch.{d})", "torch.linspace({v}, 3, 3, dtype=torch.{d})",
        "torch.logspace(0, {v}, 3, dtype=torch.{d})", "torch.arange({v}, {v} + 1, dtype=torch.{d})",
        "x.pow({v})", "x ** {v}", "torch.fill(x, {v})", "torch.clip(x, 0, {v})", "x.where(x > 0, {v})",
        "torch.nn.functional.pad(x, (0, 0), value={v})", "torch.addr(m, x, x, beta={v})",
        "torch.addr(m, x, x, alpha={v})", "m.addr(x, x, alpha={v})",
        "torch.addmv(x, m, x, alpha={v})", "torch.addmm(m, m, m, beta={v})",
        "torch.addbmm(m, m.unsqueeze(0), m.unsqueeze(0), alpha={v})",
        "torch.baddbmm(m.unsqueeze(0), m.unsqueeze(0), m.unsqueeze(0), beta={v})",
        "torch.nn.functional.hardtanh(x, 0, {v})", "torch.nn.functional.hardtanh(x, {v}, 1)",
        "torch.randint({v}, (3,), dtype=torch.{d})", "torch.randint(0, {v}, (3,), dtype=torch.{d})",
        "torch.randint({v}, 301, (3,), dtype=torch.{d})", "torch.randint(high={v}, size=(3,), dtype=torch.{d})",
        "torch.randint_like(x, {v})", "torch.randint_like(x, {v}, 302)", "torch.randint_like(x, high={v})",
        "torch.randint(0, {v}, (3,))", "torch.eq(x, {v})", "torch.full((3,), {v})",
        "torch.tensor([{v}], dtype=torch.float32)", "x.clone().__setitem__(0, {v})",
        "x.clone()[0] = {v}", "x.clone()[x > 100] = {v}", "x.clone()[:0] = {v}", "x.clone()[...] = {v}",
        "torch.ones(3)[0] = {v}", "torch.ones(3, dtype=torch.bool)[0] = {v}",
    ),
    "dask": ("x.copy()[0] = {v}", "x.copy()[x > 100] = {v}", "x.copy()[:2] = [1, {v}]", "x.copy()[...] = {v}"),
    "array_api_strict": ("x[0] = {v}", "x[...] = {v}", "x[x > 100] = {v}"),
}  # fmt: skip

#: PyTorch's messages about numbers without a dtype or an unsigned one, and about numbers beyond a dtype.
OF_NUMBERS = ("expects 'from'", "greater than max_val", "negative limits")
OF_DTYPES = ("overflow", "Overflow", "too big", "must be in range [0, ")


def calls(library: str, dtype: str) -> Iterator[str]:
    for call in CALLS[library]:
        for value in VALUES:
            yield call.format(v=value, d=dtype)


def tensors(dtype: str) -> dict[str, Any]:
    torch = imported("torch")
    kind = getattr(torch, dtype)
    return {"x": torch.ones(3, dtype=kind), "m": torch.ones(3, 3, dtype=kind)}


MODULES = {
    "jax": ("jnp", "jax.numpy"),
    "dask": ("da", "dask.array"),
    "array_api_strict": ("xp", "array_api_strict"),
}


def values_of(library: str, dtype: str) -> dict[str, Any]:
    if library == "torch":
        torch = imported("torch")
        return {"torch": torch, **tensors(dtype)}
    if library == "numpy":
        return {"np": np, "x": np.ones(3, dtype)}
    short, name = MODULES[library]
    module = imported(name)
    return {short: module, "x": module.ones(3, dtype=getattr(module, dtype))}


@pytest.mark.parametrize("library", HEADERS)
def test_what_is_reported_raises(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    lines, raised = HEADERS[library].splitlines(), {}
    for dtype in DTYPES:
        values = values_of(library, dtype)
        array = ARRAYS[library].format(dtype)
        lines.append(f"def f_{dtype}(x: {array}, m: {array}) -> None:")
        for call in calls(library, dtype):
            try:
                exec(call, values)
            except (OverflowError, RuntimeError, ValueError) as error:
                if any(reason in str(error) for reason in OF_NUMBERS):
                    continue
                raised[len(lines) + 1] = call
            lines.append(f"    {call}")
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    reported = [error.line for error in run.errors() if error.code == "promo-overflow"]
    assert [lines[line - 1] for line in reported if line not in raised] == []
    assert [call for line, call in raised.items() if line not in reported] == []
    assert len(reported) == len(set(reported))
    assert [error for error in run.errors() if error.code != "promo-overflow"] == []
    assert len(raised) > 30


#: Floats, and ints beside floats; {v} is the number, {d} the dtype.
NUMBERS = {
    "float16": ("65504", "65520", "70000", "1e60", "-1e60", "300.5", "-70000"),
    "bfloat16": ("70000", "1e60"),
    "float32": ("1e60", "70000", "1e38", f"{10**40}"),
    "float64": ("1e300",),
    "uint8": ("255.0", "255.5", "300.5", "-0.5", "-255.5", "0.5", "1e60", "255.0"),
    "int8": ("127.5", "128.0", "-127.0", "-300.5"),
    "int64": ("1e60", "1e10"),
}
NUMBERS_IN = (
    *CALLS["torch"][:3], "torch.full((2,), fill_value={v}, dtype=torch.{d})", "torch.tensor({v}, dtype=torch.{d})",
    "x.new_tensor({v})", "torch.asarray({v}, dtype=torch.{d})", "torch.clamp(x, 0, {v})", "x.clamp(max={v})",
    "torch.clamp_min(x, {v})", "x.clone().fill_({v})", "x.masked_fill(x > 0, {v})",
    "x.clone().masked_fill_(x > 0, {v})", "torch.index_fill(x, 0, torch.tensor([0]), {v})",
    "x.scatter(0, torch.tensor([0]), {v})",
    "x.clone().index_fill_(0, torch.tensor([0]), {v})", "torch.ones(3, 3, dtype=torch.{d}).fill_diagonal_({v})",
    "torch.nn.functional.pad(x, (1, 1), value={v})", "torch.linspace(0, {v}, 3, dtype=torch.{d})",
    "torch.logspace(0, {v}, 3, dtype=torch.{d})", "x * {v}", "torch.add(x, x, alpha={v})",
    "torch.where(x > 0, x, {v})", "torch.where(x > 0, {v}, x)", "x.where(x > 0, {v})", "torch.fill(x, {v})",
    "torch.clip(x, {v}, None)", "torch.addr(m, x, x, alpha={v})", "torch.addmv(x, m, x, alpha={v})",
    "torch.addmm(m, m, m, beta={v})", "torch.nn.functional.leaky_relu(x, {v})", "torch.lerp(x, x, {v})",
    "torch.nn.functional.elu(x, {v})", "torch.nn.functional.celu(x, {v})", "torch.celu(x, {v})",
    "torch.nn.functional.hardshrink(x, {v})",
    "torch.nn.functional.hardtanh(x, 0, {v})", "torch.nn.functional.hardtanh(x, {v}, 1)",
    "torch.nn.functional.softshrink(x, {v})",
    "torch.nn.functional.softplus(x, {v})", "torch.nn.functional.softplus(x, threshold={v})",
    "torch.addcdiv(x, x, x, value={v})", "torch.addcmul(x, x, x, value={v})", "x.clone()[0] = {v}",
    "x.clone()[x > 0] = {v}",
)  # fmt: skip


def test_floats_beyond_their_dtype(tmp_path: Path, plugin_cache: Path) -> None:
    """Every call that raises is reported, unless PyTorch's reason is not a dtype that is too small."""
    torch = imported("torch")
    lines, raised = HEADERS["torch"].splitlines(), {}
    for dtype, numbers in NUMBERS.items():
        array = ARRAYS["torch"].format(dtype)
        lines.append(f"def f_{dtype}(x: {array}, m: {array}) -> None:")
        for call in (call.format(v=number, d=dtype) for number in numbers for call in NUMBERS_IN):
            try:
                exec(call, {"torch": torch, **tensors(dtype)})
            except (RuntimeError, OverflowError, ValueError) as error:
                if any(reason in str(error) for reason in OF_NUMBERS):
                    continue
                if any(reason in str(error) for reason in OF_DTYPES):
                    raised[len(lines) + 1] = call
            lines.append(f"    {call}")
    (tmp_path / "stored.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    errors = run_mypy(tmp_path, "stored.py", cache=plugin_cache).errors()
    reported = {error.line for error in errors if error.code == "promo-overflow"}
    assert [lines[line - 1] for line in sorted(reported - raised.keys())] == []
    assert [call for line, call in raised.items() if line not in reported] == []
    assert len(raised) > 100


#: Floats that integers cannot hold, and some that they can; NaN and the infinities have several names.
NO_INTEGERS = (
    *("math.nan", "float('nan')", "math.inf", "-math.inf", "float('-inf')", "1e30", "300.5", "255.9", "-0.9", "-1.5"),
    *("-128.9", "-129.0", "1.5"),
)
#: Reasons that are not a dtype that is too small, and dtypes of less than eight bits, which wrap ints.
OF_OTHERS = ("cannot be greater than max_val", "must not be a floating point", "to int4")
SMALL = ("int2", "uint2", "int4", "uint4")
OWN_NAMES = {"numpy": ("np.nan", "-np.inf"), "jax": ("jnp.nan", "jnp.inf"), "torch": ("torch.nan", "-torch.inf")}


def _is_left_out(call: str) -> bool:
    """Whether a call has a small dtype, or computes the length of a range."""
    return ".arange(" in call or any(f".{name}" in call for name in SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("library", HEADERS)
def test_floats_that_integers_cannot_hold(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    """Exactly the calls that raise because of the float are reported, in the form of an overflow."""
    lines, raised = [*HEADERS[library].splitlines(), "import math"], {}
    for dtype in ("uint8", "int8"):
        values = {**values_of(library, dtype), "math": math}
        array = ARRAYS[library].format(dtype)
        lines.append(f"def f_{dtype}(x: {array}, m: {array}) -> None:")
        for value in (*NO_INTEGERS, *OWN_NAMES.get(library, ())):
            for call in (each.format(v=value, d=dtype) for each in CALLS[library] if not _is_left_out(each)):
                try:
                    exec(call, values)
                except (OverflowError, RuntimeError, ValueError) as error:
                    if any(reason in str(error) for reason in OF_OTHERS):
                        continue
                    raised[len(lines) + 1] = f"{call}: {error}"
                except TypeError:
                    continue
                lines.append(f"    {call}")
    (tmp_path / "floats.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    errors = run_mypy(tmp_path, "floats.py", cache=plugin_cache).errors()
    said = {error.line for error in errors}
    reported = {error.line for error in errors if error.code == "promo-overflow"}
    assert [lines[line - 1] for line in sorted(reported - raised.keys())] == []
    assert [call for line, call in raised.items() if line not in said] == []


def test_every_function_of_the_table_is_called() -> None:
    for library, functions in STORED.items():
        for name in functions:
            # CuPy's are recorded, and checked in tests/other_libraries.
            written = calls_cupy.LITERALS if library == "cupy" else CALLS[library]
            calls_of = (*written, *(NUMBERS_IN if library == "torch" else ()))
            called = "] = {v}" if name == ITEMS and library != "cupy" else f".{name.rpartition('.')[2]}("
            assert any(called in call for call in calls_of), (library, name)


def test_numbers_that_may_fit_are_not_reported(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: ints and dtypes that are not all known."""
    (tmp_path / "program.py").write_text(
        "from typing import Any, Literal\nimport numpy as np\nimport numpy.typing as npt\n"
        "def f(x: npt.NDArray[Any], y: npt.NDArray[np.uint8 | np.int16], n: int, m: Literal[1, 300], d: Any) -> None:\n"
        "    np.full_like(x, 300)\n    np.maximum(y, 300)\n    np.clip(y, -1, 300), np.full(3, n, dtype=np.uint8)\n"
        "    np.full(3, m, dtype=np.uint8)\n    np.array([300], dtype=d)\n    np.uint8(n)\n    np.uint8(m)\n"
        "    np.maximum(y, 70000)\n    np.put(x, 0, 300)\n    y.fill(300)\n    np.clip(y, 300, None)\n"
        "    y.fill(70000)\n"
    )
    errors = run_mypy(tmp_path, "program.py", cache=plugin_cache).errors()
    assert [(error.line, error.code) for error in errors] == [(12, "promo-overflow"), (16, "promo-overflow")]
