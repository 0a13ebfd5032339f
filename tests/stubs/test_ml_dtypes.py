"""The stubs of ml_dtypes agree with ml_dtypes itself: every name, every operator, every limit, by execution."""

import operator
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

STUBS = Path(__file__).parents[2] / "stubs"

FLOATS = [name for name in ml_dtypes.__all__ if name.startswith(("float", "bfloat"))]
COMPLEX = [name for name in ml_dtypes.__all__ if name.endswith("complex32")]
INTEGERS = [name for name in ml_dtypes.__all__ if name.startswith(("int", "uint"))]
SCALARS = FLOATS + COMPLEX + INTEGERS

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, ">=": operator.ge,
}  # fmt: skip  # a table
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "abs": abs, "~": operator.invert}
PYTHON_OPERANDS = {"True": True, "np.bool(True)": np.bool(True), "1": 1, "1.5": 1.5, "1j": 1j}
NUMPY_OPERANDS = {
    f"np.{name}(1)": getattr(np, name)(1)
    for name in ("int8", "uint8", "int64", "float16", "float32", "float64", "complex64", "complex128")
}

HEADER = "from typing import assert_type\nimport ml_dtypes\nimport numpy as np\n"


def mypy(tool: str, folder: Path, *arguments: str) -> str:
    """The output of a mypy tool for the stubs of this checkout."""
    env = os.environ | {"PYTHONPATH": str(STUBS)}
    run = subprocess.run([sys.executable, "-m", tool, *arguments], cwd=folder, env=env, capture_output=True, text=True)
    return run.stdout + run.stderr


def spelled(value: object) -> str:
    """The type of a value as source code."""
    if isinstance(value, tuple):
        return f"tuple[{', '.join(map(spelled, value))}]"
    kind = type(value)
    return f"{'np' if kind.__module__ == 'numpy' else kind.__module__}.{kind.__name__}"


def check(expression: str, compute: Callable[..., object], *operands: object, exact: bool = True) -> str:
    """A line that mypy accepts exactly if it agrees with the result or the exception of the computation."""
    try:
        with np.errstate(all="ignore"):
            result = compute(*operands)
    except TypeError:
        return f"{expression}  # type: ignore[operator]"
    except ValueError:  # int1 holds -1 and 0: its 1 is a negative exponent
        return expression
    return f"assert_type({expression}, {spelled(result)})" if exact else expression


def operator_lines(name: str) -> list[str]:
    scalar = getattr(ml_dtypes, name)(1)
    lines = [f"x = ml_dtypes.{name}(1)"]
    for text, other in {"x": scalar, **PYTHON_OPERANDS, **NUMPY_OPERANDS}.items():
        exact = text not in NUMPY_OPERANDS
        for sign, function in BINARY.items():
            lines.append(check(f"x {sign} {text}", function, scalar, other, exact=exact))
            lines.append(check(f"{text} {sign} x", function, other, scalar, exact=exact))
        lines.append(check(f"divmod(x, {text})", divmod, scalar, other, exact=exact))
        lines.append(check(f"divmod({text}, x)", divmod, other, scalar, exact=exact))
    lines += [check(f"{sign}(x)", function, scalar) for sign, function in UNARY.items()]
    lines += [check(f"x.{part}", operator.attrgetter(part), scalar) for part in ("real", "imag")]
    lines.append(f"assert_type(x.item(), {type(scalar.item()).__name__})")
    lines.append(f"assert_type(x.dtype, np.dtype[ml_dtypes.{name}])")
    return lines


# finfo holds a Python float for these, by an oversight of ml_dtypes 0.6: the stubs follow the rule.
FLOAT_LIMITS = {
    (name, field) for name in FLOATS if name.startswith(("float4", "float6")) for field in ("eps", "epsneg")
}


def limit_lines(name: str) -> list[str]:
    kind = getattr(ml_dtypes, name)
    if name in INTEGERS:
        return [f"assert_type(ml_dtypes.iinfo(ml_dtypes.{name}).max, {type(ml_dtypes.iinfo(kind).max).__name__})"]
    limits = ml_dtypes.finfo(kind)
    fields = ("max", "min", "eps", "tiny", "smallest_normal", "smallest_subnormal", "epsneg", "resolution", "bits")
    lines = [
        f"assert_type(ml_dtypes.finfo({argument}).{field}, {spelled(getattr(limits, field)).removeprefix('builtins.')})"
        for field in fields
        for argument in (f"ml_dtypes.{name}", f"np.dtype(ml_dtypes.{name})", f"ml_dtypes.{name}(1)")
        if (name, field) not in FLOAT_LIMITS
    ]
    return [*lines, f"assert_type(ml_dtypes.finfo(ml_dtypes.{name}).dtype, np.dtype[{spelled(limits.max)}])"]


@pytest.mark.slow
def test_operators_and_limits_are_those_of_the_run_time(tmp_path: Path) -> None:
    """One file per type, all in one run; no output means agreement, since unused ignores are errors."""
    for name in SCALARS:
        lines = [*operator_lines(name), *limit_lines(name)]
        (tmp_path / f"scalar_{name}.py").write_text(HEADER + "\n".join(lines) + "\n")
    output = mypy("mypy", tmp_path, "--strict", ".")
    assert output == f"Success: no issues found in {len(SCALARS)} source files\n"


def test_arrays_carry_the_type(tmp_path: Path) -> None:
    """Without the stubs the first function would have no error: its annotation would be Any."""
    (tmp_path / "arrays.py").write_text(
        HEADER
        + "from numpy.typing import NDArray\n"
        + "def widen(x: NDArray[ml_dtypes.bfloat16]) -> NDArray[np.float32]:\n    return x\n"
        + "def same(x: NDArray[ml_dtypes.int4]) -> NDArray[ml_dtypes.int4]:\n    return x[1:]\n"
        + "assert_type(np.zeros(3, ml_dtypes.float8_e5m2).dtype, np.dtype[ml_dtypes.float8_e5m2])\n"
        + "assert_type(ml_dtypes.real(np.zeros(3, ml_dtypes.complex32)), NDArray[np.float16])\n"
    )
    output = mypy("mypy", tmp_path, "--strict", "arrays.py")
    assert output.startswith("arrays.py:6: error: Incompatible return value type")
    assert "ndarray[tuple[Any, ...], dtype[bfloat16]]" in output
    assert output.endswith("Found 1 error in 1 file (checked 1 source file)\n")


@pytest.mark.parametrize("name", SCALARS)
def test_a_scalar_type_is_a_direct_subclass_of_generic(name: str) -> None:
    assert getattr(ml_dtypes, name).__bases__ == (np.generic,)


@pytest.mark.slow
def test_stubtest_finds_no_difference(tmp_path: Path) -> None:
    assert mypy("mypy.stubtest", tmp_path, "ml_dtypes") == "Success: no issues found in 4 modules\n"
