"""Results agree with the real libraries: the same dtype, and the same numbers within its rounding.

Division of integers by zero, shifts beyond the width and integers to negative powers follow NumPy; they are not
compared here.
"""

import operator
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.systems import get_system
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype
from tests.needed import imported
from tests.runtime.samples import PYTHON, array, own, values

pytestmark = pytest.mark.filterwarnings("ignore")

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")},
    **{name: getattr(operator, f"{name}_") for name in ("and", "or")},
    **{name: getattr(operator, name) for name in ("xor", "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge")},
    "divmod": divmod,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "abs": abs,
}

POSITIVE = ([[1, 2], [3, 5]], [[2, 1], [2, 3]])
SIGNED = ([[-7, 7], [100, -3]], [[3, -3], [-7, 2]])
EXPONENTS = ([[-3, 2], [1, 3]], [[2, 1], [3, 2]])


def data_for(operation: str, dtypes: list[type[Shaped]]) -> tuple[Any, Any]:
    """Values that are defined in every library; negative ones if all dtypes have a sign."""
    if any(dtype.kind in "bu" for dtype in dtypes) or operation in ("lshift", "rshift"):
        return POSITIVE
    return EXPONENTS if operation == "pow" else SIGNED


def assert_close(ours: Any, theirs: np.ndarray[Any, Any], what: tuple[str, tuple[Any, ...]]) -> None:
    """Equal; floats up to some units in the last place of the operands: torch's 1j / x uses the reciprocal of x."""
    ours = np.asarray(ours)
    assert ours.dtype == theirs.dtype, what
    if ours.dtype.kind in "biu":
        assert ours.tolist() == theirs.tolist(), what
        return
    precisions = [each.precision for each in (dtype_of(ours.dtype), *what[1]) if not isinstance(each, str)]
    eps = 2.0 ** (1 - min(precision for precision in precisions if precision))
    wide = np.complex128 if dtype_of(ours.dtype).kind == "c" else np.float64
    np.testing.assert_allclose(ours.astype(wide), theirs.astype(wide), rtol=8 * eps, atol=eps, err_msg=str(what))


def compare(
    system: str, make: Callable[[np.ndarray[Any, Any]], Any], read: Callable[[Any], Any], sample: int | None = None
) -> int:
    """Returns how many expressions the library computed, too."""
    dtypes = [dtype for dtype in own(get_system(system)) if not dtype.weak]
    asked: list[tuple[str, tuple[Any, ...]]] = [*product(OPERATORS, product(dtypes, [*dtypes, *PYTHON]))]
    asked += [(name, (scalar, dtype)) for name, dtype, scalar in product(OPERATORS, dtypes, PYTHON)]
    asked += [(name, (dtype,)) for name, dtype in product(UNARY, dtypes)]
    if sample is not None:
        asked = random.Random(system).sample(asked, sample)
    compared = 0
    for operation, operands in asked:
        compute: Any = {**OPERATORS, **UNARY}[operation]
        data = data_for(operation, [each for each in operands if not isinstance(each, str)])
        pairs = [
            (PYTHON[each], PYTHON[each])
            if isinstance(each, str)
            else (array(system, each, data[place]), make(values(each, data[place])))
            for place, each in enumerate(operands)
        ]
        try:
            theirs = compute(*(theirs for _, theirs in pairs))
        except Exception:  # each library has its own kinds; test_matrix compares rejected ones with the rules
            continue
        try:
            ours = compute(*(ours for ours, _ in pairs))
        except pr.PromotionError:  # a value that raises on other devices by the rules, or a comparison of identity
            continue
        compared += 1
        for one, other in zip(
            *((each if isinstance(each, tuple) else (each,)) for each in (ours, theirs)), strict=True
        ):
            assert_close(one, read(other), (operation, operands))
    return compared


def test_numpy() -> None:
    assert compare("numpy", lambda x: x, np.asarray) > 4000


def test_jax() -> None:
    jax = imported("jax")
    with jax.enable_x64(True):
        assert compare("jax", jax.numpy.asarray, np.asarray, sample=100) > 50


def test_torch() -> None:
    torch = imported("torch")

    def make(x: np.ndarray[Any, Any]) -> Any:
        if x.dtype == ml_dtypes.bfloat16:
            return torch.tensor(x.astype(np.float32)).to(torch.bfloat16)
        return torch.tensor(x)

    def read(x: Any) -> Any:
        if x.dtype == torch.bfloat16:
            return x.float().numpy().astype(ml_dtypes.bfloat16)
        return x.cfloat().numpy().astype(ml_dtypes.complex32) if x.dtype == torch.complex32 else x.numpy()

    assert compare("torch", make, read) > 2000


@pytest.mark.parametrize(("one", "other"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3)])
def test_jax_lax_divides_integers_like_its_functions(one: int, other: int) -> None:
    lax = imported("jax.lax")
    x, y = (pr.asarray([number], dtype=pr.int32, system="jax-lax") for number in (one, other))
    a, b = (np.asarray([number], dtype=np.int32) for number in (one, other))
    assert (x / y).tolist() == np.asarray(lax.div(a, b)).tolist()
    assert (x % y).tolist() == np.asarray(lax.rem(a, b)).tolist()


SUBNORMAL = float(np.finfo(np.float32).smallest_subnormal)
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, SUBNORMAL, -SUBNORMAL, float(np.finfo(np.float32).max)]


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "truediv", "lt", "eq", "pow", "floordiv", "mod"])
@pytest.mark.parametrize("dtype", [pr.bfloat16, pr.float16, pr.float32])
def test_special_values_follow_numpy(operation: str, dtype: type[Shaped]) -> None:
    grid = np.array([*product(SPECIAL, SPECIAL)]).astype(numpy_dtype(dtype))
    one, other = grid[:, 0], grid[:, 1]
    wide = np.float32 if dtype is not pr.float32 else np.float64
    with np.errstate(all="ignore"):
        ours = OPERATORS[operation](pr.asarray(one, system="jax"), pr.asarray(other, system="jax"))
        exact = OPERATORS[operation](one.astype(wide), other.astype(wide))
    rounded = exact.astype(ours._data.dtype)
    # The case of a quotient that is rounded before it is floored: NumPy does so in the dtype itself.
    if operation in ("floordiv", "mod"):
        rounded = OPERATORS[operation](one, other)
    np.testing.assert_array_equal(np.signbit(ours._data.astype(wide)), np.signbit(rounded.astype(wide)))
    np.testing.assert_array_equal(ours._data.astype(wide), rounded.astype(wide))
