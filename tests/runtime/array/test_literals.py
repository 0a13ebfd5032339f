"""Python ints beside arrays give what the libraries give: the number, wrapped or not, or an exception."""

import operator
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_runtime.numpy_dtypes import numpy_dtype, read_dtype
from tests.needed import imported

pytestmark = pytest.mark.filterwarnings("ignore")

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "xor")},
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "ge", "iadd", "imul")},
    "and": operator.and_,
}
EDGES = [2**7, 2**8, 2**15, 2**31, 2**32, 2**63, 2**64]
VALUES = [1, 3, 300, 10**400, *(sign * edge + step for edge in EDGES for sign in (1, -1) for step in (-1, 0))]
DTYPES = ["bool", "uint8", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "complex64"]


def differing(
    system: str, make: Callable[[str], Any], dtypes: list[str], values: list[int], functions: Iterable[str] = FUNCTIONS
) -> tuple[list[str], int]:
    """Questions where the dtype, the number, or whether the call raises differs from the library."""
    found, compared = [], 0
    reflected = [name for name in functions if not name.startswith("i")]
    asked = [*product(functions, [False]), *product(reflected, [True])]
    for (operation, swapped), name, value in product(asked, dtypes, values):

        def outcome(array: Any, operation: str = operation, swapped: bool = swapped, value: int = value) -> Any:
            try:
                result = FUNCTIONS[operation](*((value, array) if swapped else (array, value)))
            except (TypeError, OverflowError, RuntimeError, ValueError) as error:
                missing = any(text in str(error) for text in ("not implemented for", "ZeroDivision"))
                return "no kernel" if missing else "raises"
            return np.asarray(result)

        ours = outcome(pr.asarray(np.ones(2, numpy_dtype(read_dtype(name))), system=system))
        theirs = outcome(make(name))
        if isinstance(theirs, str) and theirs == "no kernel":
            continue
        compared += 1
        if isinstance(ours, str) or isinstance(theirs, str):
            same = isinstance(ours, str) and isinstance(theirs, str)
        else:
            same = ours.dtype == theirs.dtype and np.allclose(
                ours.astype(complex), theirs.astype(complex), rtol=1e-3, equal_nan=True
            )
        if not same:
            found.append(f"{operation} {name} {value if value < 10**30 else 'huge'} {swapped=}: {theirs} -> {ours}")
    return found, compared


def test_numpy() -> None:
    found, compared = differing("numpy", lambda name: np.ones(2, name), DTYPES, VALUES)
    assert found == []
    assert compared > 4000


def test_torch() -> None:
    torch = imported("torch")
    found, compared = differing("torch", lambda name: torch.ones(2, dtype=getattr(torch, name)), DTYPES, VALUES)
    # Ints that wrap to zero divide by zero there, and give 0 in NumPy.
    assert [line for line in found if not line.startswith(("floordiv", "mod"))] == []
    assert compared > 3500


@pytest.mark.parametrize("name", ["jax", "jax-x32"])
def test_jax(name: str) -> None:
    jax = imported("jax")
    few = ["bool", "uint8", "float32"]
    values = [300, 2**31, 2**63 - 1, 2**63]
    with jax.enable_x64(name == "jax"):
        found, compared = differing(name, lambda dtype: jax.numpy.ones(2, dtype), few, values, ("add", "lt", "imul"))
    assert found == []
    assert compared == len(few) * len(values) * 5


def test_the_exception_is_an_overflow_and_a_promotion_error() -> None:
    a = pr.asarray([1], dtype=pr.uint8)
    for number in (300, -1):
        with pytest.raises(OverflowError) as raised:
            a + number
        assert isinstance(raised.value, pr.OutOfRangeError)
        assert (raised.value.system, raised.value.operation) == ("numpy", "add")
    with pytest.raises(pr.OutOfRangeError, match=r"int \+ uint8 under numpy promotion: 300 is out of range"):
        300 + a
    assert (a < 300).tolist() == [True]
    assert (a == -1).tolist() == [False]
    with pytest.raises(OverflowError):
        pr.namespace("numpy").multiply(np.ones(2, np.int8), 128)
    assert pr.namespace("numpy").multiply(np.ones(2, np.int8), 127).dtype == np.int8


def test_the_square_of_bools_is_an_operator_of_its_own() -> None:
    bools = np.ones(2, bool)
    assert (bools**2).dtype == np.int8
    for power in (np.power, pr.namespace("numpy").pow, pr.namespace("numpy").power):
        assert power(bools, 2).dtype == np.int64
        assert power(pr.asarray(bools), 2).dtype is pr.int64
    for system, function in (("numpy", pr.int64), ("dask", pr.int64), ("numpy-legacy", pr.int64), ("jax", pr.int32)):
        ours = pr.asarray(bools, system=system)
        assert (ours**2).dtype is (pr.int32 if system == "jax" else pr.int8)
        assert np.power(ours, 2).dtype is pr.namespace(system).pow(ours, 2).dtype is function
        assert np.power(ours, 2).tolist() == (ours**2).tolist() == [1, 1]


def test_numpy_1_grows_the_dtype_to_the_value() -> None:
    a = pr.asarray([1], dtype=pr.uint8, system="numpy-legacy")
    assert [(a + number).dtype for number in (1, 255, 300, -1, 70000)] == [
        pr.uint8, pr.uint8, pr.uint16, pr.int16, pr.uint32,
    ]  # fmt: skip
    assert (a + 300).tolist() == [301]
    assert (a + -1).tolist() == [0]
    assert (300 - a).dtype is pr.uint16


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "uint64", "int4"])
@pytest.mark.parametrize("exponent", [7, 8, 9, 127, 128, 255, 300, 10**9 + 7, 2**64 + 5])
def test_static_exponents_of_jax_are_exact_however_large(dtype: str, exponent: int) -> None:
    parsed = read_dtype(dtype)
    if dtype == "int4":  # JAX has no powers of it
        parsed = pr.int8
    low, high = int(parsed.minimum), int(parsed.maximum)
    bases = sorted({low, low + 1, -3 if low else 5, -2 if low else 6, 0, 1, 2, 3, high - 1, high})
    powers = pr.asarray(np.array(bases, numpy_dtype(parsed)), system="jax") ** exponent
    modulus = high - low + 1
    assert powers.dtype is parsed
    assert powers.tolist() == [(pow(base, exponent, modulus) - low) % modulus + low for base in bases]
