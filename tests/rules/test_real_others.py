"""The rules agree with Dask, array-api-strict, TensorFlow, Paddle and jax.lax if installed: random samples of
operators, dtypes and ranks, executed.
"""

import operator
import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.dtypes import PYTHON_SCALARS
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from tests.needed import imported, needs

pytestmark = pytest.mark.filterwarnings("ignore")

PYTHON = {"py_bool": True, "py_int": 3, "py_float": 3.0, "py_complex": 3j}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")},
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    **{name: getattr(operator, name) for name in ("lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge")},
}
UNARY: dict[str, Callable[[Any], Any]] = {name: getattr(operator, name) for name in ("neg", "pos", "abs", "invert")}
SAMPLE = 500
ROOT = Path(__file__).parents[2]

Make = Callable[[str, tuple[int, ...]], Any]
Skip = Callable[[Exception], bool]


def never(_error: Exception) -> bool:
    return False


def measured(compute: Callable[[], Any], skip: Skip) -> str | None:
    """The dtype of the result, "!" for an exception, None for an exception that is not about dtypes."""
    try:
        result = compute()
        # Python compares objects that no library compares.
        return "!" if isinstance(result, bool) else re.findall(r"\w+", str(result.dtype))[-1]
    except Exception as error:  # each library has its own kinds
        return None if skip(error) else "!"


def told(system: PromotionSystem, operation: str, *operands: Operand) -> str:
    verdict = system.verdict(operation, operands)
    return "!" if isinstance(verdict, str) else verdict.name


def differing(system: PromotionSystem, make: Make, skip: Skip = never) -> list[str]:
    """Sampled questions on which rules and library differ; most of the sample must count."""
    chance = random.Random(system.name)
    names = [dtype.name for dtype in system.dtypes if not dtype.weak]
    found, compared = [], 0
    for _ in range(SAMPLE):
        operation = chance.choice(list(BINARY))
        one, other = chance.sample([*names, *names, *PYTHON], 2)
        if one in PYTHON and other in PYTHON:
            continue
        forms = [Form.ARRAY, Form.ARRAY] if operation == "matmul" else chance.choices([Form.ARRAY, Form.ZERO_D], k=2)
        values = [
            PYTHON[name] if name in PYTHON else make(name, (2, 2) if form is Form.ARRAY else ())
            for name, form in zip((one, other), forms, strict=True)
        ]
        result = measured(partial(BINARY[operation], *values), skip)
        if result is None:
            continue
        compared += 1
        ours = told(system, operation, Operand.of(one, forms[0]), Operand.of(other, forms[1]))
        if ours.removesuffix("*") != result:
            found.append(f"{operation} {one} {other} {[form.value for form in forms]}: {result} -> {ours}")
    for operation, function in UNARY.items():
        for name in names:
            result = measured(partial(function, make(name, (2,))), skip)
            ours = told(system, operation, Operand.of(name))
            if result is not None and ours != result:
                found.append(f"{operation} {name}: {result} -> {ours}")
    assert compared > SAMPLE / 2
    return found


def test_array_api_strict() -> None:
    xp = imported("array_api_strict")

    def make(name: str, shape: tuple[int, ...]) -> object:
        return xp.ones(shape, dtype=getattr(xp, name))

    # It orders a float and a Python complex, which the standard does not.
    found = [row for row in differing(get_system("array-api"), make) if not ("bool ->" in row and "py_complex" in row)]
    assert found == []


def test_dask() -> None:
    da = imported("dask.array")
    import ml_dtypes

    def make(name: str, shape: tuple[int, ...]) -> object:
        # More than one chunk: @ of one chunk sums no products, and keeps the dtype of small integers.
        return da.ones(shape, dtype=getattr(ml_dtypes, name, name), chunks=1)

    assert differing(get_system("dask"), make) == []


def tensorflow_differs() -> list[str]:
    import tensorflow as tf

    def make(name: str, shape: tuple[int, ...]) -> object:
        return tf.ones(shape, name)

    return differing(get_system("tensorflow"), make)


def test_tensorflow() -> None:
    """In a process of its own: TensorFlow may abort it, and then the test tries again."""
    needs("tensorflow")
    program = "from tests.rules.test_real_others import tensorflow_differs; print('differing:', tensorflow_differs())"
    for _ in range(8):
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
        if run.returncode >= 0:
            break
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.split("differing: ")[1].strip() == "[]"


def test_paddle() -> None:
    paddle = imported("paddle")

    def make(name: str, shape: tuple[int, ...]) -> object:
        return paddle.ones(list(shape), dtype="float32").astype(name)

    def no_kernel(error: Exception) -> bool:
        """A kernel for half precision that only the CPU lacks."""
        return isinstance(error, RuntimeError) and "float16" in str(error)

    assert differing(get_system("paddle"), make, no_kernel) == []


LAX: dict[str, str] = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "mod": "rem", "pow": "pow", "matmul": "dot",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "shift_left",
    "rshift": "shift_right_arithmetic", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
    "neg": "neg", "abs": "abs", "invert": "bitwise_not",
}  # fmt: skip


@pytest.mark.parametrize("operation", LAX)
def test_jax_lax(operation: str) -> None:
    jax = imported("jax")
    from jax import numpy as jnp

    system = get_system("jax-lax")
    function = getattr(jax.lax, LAX[operation])
    names = [dtype.name for dtype in system.dtypes]
    weak = {"int64*": 1, "float64*": 1.0, "complex128*": 1j}
    chance = random.Random(operation)
    # Equal dtypes, which compute something, and a sample of unequal ones.
    pairs = [(name, name) for name in names] + [tuple(chance.sample(names, 2)) for _ in range(15)]
    questions = [(name,) for name in names] if operation in ("neg", "abs", "invert") else pairs
    with jax.enable_x64(True):
        arrays = {n: jnp.broadcast_to(jnp.asarray(weak[n]), (2,)) if n in weak else jnp.ones(2, n) for n in names}
        for question in questions:
            try:
                result = jax.eval_shape(lambda q=question: function(*(arrays[name] for name in q)))
                star = "*" if result.weak_type and result.dtype != bool else ""
                theirs = result.dtype.name + star
            except TypeError:
                theirs = "!"
            assert told(system, operation, *(Operand.of(name) for name in question)) == theirs, question


def test_python_scalars_are_those_of_the_rules() -> None:
    assert PYTHON.keys() == PYTHON_SCALARS.keys()
