"""Random expressions agree: the wrapper, the namespace on plain arrays, and NumPy where its rules apply."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import promo_runtime as pr
from promo_mypy.rules.systems import get_system
from promo_runtime.kernels.elementwise_rows import ROWS
from tests.needed import imported
from tests.runtime.samples import own, values

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")

OPERATORS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "xor", "lt", "eq", "neg", "pos")},
    "and": operator.and_,
    "abs": abs,
}
SYSTEMS = ["numpy", "jax", "jax-x32", "jax-strict", "torch", "array-api", "tensorflow-numpy-all", "option-3"]

Tree = tuple[Any, ...]
"""("leaf", number of the array, index or None), ("number", value) or (operation, *trees)."""

SPECIAL = [0.0, -0.0, 1.0, -2.0, 7.0, float("inf"), float("nan"), 2.0**-140]
LEAVES = st.tuples(
    st.just("leaf"), st.integers(0, 30), st.sampled_from([None, (0, 0), slice(None, None, -1), slice(0, 0)])
)
NUMBERS = st.tuples(st.just("number"), st.sampled_from([True, 0, 1, -3, 100, 0.5, float("inf"), 2j]))
TREES: st.SearchStrategy[Tree] = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.tuples(st.sampled_from(["neg", "pos", "abs"]), below),
        st.tuples(st.sampled_from(sorted(OPERATORS.keys() - {"neg", "pos", "abs"})), below, st.one_of(below, NUMBERS)),
        st.tuples(st.sampled_from(sorted(OPERATORS.keys() - {"neg", "pos", "abs"})), NUMBERS, below),
    ),
    max_leaves=6,
)


def evaluated(tree: Tree, leaf: Callable[[int, Any], Any], call: Callable[..., Any]) -> Any:
    """The value of an expression, or the class of the exception that it raises."""
    kind, *parts = tree
    if kind == "leaf":
        return leaf(parts[0], parts[1])
    if kind == "number":
        return parts[0]
    operands = [evaluated(part, leaf, call) for part in parts]
    refused = next((each for each in operands if isinstance(each, type)), None)
    if refused is not None:
        return refused
    try:
        return call(kind, *operands)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


def leaves(system: str, data: list[list[float]]) -> list[np.ndarray[Any, Any]]:
    with np.errstate(all="ignore"):
        return [values(dtype, data) for dtype in own(get_system(system)) if not dtype.weak]


@pytest.mark.parametrize("system", SYSTEMS)
@given(tree=TREES, data=st.lists(st.sampled_from(SPECIAL), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None, database=None)
def test_wrapper_and_namespace_agree(system: str, tree: Tree, data: list[float]) -> None:
    space = pr.namespace(system)
    plain = leaves(system, [data[:2], data[2:]])
    wrapped = [pr.asarray(each, system=system) for each in plain]

    def function(operation: str, *operands: Any) -> Any:
        assert ROWS[operation].name in dir(space)
        return space.operations[operation](*operands)

    def operate(operation: str, *operands: Any) -> Any:
        return OPERATORS[operation](*operands)

    def of(arrays: list[Any]) -> Callable[[int, Any], Any]:
        return lambda number, place: arrays[number % len(arrays)][place or ...]

    by_operator = evaluated(tree, of(wrapped), operate)
    by_function = evaluated(tree, of(wrapped), function)
    if isinstance(by_operator, type) or isinstance(by_function, type):
        assert by_operator is by_function
        return
    assert by_operator._type is by_function._type
    assert_same(by_operator._data, by_function._data)
    if system == "numpy":
        assert_same(by_operator._data, evaluated(tree, of(plain), operate))
    elif not get_system(system).weak_dtypes:  # plain arrays lose the weakness, which may decide a later operation
        assert_same(by_operator._data, evaluated(tree, of(plain), function))


def assert_same(one: Any, other: Any) -> None:
    """The same dtype, shape and numbers; NaN equals NaN, also in dtypes of ml_dtypes."""
    assert one.dtype == other.dtype
    assert one.shape == other.shape
    np.testing.assert_array_equal(one.astype(complex), other.astype(complex))


@given(tree=TREES, data=st.lists(st.sampled_from(SPECIAL), min_size=4, max_size=4))
@settings(max_examples=40, deadline=None, database=None)
def test_torch_computes_expressions_of_the_same_dtype_and_values(tree: Tree, data: list[float]) -> None:
    torch = imported("torch")
    names = ["bool", "uint8", "int16", "int64", "float32", "float64", "complex64"]
    with np.errstate(all="ignore"):
        arrays = [np.asarray([data[:2], data[2:]]).astype(name) for name in names]
    ours = [pr.asarray(each, system="torch") for each in arrays]
    theirs = [torch.from_numpy(each.copy()) for each in arrays]

    def at(x: Any, place: Any) -> Any:
        return x[::1] if isinstance(place, slice) and place.step == -1 else x[place or ...]  # torch has no steps of -1

    one = evaluated(tree, lambda n, place: at(ours[n % len(ours)], place), lambda op, *xs: OPERATORS[op](*xs))
    try:
        other = evaluated(tree, lambda n, place: at(theirs[n % len(theirs)], place), lambda op, *xs: OPERATORS[op](*xs))
    except NotImplementedError:  # only the CPU lacks the kernel
        return
    except RuntimeError:
        other = RuntimeError
    if isinstance(one, type) or isinstance(other, type):
        assert isinstance(one, type) is isinstance(other, type)
        return
    assert one._data.dtype.name == str(other.dtype).removeprefix("torch.")
    assert one.shape == tuple(other.shape)
    if not one.size or one.dtype.kind == "c":  # products of complex infinities differ between libraries
        return
    np.testing.assert_allclose(one._data, other.numpy(), rtol=1e-5)
