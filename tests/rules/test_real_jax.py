"""The rules agree with the installed JAX, by abstract evaluation: a random sample of operators and dtypes."""

import contextlib
import operator
import random
from collections.abc import Callable, Iterator

import pytest

from promo_mypy.rules.dtypes import ORDINARY, PYTHON_SCALARS, SMALL
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.systems.jax import OPERATIONS
from tests.needed import imported

jax = imported("jax")

from jax import numpy as jnp  # noqa: E402 (only if it is there)

# Narrow dtypes warn about truncation, and JAX about its own internals.
pytestmark = pytest.mark.filterwarnings("ignore")

PYTHON = {"py_bool": True, "py_int": 3, "py_float": 3.0, "py_complex": 3j}
UNARY = ("neg", "pos", "abs", "invert")
SPELLED = {"and": operator.and_, "or": operator.or_, "divmod": divmod}
BINARY = {name: SPELLED.get(name) or getattr(operator, name) for name in OPERATIONS if name not in UNARY}
WEAK = {"jax-x32": ("int32*", "float32*", "complex64*")}
# XLA has no float6; JAX 0.10 mixes up the identities of bool, int1 and uint1.
ABSENT = {"int1", "uint1", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn_x2"}
SAMPLE = 300


@contextlib.contextmanager
def configured(name: str) -> Iterator[None]:
    promotion = "strict" if name == "jax-strict" else "standard"
    with jax.enable_x64(name != "jax-x32"), jax.numpy_dtype_promotion(promotion):
        yield


def array(name: str, shape: tuple[int, ...]) -> object:
    if name in PYTHON:
        return PYTHON[name]
    if name.endswith("*"):
        return jnp.broadcast_to(jnp.asarray({"i": 1, "f": 1.0, "c": 1j}[name[0]]), shape)
    return jnp.ones(shape, name)


def measured(function: Callable[..., object], values: list[object]) -> str:
    """The dtype of the result, with a star if it is weak and not bool; "!" for an exception."""
    try:
        result = jax.eval_shape(lambda: function(*values))
    except (TypeError, ValueError, AssertionError):  # the last one from keys @ keys
        return "!"
    results = result if isinstance(result, tuple) else (result,)
    star = {True: "*", False: ""}
    return "|".join({one.dtype.name + star[one.weak_type and one.dtype != bool] for one in results})


def names_of(system: str) -> list[str]:
    small = [dtype.name for dtype in SMALL if dtype.name not in ABSENT]
    return [*(d.name for d in ORDINARY), *WEAK.get(system, ("int64*", "float64*", "complex128*")), *small, *PYTHON]


@pytest.mark.parametrize("name", ["jax", "jax-x32", "jax-strict"])
def test_operators(name: str) -> None:
    system = get_system(name)
    chance = random.Random(name)
    names = names_of(name)
    differ = []
    with configured(name):
        for _ in range(SAMPLE):
            operation, pair = chance.choice(list(BINARY)), chance.choices(names, k=2)
            if set(pair) <= PYTHON.keys():
                continue
            result = measured(BINARY[operation], [array(one, (2, 2)) for one in pair])
            answer = system.verdict(operation, tuple(Operand.of(one) for one in pair))
            told = "!" if isinstance(answer, str) else answer.name
            if told != result:
                differ.append(f"{operation} {pair}: {result} -> {told}")
    assert differ == []


@pytest.mark.parametrize("name", ["jax", "jax-x32", "jax-strict"])
def test_unary_operators(name: str) -> None:
    system = get_system(name)
    differ = []
    with configured(name):
        for operation in UNARY:
            for one in names_of(name):
                if one in PYTHON:
                    continue
                answer = system.verdict(operation, (Operand.of(one),))
                told = "!" if isinstance(answer, str) else answer.name
                result = measured(getattr(operator, operation), [array(one, (2,))])
                if told != result:
                    differ.append(f"{operation} {one}: {result} -> {told}")
    assert differ == []


def test_random_keys_are_only_compared() -> None:
    keys = jax.random.split(jax.random.key(0), 2)
    system = get_system("jax")
    for operation in (*BINARY, *UNARY):
        operands = (Operand.of("key"),) * (1 if operation in UNARY else 2)
        function = getattr(operator, operation) if operation in UNARY else BINARY[operation]
        answer = system.verdict(operation, operands)
        result = measured(function, [keys] * len(operands)).replace("key<fry>", "key")
        assert result == ("!" if isinstance(answer, str) else answer.name), operation


def test_python_scalars_are_those_of_the_rules() -> None:
    assert PYTHON.keys() == PYTHON_SCALARS.keys()
