"""Programs whose functions are cases: each is executed with arrays of ones, and compared with mypy's messages.

Each function whose parameters all have names of `DTYPES` or `NUMBERS` is a case. A function `refused_...` raises, or
warns that it is going to raise, and the plugin reports one error in it. A function `promised_...` returns, stores or
passes on another dtype than is declared, and mypy reports that. Nothing is reported in the others, which run. Every
`reveal_type` is executed.
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import Message, Run, run_mypy
from tests.needed import imported
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

CODES: Final = {
    "refused": {"promo-undefined", "promo-inplace", "promo-overflow", "assignment"},
    "promised": {"return-value", "assignment", "arg-type", "typeddict-item", "list-item", "dict-item"},
}
ERRORS: Final[tuple[type[Exception], ...]] = (
    TypeError,
    RuntimeError,
    IndexError,
    OverflowError,
    ValueError,
    FutureWarning,
)
#: Names of parameters -> dtypes of vectors, or of 0-d arrays, matrices and cubes with these endings.
DTYPES: Final = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "mask": "bool",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
}  # fmt: skip
SHAPES: Final = {"": (3,), "_0": (), "_2": (3, 3), "_3": (3, 3, 3)}
NUMBERS: Final = {"n": 2, "size": 2.5, "flag": True}
LIBRARIES: Final = ("tensorflow", "jax", "torch", "numpy")
#: JAX has these dtypes where its 64-bit dtypes are on.
_NARROW: Final = {"float64": "float32", "int64": "int32"}

Seen = Mapping[int, set[str]]
Described = TypeVar("Described")


def copied_and_checked(programs: Iterable[Path], folder: Path, cache: Path) -> Run:
    """Run mypy over copies of the programs."""
    for program in programs:
        (folder / program.stem).write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    return run_mypy(folder, ".", cache=cache)


def check_types(program: Path, messages: Sequence[Message]) -> None:
    """Assert that mypy shows for every `reveal_type` what is executed there."""
    seen, _ = executed(program)
    shown = {each.line: each.revealed for each in messages if each.file == program.stem and each.revealed is not None}
    wrong = {line: (shown.get(line), types) for line, types in seen.items() if shown.get(line) not in types}
    assert not wrong, wrong
    assert shown.keys() == seen.keys(), "a reveal_type that is not executed"


def check_errors(program: Path, messages: Sequence[Message]) -> None:
    """Assert that mypy reports what raises and what has another dtype than it declares, and nothing else."""
    lines = program.read_text(encoding="utf-8").splitlines()
    starts = {n: line[4:].partition("(")[0] for n, line in enumerate(lines, 1) if line.startswith("def ")}
    _, raised = executed(program)
    errors: dict[str, list[Message]] = {name: [] for name in raised}
    for message in messages:
        if message.file == program.stem and message.severity == "error":
            errors[starts[max(start for start in starts if start <= message.line)]].append(message)
    for name, found in errors.items():
        codes = CODES.get(name.partition("_")[0], set())
        assert len(found) == (1 if codes else 0), (name, found)
        assert {message.code for message in found} <= codes, (name, found)
        assert raised[name] is name.startswith("refused"), name


def library_of(program: Path) -> str:
    """The library of a program: the first that it imports."""
    source = program.read_text(encoding="utf-8")
    return next(name for name in LIBRARIES if f"import {name}" in source)


def executed(program: Path) -> tuple[Seen, dict[str, bool]]:
    """Line of each `reveal_type` -> the types that mypy may show there, and function -> whether it raised."""
    namespace, seen = loaded(program, spellings)
    library = library_of(program)
    raised = {}
    for name, function in list(namespace.items()):
        parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
        if not parameters or not all(map(_is_known, parameters)):
            continue
        given = {parameter: argument(parameter, library) for parameter in parameters}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore")
            warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
            try:
                function(**given)
                raised[name] = False
            except _errors(library):
                if not name.startswith("refused"):
                    raise
                raised[name] = True
    return seen, raised


def loaded(program: Path, described: Callable[[Any], Described]) -> tuple[dict[str, Any], dict[int, Described]]:
    """The names of a program once it is executed, and the description of each value that it reveals, by line.

    Functions that are called later add theirs.
    """
    seen: dict[int, Described] = {}

    def reveal_type(value: Any) -> Any:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        seen[frame.f_back.f_lineno] = described(value)
        return value

    namespace: dict[str, Any] = {"reveal_type": reveal_type, "__name__": program.stem.partition(".")[0]}
    exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), namespace)
    return namespace, seen


def _errors(library: str) -> tuple[type[Exception], ...]:
    return (*ERRORS, imported(library).errors.InvalidArgumentError) if library == "tensorflow" else ERRORS


def argument(name: str, library: str) -> Any:
    """The value of a parameter: a number, or a new array of ones, as functions write into them."""
    if name in NUMBERS:
        return NUMBERS[name]
    dtype, shape = _array(name)
    if library == "numpy":
        return np.ones(shape, dtype)
    if library in ("torch", "tensorflow"):
        module = imported(library)
        return module.ones(shape, dtype=getattr(module, dtype))
    return imported("jax.numpy").ones(shape, _NARROW.get(dtype, dtype))


def _is_known(name: str) -> bool:
    return name in NUMBERS or (name.partition("_")[0] in DTYPES and name.removeprefix(name.partition("_")[0]) in SHAPES)


def _array(name: str) -> tuple[str, tuple[int, ...]]:
    base = name.partition("_")[0]
    return DTYPES[base], SHAPES[name.removeprefix(base)]


def spellings(value: Any) -> set[str]:
    """The types that mypy may show for a value: a scalar of unknown rank is shown as an array."""
    kind = type(value).__name__
    if isinstance(value, np.generic | np.ndarray):
        scalar = NUMPY_SPELLINGS[parse(value.dtype.name).__name__]
        array = f"numpy.ndarray[tuple[Any, ...], numpy.dtype[{scalar}]]"
        return {array} if isinstance(value, np.ndarray) else {array, scalar}
    if hasattr(value, "dtype"):
        name = getattr(value.dtype, "name", str(value.dtype)).removeprefix("torch.").replace("bool", "bool_")
        weak = "weak_" if getattr(value, "weak_type", False) else ""
        shown = {"ArrayImpl": "Array", "EagerTensor": "Tensor"}.get(kind, kind)
        return {f"{shown}[{weak}{name}]"}
    return {kind}
