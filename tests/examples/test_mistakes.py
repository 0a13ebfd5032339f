"""The deliberate mistakes: mypy's report is the committed one, and execution confirms what each line of it claims."""

import ast
import inspect
import re
import runpy
import shutil
import typing
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.examples.agreement import dtype_named
from tests.mypy_runs import ROOT, Message, Run, parse, run_mypy
from tests.needed import installed, needs

MISTAKES = ROOT / "examples" / "mistakes"
REPORT = MISTAKES / "report.txt"
NEEDS = {"images": (), "model": ("jax", "jaxtyping"), "training": ("torch", "jaxtyping")}
#: Reported because the line above it is: a rejected operation has no known result.
RAISES = {"promo-undefined", "promo-overflow", "promo-inplace", "promo-carry"}


@dataclass(frozen=True)
class Call:
    """A call of a function; `exact` is the first element of the result if nothing is lost."""

    arguments: Sequence[tuple[str, Sequence[object] | int | bool]]
    exact: float | None = None


@dataclass(frozen=True)
class Execution:
    """The outcome of a call."""

    call: Call
    result: Any
    dtype: str


WHOLE = 2**24 + 1  # the first integer that float32 cannot hold
CALLS: dict[str, dict[str, Call]] = {
    "images": {
        "normalise": Call([("uint8", [3, 4])]),
        "brighten": Call([("uint8", [3, 4])]),
        "fade": Call([("uint8", [3, 4])]),
        "difference": Call([("bool", [True, False]), ("bool", [True, True])]),
        "shift": Call([("uint64", [2**64 - 1]), ("int64", [-1])], exact=2**64 - 2),
        "exposure": Call([("float32", [0.5]), ("int32", [3])]),
        "offset": Call([("float16", [1.0])], exact=70001),
        "total": Call([("float16", [1.0]), ("int8", [2]), ("uint8", [3])]),
        "compare": Call([("uint8", [3, 4, 5])]),
        "change": Call([("uint8", [4]), ("uint8", [3])], exact=-1),
        "mark": Call([("uint8", [3]), ("bool", [True])], exact=0.7),
    },
    "model": {
        "descend": Call([("bfloat16", [0.5]), ("float32", [0.5])]),
        "mean": Call([("int32", [WHOLE]), ("int32", 1)], exact=WHOLE),
        "exact": Call([("float32", [0.5])]),
        "mix": Call([("float16", [0.5]), ("bfloat16", [0.5])]),
        "index": Call([("float32", [0.0]), ("int32", [WHOLE])], exact=WHOLE),
        "toggle": Call([("bool", [True]), ("bool", [False])]),
        "scale": Call([("float32", [0.5]), ("int32", [1])]),
        "total": Call([("float32", [0.5]), ("bfloat16", 1)]),
        "use": Call([("float16", [0.5]), ("int32", 2)]),
    },
    "training": {
        "forward": Call([("bfloat16", [[0.5, 1.0]]), ("float32", [0.5, 1.0])]),
        "scale": Call([("bfloat16", [[0.5, 1.0]]), ("float32", [0.5, 1.0])]),
        "accumulate": Call([("int64", [1]), ("float32", [0.5])]),
        "flip": Call([("bool", [True])]),
        "narrow": Call([("uint8", [200]), ("int64", [100])]),
        "blend": Call([("float16", [0.5]), ("bfloat16", [0.5])]),
        "evaluate": Call([("float32", [[0.5, 1.0]]), ("float32", [0.5, 1.0])]),
    },
}
CASES = [(module, function) for module, calls in CALLS.items() for function in calls]
ANNOTATIONS_ONLY = {("model", "load")}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("mistakes")
    here = folder / MISTAKES.relative_to(ROOT)
    here.mkdir(parents=True)
    for module in (name for name, libraries in NEEDS.items() if installed(*libraries)):
        shutil.copy(MISTAKES / f"{module}.py", here)
    return run_mypy(folder, str(here.relative_to(folder)), cache=plugin_cache)


def _lines(output: str, module: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith(f"examples/mistakes/{module}.py:")]


@pytest.mark.parametrize("module", NEEDS)
def test_the_report_is_mypys_output(module: str, run: Run) -> None:
    needs(*NEEDS[module])
    # A deliberate change: mypy examples/mistakes > examples/mistakes/report.txt
    assert _lines(run.output, module) == _lines(REPORT.read_text(encoding="utf-8"), module)


def test_the_report_is_complete() -> None:
    text = REPORT.read_text(encoding="utf-8")
    errors = parse(text)
    assert {file.stem for file in MISTAKES.glob("*.py")} == set(NEEDS)
    assert text.splitlines()[-1] == f"Found {len(errors)} errors in 3 files (checked 3 source files)"
    assert len(text.splitlines()) == len(errors) + 1
    blamed = {(module, _function_at(module, error.line)) for module in NEEDS for error in _errors(module)}
    assert blamed == {*CASES, *ANNOTATIONS_ONLY}
    assert {error.code for error in errors if error.code and error.code.startswith("promo-")} == _every_code()


def _every_code() -> set[str]:
    from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, ONLY_CHECK

    # The mistakes are checked without options, and none of them is an internal error. A mismatch has mypy's own codes.
    everything = {diagnostic.code for diagnostic in DIAGNOSTICS if diagnostic.option is None}
    return everything - {"promo-failure", *ONLY_CHECK}


@pytest.mark.parametrize(("module", "function"), CASES)
def test_execution_confirms_the_report(module: str, function: str) -> None:
    needs(*NEEDS[module])
    mistake = _namespace(module)[function]
    call = CALLS[module][function]
    arguments = [_array(module, dtype, values) for dtype, values in call.arguments]
    hints = list(inspect.unwrap(mistake).__annotations__.values())
    assert all(map(_is, arguments, hints[:-1]))
    reported = [error for error in _errors(module) if _function_at(module, error.line) == function]
    if RAISES & {error.code for error in reported}:
        with pytest.raises((TypeError, OverflowError, RuntimeError, ValueError)) as raised:
            mistake(*arguments)
        # The library rejects the dtypes, not something else: shapes, devices.
        assert re.search(r"dtype|cast|bounds|bool|Bool", str(raised.value)), raised.value
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # float16 overflows, JAX truncates a cast to float64: on purpose
        result = mistake(*arguments)
    if function != "evaluate":  # its mistake is the argument that it passes on
        assert not _is(result, hints[-1]) or {error.code for error in reported} != {"return-value"}
    for error in reported:
        _CONFIRM[error.code or ""](error.text, Execution(call, result, _dtype(result)))


def test_one_array_cannot_be_both() -> None:
    """`load`: the dtype that jaxtyping accepts is not that of NumPy's annotation, and the other way round."""
    needs(*NEEDS["model"])
    hint = _namespace("model")["load"].__annotations__["table"]
    assert isinstance(np.ones(3, np.float32), hint)
    assert not isinstance(np.ones(3, np.float64), hint)


def _returned(text: str, run: Execution) -> None:
    got = re.fullmatch(r'Incompatible return value type \(got "(.*)", expected "(.*)"\)', text)
    assert got is not None
    assert [_short(typ) for typ in got.groups()] == [run.dtype, _short(got[2])]
    assert _short(got[2]) != run.dtype


def _widened(text: str, run: Execution) -> None:
    found = re.search(r"widens to (\w+) .* (\d+) bytes per element instead of (\d+);", text)
    assert found is not None
    before = max(_size(each) for each, _ in run.call.arguments)
    assert found.groups() == (run.dtype, str(_size(run.dtype)), str(before))


def _rounded(text: str, run: Execution) -> None:
    found = re.search(r" is (\w+) under ", text)
    assert found is not None
    assert found[1] == run.dtype
    assert run.call.exact is not None
    assert float(run.result[0]) != run.call.exact


def _lost(_text: str, run: Execution) -> None:
    assert float(run.result[0]) != run.call.exact


def _grouped(text: str, run: Execution) -> None:
    found = re.search(r": (\w+) as written, (\w+) otherwise;", text)
    assert found is not None
    first, second, third = (np.array(values, each) for each, values in run.call.arguments)
    assert found.groups() == (run.dtype, str((first + (second + third)).dtype))


def _passed(text: str, run: Execution) -> None:
    found = re.fullmatch(r'Argument 1 to "\w+" has incompatible type "(.*)"; expected "(.*)"', text)
    assert found is not None
    assert _short(found[1]) == run.call.arguments[0][0] != _short(found[2])


def _truncated(text: str, run: Execution) -> None:
    found = re.match(r"JAX makes this (\w+) because it has no (\w+) |JAX has no (\w+) arrays ", text)
    assert found is not None
    assert found[1] in (None, run.dtype)
    assert run.dtype != (found[2] or found[3])


_CONFIRM: dict[str, Callable[[str, Execution], None]] = {
    "return-value": _returned,
    "arg-type": _passed,
    "promo-widening": _widened,
    "promo-precision": _rounded,
    "promo-nonassociative": _grouped,
    "promo-wrapping": _lost,
    "promo-write": _lost,
    "promo-truncation": _truncated,
}


def _short(typ: str) -> str | None:
    """The dtype in a type as errors spell it, without the modules that `reveal_type` names."""
    return dtype_named(
        re.sub(r"^ndarray\[(.*), dtype\[(?:numpy\.)?(.*)$", r"numpy.ndarray[\1, numpy.dtype[numpy.\2", typ)
    )


def _size(dtype: str) -> int:
    return 2 if dtype == "bfloat16" else np.dtype(dtype).itemsize


def _dtype(array: Any) -> str:
    return str(array.dtype).removeprefix("torch.")


def _is(value: Any, hint: Any) -> bool:
    """Whether an array has the dtype of its annotation, jaxtyping's or NumPy's."""
    if typing.get_origin(hint) is np.ndarray:
        (scalar,) = typing.get_args(typing.get_args(hint)[1])
        return bool(value.dtype == scalar)
    return isinstance(value, hint)


def _array(module: str, dtype: str, values: object) -> Any:
    if module == "images":
        return np.array(values, dtype)
    if module == "model":
        from jax import numpy as jnp

        return jnp.array(values, dtype)
    import torch

    return torch.tensor(values, dtype=getattr(torch, dtype))


@cache
def _namespace(module: str) -> dict[str, Any]:
    return runpy.run_path(str(MISTAKES / f"{module}.py"))


def _errors(module: str) -> list[Message]:
    messages = parse(REPORT.read_text(encoding="utf-8"))
    return [message for message in messages if message.file == f"examples/mistakes/{module}.py"]


def _function_at(module: str, line: int) -> str:
    tree = ast.parse((MISTAKES / f"{module}.py").read_text(encoding="utf-8"))
    (name,) = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return name
