"""Elements, indices and indexed writes: every `reveal_type` is executed, and so is every mistake.

In `*.py.txt` each function whose parameters are all in `ARGUMENTS` is a case. A function `refused_...` raises, or warns
that it is going to raise, and the plugin reports one error in it. A function `promised_...` returns another dtype than it
declares, and mypy reports that. Nothing is reported in the others, which run.
"""

import inspect
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import Message, Run, run_mypy
from tests.needed import imported, needs
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

PROGRAMS: Final = sorted(Path(__file__).parent.glob("*.txt"))
CODES: Final = {
    "refused": {"promo-undefined", "promo-inplace", "promo-overflow", "assignment"},
    "promised": {"return-value"},
}
ERRORS: Final = (TypeError, RuntimeError, IndexError, OverflowError, ValueError, FutureWarning)
#: Names of parameters -> dtypes of vectors, or of 0-d arrays and matrices with these endings.
DTYPES: Final = {
    "f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "c64": "complex64", "mask": "bool",
}  # fmt: skip
SHAPES: Final = {"": (3,), "_0": (), "_2": (3, 3)}
NUMBERS: Final = {"n": 2, "size": 2.5, "flag": True}


def _arrays(make: Callable[[tuple[int, ...], str], Any]) -> dict[str, Any]:
    made = {name + end: make(shape, dtype) for name, dtype in DTYPES.items() for end, shape in SHAPES.items()}
    return made | NUMBERS


def arguments(library: str) -> dict[str, Any]:
    """Name of a parameter -> its value, an array of ones."""
    if library == "numpy":
        return _arrays(np.ones)
    if library == "torch":
        torch = imported("torch")
        return _arrays(lambda shape, dtype: torch.ones(shape, dtype=getattr(torch, dtype)))
    jnp = imported("jax.numpy")
    narrow = {"float64": "float32", "int64": "int32"}
    return _arrays(lambda shape, dtype: jnp.ones(shape, narrow.get(dtype, dtype)))


def spellings(value: Any) -> set[str]:
    """The types that mypy may show for a value: a scalar of unknown rank is shown as an array."""
    kind = type(value).__name__
    if isinstance(value, np.generic | np.ndarray):
        scalar = NUMPY_SPELLINGS[parse(value.dtype.name).__name__]
        array = f"numpy.ndarray[tuple[Any, ...], numpy.dtype[{scalar}]]"
        return {array} if isinstance(value, np.ndarray) else {array, scalar}
    if hasattr(value, "dtype"):
        name = str(value.dtype).removeprefix("torch.").replace("bool", "bool_")
        weak = "weak_" if getattr(value, "weak_type", False) else ""
        return {f"{'Array' if kind == 'ArrayImpl' else kind}[{weak}{name}]"}
    return {kind}


def executed(program: Path) -> tuple[dict[int, set[str]], dict[str, bool]]:
    """Line of each `reveal_type` -> the types that mypy may show there, and function -> whether it raised."""
    source = program.read_text(encoding="utf-8")
    seen: dict[int, set[str]] = {}

    def reveal_type(value: Any) -> Any:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        seen[frame.f_back.f_lineno] = spellings(value)
        return value

    namespace: dict[str, Any] = {"reveal_type": reveal_type, "__name__": program.stem.partition(".")[0]}
    exec(compile(source, str(program), "exec"), namespace)
    library = next(name for name in ("jax", "torch", "numpy") if f"import {name}" in source)
    raised = {}
    for name, function in list(namespace.items()):
        parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
        given = arguments(library)  # new ones, as functions write into them
        if not parameters or not set(parameters) <= set(given):
            continue
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore")
            warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
            try:
                function(**{parameter: given[parameter] for parameter in parameters})
                raised[name] = False
            except ERRORS:
                if not name.startswith("refused"):
                    raise
                raised[name] = True
    return seen, raised


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs("jax", "jaxtyping", "torch")

    @cache
    def run() -> Run:
        folder = tmp_path_factory.mktemp("elements")
        for program in PROGRAMS:
            (folder / program.stem).write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
        return run_mypy(folder, ".", cache=plugin_cache)

    return run


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_types_are_those_of_the_values(program: Path, check: Callable[[], Run]) -> None:
    messages = [message for message in check().messages if message.file == program.stem]
    seen, _ = executed(program)
    shown = {message.line: message.revealed for message in messages if message.revealed is not None}
    assert {line: shown.get(line) for line, types in seen.items() if shown.get(line) not in types} == {}
    assert shown.keys() == seen.keys(), "a reveal_type that is not executed"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_what_raises_is_reported(program: Path, check: Callable[[], Run]) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    starts = {n: line[4:].partition("(")[0] for n, line in enumerate(lines, 1) if line.startswith("def ")}
    _, raised = executed(program)
    errors: dict[str, list[Message]] = {name: [] for name in raised}
    for message in check().messages:
        if message.file == program.stem and message.severity == "error":
            errors[starts[max(start for start in starts if start <= message.line)]].append(message)
    for name, found in errors.items():
        codes = CODES.get(name.partition("_")[0], set())
        assert len(found) == (1 if codes else 0), (name, found)
        assert {message.code for message in found} <= codes, (name, found)
        assert raised[name] is name.startswith("refused"), name


def test_there_are_many_cases_of_each_kind() -> None:
    names = [name for program in PROGRAMS for name in executed(program)[1]]
    assert len([name for name in names if name.startswith("refused_index")]) >= 20
    assert len([name for name in names if name.startswith("refused_write")]) >= 20
    assert len([name for name in names if name.startswith(("refused_element", "promised"))]) >= 20
