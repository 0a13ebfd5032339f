"""JAX's registry agrees with the installed JAX, by abstract evaluation with x64 on.

Functions of two arrays are tried on the pairs of PAIRS; PROMO_ALL_PAIRS=1 tries every pair (minutes). Differences
are listed with their reasons; each must occur. The report is printed.
"""

import os
import warnings
from collections.abc import Iterator
from functools import cache
from types import CodeType

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import library, resolve_call
from promo_mypy.rules.functions.language.arguments import Arguments, Value
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.functions.jax.calls import CALLS, METHODS, NOT_CALLED
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, calls_of, written

jax = imported("jax")

from jax import numpy as jnp  # noqa: E402 (only if it is there)

# Narrowing dtypes warns, complex parts are lost, and JAX warns about itself.
pytestmark = pytest.mark.filterwarnings("ignore")

LIBRARY = library("jax")
DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
    "float64", "complex64", "complex128", "int64*", "float64*", "complex128*",
)  # fmt: skip
WEAK = {"int64*": 1, "float64*": 1.0, "complex128*": 1j}
#: One dtype of every kind that meets all others, and the pairs where JAX's lattice is not a chain.
MEETING = ("uint8", "float16", "float64*", "complex64", "py_int", "py_float")
ALL = os.environ.get("PROMO_ALL_PAIRS") == "1"

DIFFERENCES = {
    r"(jax\.numpy|x)\.(nan)?arg(max|min)\(x?\) complex.*: int64 -> !": "abstract evaluation says nothing of it: "
    "executed, JAX refuses",
    r"jax\.numpy\.linalg\.\w+\(.*\) .*\b(bfloat16|float16)\b.*: .* -> !": "abstract evaluation says nothing of it: "
    "executed, JAX refuses",
    r"jax\.random\.lognormal\(key, dtype=d\) b?float16: !.*": "the default of sigma is a float32, a number of the "
    "caller none",
    r"jax\.random\.multivariate_normal\(key, x, m, dtype=d\) complex.*: complex.*": "a complex mean makes the result "
    "complex",
    r"x\.argsort\(dtype=d\) .*: !TypeError -> .*": "the method takes no dtype, which mypy reports",
    r"jax\.numpy\.arange\(3, dtype=d\) bool: !.*": "JAX counts no further than two in bools: it depends on the length",
}


def paired(names: tuple[str, ...]) -> bool:
    return ALL or (names[0] in MEETING and names[1] in MEETING) or names[0] == names[1]


@cache  # arrays of JAX are immutable
def value(variable: str, name: str) -> object:
    if variable == "d":
        return jnp.dtype(name)
    if name in NUMBERS:
        return NUMBERS[name]
    shape = (3, 3) if variable in "mn" else (3,)
    return jnp.broadcast_to(jnp.asarray(WEAK[name]), shape) if name in WEAK else jnp.ones(shape, name)


@cache
def _item(name: str) -> object:
    return jnp.asarray(value("x", name))[0]


def item(array: object) -> object:
    """One of its items, which are all equal."""
    return _item(named(array))


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if not hasattr(result, "dtype"):
        number = isinstance(result, bool | int | float | complex)
        return f"py_{type(result).__name__}" if number else str(result)
    if jax.dtypes.issubdtype(result.dtype, jax.dtypes.prng_key):
        return "key"
    weak = getattr(result, "weak_type", False) and result.dtype != bool
    return f"{result.dtype}*" if weak else str(result.dtype)


def measure(code: CodeType, values: dict[str, object]) -> str:
    """Abstract evaluation; results that are not arrays are kept."""
    numbers = []

    def compute() -> object:
        result = eval(code, values)
        if not hasattr(result, "dtype") and not isinstance(result, tuple | list):
            numbers.append(result)
            return None
        return result

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
            result = jax.eval_shape(compute)
    except (TypeError, ValueError, NotImplementedError, OverflowError, IndexError, FutureWarning) as error:
        return f"!{type(error).__name__}"
    return named(numbers[0] if numbers else result)


def laboratory() -> Laboratory:
    """A laboratory with a random key, whose dtype is that of the x64 mode."""
    return Laboratory(
        get_system("jax"), "jax.Array", (("jnp", "jax.numpy"), ("jax", "jax")),
        {"jnp": jnp, "jax": jax, "key": jax.random.key(0)}, DTYPES, value, measure, DIFFERENCES, paired,
    )  # fmt: skip


@pytest.fixture(scope="module")
def report() -> Iterator[Report]:
    with jax.enable_x64(True):
        functions = calls_of(LIBRARY.functions, written(CALLS, "jax."), NOT_CALLED, "jax")
        yield laboratory().report("JAX", functions, written(METHODS).items())


def test_jax_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    report.show(capsys)
    assert report.differences == []
    assert report.rows > 450
    assert report.cells > 10_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0


def test_powers_of_weak_ints_are_unknown() -> None:
    """Without dimensions they are weak if the value is at hand, and strong if it is traced."""
    with jax.enable_x64(True):
        executed = {named(run(lambda x: x.at[...].power(2))(jnp.asarray(2))) for run in (lambda f: f, jax.jit)}
    assert executed == {"int64*", "int64"}
    power = LIBRARY.methods["at.power"]
    assert resolve_call(get_system("jax"), power, Arguments.of(Operand.of("int64*"), Value(2))) is None
    assert resolve_call(get_system("jax"), power, Arguments.of(Operand.of("int8"), Value(2))) is dt.int8
