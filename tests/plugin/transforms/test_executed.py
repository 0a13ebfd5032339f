"""Programs whose every `reveal_type` is executed: mypy must infer what JAX and PyTorch compute.

In `executed/*.py.txt` each function that takes arrays is a case; `ARGUMENTS` holds its parameters. A function
`refused_...` raises TypeError, RuntimeError or ValueError, and the plugin reports one error in it. The others run
without an error.
"""

import inspect
import re
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import Run
from tests.needed import imported, needs
from tests.plugin.calls import cases
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

PROGRAMS = sorted((Path(__file__).parent / "executed").glob("*.txt"))
REFUSED = "refused_"
#: Name of a program -> the code of the errors in it.
_UNDEFINED = (
    *("layers", "layers_of_objects", "cast_modules", "losses", "derivatives", "derivatives_torch", "numbers_torch"),
    *("derivatives_of_results", "functions_as_values_torch"),
    *("autocast_cpu", "open_results", "predicates"),
)
CODES = dict.fromkeys(_UNDEFINED, "promo-undefined")

Shown = dict[int, str]


def jax_arguments() -> dict[str, Any]:
    """Name of a parameter -> its JAX array."""
    jnp = imported("jax.numpy")
    names = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i8": "int8", "c64": "complex64"}
    vectors = {name: jnp.ones(3, dtype) for name, dtype in names.items()}
    scalars = {f"{name}_0": jnp.ones((), dtype) for name, dtype in names.items()}
    return vectors | scalars | {"weak": jnp.asarray(1.0)}


def torch_arguments() -> dict[str, Any]:
    """Name of a parameter -> its tensor."""
    torch = imported("torch")
    names = {"t32": "float32", "t64": "float64", "t16": "float16", "tb16": "bfloat16", "ti": "int64"}
    return {name: torch.ones(2, 4, dtype=getattr(torch, dtype)) for name, dtype in names.items()}


def numpy_arguments() -> dict[str, Any]:
    """Name of a parameter -> its NumPy array."""
    return {"array": np.arange(3)}


ARGUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "jax": jax_arguments,
    "torch": torch_arguments,
    "numpy": numpy_arguments,
}


def described(value: Any) -> str:
    """The type of a value in mypy's words."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"tuple[{', '.join(map(described, value))}]"
    if isinstance(value, list):
        return f"list[{' | '.join(sorted({described(item) for item in value}))}]"
    if isinstance(value, dict):
        return f"dict[str, {' | '.join(sorted({described(item) for item in value.values()}))}]"
    kind = type(value).__name__
    if kind == "ArrayImpl":
        return f"Array[{'weak_' if value.weak_type else ''}{_name(value.dtype)}]"
    if kind == "ndarray":
        spelled = NUMPY_SPELLINGS[parse(value.dtype.name).__name__]
        return f"numpy.ndarray[tuple[Any, ...], numpy.dtype[{spelled}]]"
    if hasattr(value, "dtype") and kind in ("Tensor", "Parameter"):
        return f"{kind}[{_name(value.dtype)}]"
    return "None" if value is None else kind


def _name(dtype: object) -> str:
    name = str(dtype).removeprefix("torch.")
    return "bool_" if name == "bool" else name


def executed(program: Path) -> tuple[Shown, dict[str, type[BaseException] | None]]:
    """Line of each `reveal_type` -> the types seen there, and function -> the error that it raised."""
    source = program.read_text(encoding="utf-8")
    library = next(name for name in ("jax", "torch", "numpy") if f"import {name}" in source)
    warnings.simplefilter("ignore")  # deprecations of the libraries; pytest restores the filters after the test
    namespace, seen = cases.loaded(program, described)
    arguments = ARGUMENTS[library]()
    raised: dict[str, type[BaseException] | None] = {}
    for name, function in list(namespace.items()):
        parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
        if parameters and set(parameters) <= set(arguments):
            try:
                function(**{parameter: arguments[parameter] for parameter in parameters})
                raised[name] = None
            except (TypeError, RuntimeError, ValueError) as error:
                if not name.startswith(REFUSED):
                    raise
                raised[name] = type(error)
    return seen, raised


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs("jax", "jaxtyping", "equinox", "torch")

    return cache(lambda: cases.copied_and_checked(PROGRAMS, tmp_path_factory.mktemp("executed"), plugin_cache))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_mypy_says_what_the_library_computes(program: Path, check: Callable[[], Run]) -> None:
    messages = [message for message in check().messages if message.file == program.stem]
    seen, raised = executed(program)
    revealed = {message.line: message.revealed for message in messages if message.revealed is not None}
    said = {line: typ.replace("torch.nn.parameter.", "") for line, typ in revealed.items()}
    assert {line: said.get(line) for line in seen} == seen
    assert set(said) == set(seen), "a reveal_type that is not executed"
    starts = _starts(program)
    errors = [(_function_at(message.line, starts), message.code) for message in messages if message.severity == "error"]
    code = CODES.get(program.name.partition(".")[0], "promo-carry")
    refused = [(name, code) for name in raised if name.startswith(REFUSED)]
    assert sorted(errors, key=str) == sorted(refused, key=str), [m for m in messages if m.severity == "error"]
    assert [name for name, error in raised.items() if name.startswith(REFUSED) and error is None] == []


def test_a_wrong_dtype_is_found(tmp_path: Path) -> None:
    """Executed values are distinguished by dtype and weakness, and functions by what they raise."""
    needs("jax")
    program = tmp_path / "wrong.py.txt"
    program.write_text(
        "import jax\n"
        "def shown(f32, weak):\n    reveal_type((f32, weak, [None], {'a': 1.5}))\n"
        "def refused_nothing(f32):\n    pass\n"
        "def refused_rightly(f32):\n    jax.lax.scan(lambda c, x: (c + 1.5, None), 1 > f32[0], f32)\n"
    )
    seen, raised = executed(program)
    assert seen == {3: "tuple[Array[float32], Array[weak_float32], list[None], dict[str, float]]"}
    assert raised == {"shown": None, "refused_nothing": None, "refused_rightly": TypeError}


def _starts(program: Path) -> dict[int, str]:
    lines = program.read_text(encoding="utf-8").splitlines()
    found = ((number, re.match(r"def (\w+)\(", line)) for number, line in enumerate(lines, 1))
    return {number: match[1] for number, match in found if match}


def _function_at(line: int, starts: dict[int, str]) -> str:
    return starts[max(start for start in starts if start <= line)]
