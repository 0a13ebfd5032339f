"""Whole programs with classes and helpers, each mistake in them executed: what must mypy report, and where?

A program has functions `main_...` without parameters, which are called one after another. Where one of them raises, or
warns that it is going to raise, mypy reports one error in that statement. A line with `# promised` gives another dtype
than is declared for it, and mypy reports that. Nothing else is reported. Every `reveal_type` is executed.
"""

import inspect
import re
import sys
import traceback
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import Message
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS
from tests.source_lines import statement_around

_PROMISED: Final = "# promised"
_SCALARS: Final = sorted(((spelled, name) for name, spelled in NUMPY_SPELLINGS.items()), key=lambda pair: -len(pair[0]))
#: The dtype argument of an array, or a scalar class. NumPy's indices have 32 bits on some platforms.
_SHOWN: Final = re.compile(r"(?:Array|Tensor|Parameter|Variable)\[(?P<args>[^\[\]]*)\]|scalar:(?P<scalar>\w+)")
_INDEX: Final = "numpy.signedinteger[numpy._typing._nbit_base._32Bit | numpy._typing._nbit_base._64Bit]"


def executed(program: Path) -> tuple[Mapping[int, set[str]], set[int]]:
    """Line of each `reveal_type` -> the dtypes of its values, and the lines where a function raises."""
    seen: dict[int, set[str]] = {}

    def reveal_type(value: Any) -> Any:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        seen.setdefault(frame.f_back.f_lineno, set()).add(_dtype(value))
        return value

    name = program.name.partition(".")[0]
    module = ModuleType(name)
    vars(module)["reveal_type"] = reveal_type
    sys.modules[name] = module  # dataclasses look their module up
    try:
        exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), vars(module))
        mains = [value for key, value in vars(module).items() if key.startswith("main")]
        return seen, {line for main in mains if (line := _raised(main, program)) is not None}
    finally:
        del sys.modules[name]


def _raised(main: Any, program: Path) -> int | None:
    """The line of the program in which a function raises."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
        try:
            main()
        except Exception as error:  # libraries have exceptions of their own
            frames = traceback.extract_tb(error.__traceback__)
            return [frame.lineno for frame in frames if frame.filename == str(program)][-1]
    return None


def _dtype(value: Any) -> str:
    """The dtype of an array or scalar; the name of any other type."""
    dtype = getattr(value, "dtype", None)
    if isinstance(value, np.generic | np.ndarray):
        return parse(value.dtype.name).__name__
    return type(value).__name__ if dtype is None else _named(str(getattr(dtype, "name", dtype)))


def _named(shown: str) -> str:
    """A dtype by the name of its class. Weak dtypes count as strong ones."""
    name = shown.removeprefix("torch.").removeprefix("weak_")
    return "bool_" if name == "bool" else name


def dtypes_shown(typ: str) -> set[str]:
    """The dtypes in a revealed type; the type itself if it has none."""
    typ = typ.replace(_INDEX, "scalar:int64")
    for spelled, name in _SCALARS:
        typ = typ.replace(spelled, f"scalar:{name}")
    typ = re.sub(r"ml_dtypes\.(\w+)", r"scalar:\1", typ)
    found = set()
    for match in _SHOWN.finditer(typ):
        arguments = match["scalar"] or match["args"].partition(",")[0]
        found |= {_named(each.strip().rpartition(".")[2]) for each in arguments.split("|")}
    return found or {typ}


def wrong_types(program: Path, messages: Sequence[Message]) -> dict[int, tuple[set[str], set[str]]]:
    """Line -> the dtypes that mypy shows there and those of the values, where they differ."""
    seen, _ = executed(program)
    shown: dict[int, set[str]] = {}
    for message in messages:
        if message.revealed is not None:
            shown.setdefault(message.line, set()).update(dtypes_shown(message.revealed))
    lines = seen.keys() | shown.keys()
    pairs = {line: (shown.get(line, set()), seen.get(line, set())) for line in lines}
    return {line: (types, values) for line, (types, values) in pairs.items() if types != values}


def wrong_errors(program: Path, messages: Sequence[Message]) -> list[str]:
    """The mistakes that are not reported exactly once, and the errors about correct code."""
    text = program.read_text(encoding="utf-8")
    _, raised = executed(program)
    promised = {number for number, line in enumerate(text.splitlines(), 1) if _PROMISED in line}
    errors = [message for message in messages if message.severity == "error"]
    wrong, mistakes = [], set()
    for line in sorted(raised | promised):
        span = statement_around(text, line)
        mistakes |= set(span)
        found = [error for error in errors if error.line in span]
        wrong += [f"{line}: {[error.text for error in found]}"] if len(found) != 1 else []
    return wrong + [f"{error.line}: {error.text}" for error in errors if error.line not in mistakes]
