"""`check_literal` agrees with the executed libraries about which Python ints raise beside which arrays."""

import operator
from collections.abc import Callable
from functools import partial
from itertools import product

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.reasons import number
from tests.needed import imported

FUNCTIONS: dict[str, Callable[..., object]] = {
    "add": operator.add,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "pow": operator.pow,
    "divmod": divmod,
    "and": operator.and_,
    "rshift": operator.rshift,
    "eq": operator.eq,
    "lt": operator.lt,
    "iadd": operator.iadd,
    "itruediv": operator.itruediv,
    "ipow": operator.ipow,
}
REFLECTED = [name for name in FUNCTIONS if name not in ("eq", "lt") and not name.startswith("i")]
EDGES = [2**7, 2**8, 2**15, 2**31, 2**32, 2**63, 2**64, 2**1024 - 2**970]
VALUES = [1, -1, 300, 65505, 10**400, *(sign * edge + step for edge in EDGES for sign in (1, -1) for step in (-1, 0))]
DTYPES = "bool uint8 uint16 uint64 int8 int32 int64 bfloat16 float16 float32 float64 complex64 complex128".split()  # noqa: SIM905 (a table)


def refused(system: str, operation: str, dtype: str, value: int, *, reflected: bool) -> bool:
    rules = get_system(system)
    array, scalar = Operand.of(dtype), Operand.of("py_int")
    operands = (scalar, array) if reflected else (array, scalar)
    by_dtype = isinstance(rules.verdict(operation, operands), str)
    return by_dtype or rules.check_literal(operation, array, value, reflected=reflected) is not None


def differing(
    system: str,
    make: Callable[[str], object],
    dtypes: list[str],
    values: list[int],
    *left_out: str,
    run: Callable[[Callable[[], object]], object] = lambda compute: compute(),
) -> list[str]:
    """Questions on which rules and library differ; a message with one of `left_out` is not about the value."""
    found = []
    asked = [*((name, False) for name in FUNCTIONS), *((name, True) for name in REFLECTED)]
    for (operation, reflected), dtype, value in product(asked, dtypes, values):
        array = make(dtype)
        try:
            run(partial(FUNCTIONS[operation], *((value, array) if reflected else (array, value))))
            raised = False
        except Exception as error:  # each library has its own kinds
            if any(text in str(error) for text in left_out):
                continue
            raised = True
        if raised != refused(system, operation, dtype, value, reflected=reflected):
            found.append(f"{operation} {dtype} {number(value)} {reflected=}: {raised=}")
    return found


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_numpy() -> None:
    def make(name: str) -> np.ndarray:
        return np.ones(2, getattr(ml_dtypes, name, name))

    dtypes = [*DTYPES, "int4", "uint2", "float8_e4m3fn", "float128", "complex256"]
    assert differing("numpy", make, dtypes, VALUES) == []


@pytest.mark.parametrize("name", ["jax", "jax-x32"])
@pytest.mark.filterwarnings("ignore")
def test_jax(name: str) -> None:
    jax = imported("jax")
    from jax import numpy as jnp

    few = ["bool", "uint8", "int32", "float32"]
    near_the_bounds = [1, -1, 300, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, 10**400]
    with jax.enable_x64(name == "jax"):
        assert differing(name, lambda d: jnp.ones(2, d), few, near_the_bounds, run=jax.eval_shape) == []


@pytest.mark.filterwarnings("ignore")
def test_torch() -> None:
    torch = imported("torch")

    def make(name: str) -> object:
        return torch.ones(2, dtype=getattr(torch, name))

    # A kernel that only the CPU lacks, and ints that wrap to zero.
    assert differing("torch", make, DTYPES, VALUES, "not implemented for", "ZeroDivisionError") == []


WORDING = [
    ("numpy", "add", "uint8", 300, "300 is out of range for uint8 (0 to 255)",
     "cast the array with x.astype(np.uint16)"),
    ("numpy", "add", "int8", 2**64, "2**64 is out of range for int8 (-128 to 127)",
     "write it as a float if you only need its magnitude"),
    ("numpy", "pow", "int32", -2, "NumPy does not raise integers to the negative power -2",
     "write the exponent as a float, or cast the array with x.astype(np.float32)"),
    ("numpy", "mul", "float32", 10**400, "2**1328 or more is too large for a Python float",
     "write it as a float if you only need its magnitude"),
    ("jax-x32", "add", "uint8", 2**31,
     "2147483648 is out of range for int32, the dtype of JAX's Python ints (-2147483648 to 2147483647)",
     "cast the array with x.astype(jnp.uint32)"),
    ("torch", "pow", "float16", 70000,
     "70000 is out of range for float16, the dtype of the exponent (-65504 to 65504)",
     "cast the array with x.to(torch.float32)"),
    ("torch", "iadd", "bool", 2**63,
     "9223372036854775808 is out of range for int64, the dtype beside bool "
     "(-9223372036854775808 to 9223372036854775807)",
     "write it as a float if you only need its magnitude"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "operation", "dtype", "value", "reason", "remedy"), WORDING)
def test_message(system: str, operation: str, dtype: str, value: int, reason: str, remedy: str) -> None:
    array = Operand.of(dtype)
    answer = get_system(system).check_literal(operation, array, value)
    assert answer == Refusal(system, operation, (array, Operand.of("py_int")), reason, Remedy(remedy))
    assert answer.remedy == remedy


def test_python_scalars_have_no_limits() -> None:
    assert get_system("numpy").check_literal("add", Operand.of("py_int"), 10**400) is None
