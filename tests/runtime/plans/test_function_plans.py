"""A plan made for one call is right for every later call that uses it, whatever the form of the arguments."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.systems import get_system
from promo_runtime.kernels.numpy_kernels import NoLoopError
from promo_runtime.namespaces.namespace import Namespace
from promo_runtime.plans import call_keys
from tests.runtime.functions.function_samples import arity, called, offered, parts, shape
from tests.runtime.samples import array, values

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def outcome(space: Namespace, name: str, arrays: list[Any]) -> Any:
    """The results, or the class of the exception."""
    try:
        result = called(space, name, arrays)
    except (TypeError, NoLoopError, ValueError) as error:
        return type(error)
    return [(each.dtype, np.asarray(each).tolist()) for each in parts(result)]


@pytest.mark.parametrize("system", ["numpy", "jax", "torch", "array-api"])
def test_a_plan_gives_what_a_new_namespace_gives(system: str) -> None:
    space = Namespace(get_system(system))
    computed = 0
    for name, function in offered(system):
        for dtype in (pr.float32, pr.int8, pr.bool_):
            first, second = np.array(shape(name)), np.array(shape(name))[..., ::-1] + np.array(shape(name))
            for data in (first, second):
                expected = outcome(
                    Namespace(get_system(system)), name, [values(dtype, data) for _ in range(arity(function))]
                )
                found = outcome(space, name, [values(dtype, data) for _ in range(arity(function))])
                assert repr(found) == repr(expected), (name, dtype)  # NaN is NaN
                computed += isinstance(found, list)
    assert computed > 400


def _forms() -> dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]]:
    """Name of the call -> the call on a namespace and an array, and NumPy's on the array."""
    return {
        "sum": (lambda xp, x: xp.sum(x), lambda x: np.sum(x)),
        "sum axis": (lambda xp, x: xp.sum(x, axis=1), lambda x: np.sum(x, axis=1)),
        "sum axes": (lambda xp, x: xp.sum(x, axis=(0, 1), keepdims=True), lambda x: np.sum(x, keepdims=True)),
        "sum None": (lambda xp, x: xp.sum(x, axis=None, dtype=None), lambda x: np.sum(x)),
        "sum dtype": (lambda xp, x: xp.sum(x, dtype="float64"), lambda x: np.sum(x, dtype=np.float64)),
        "sum another": (lambda xp, x: xp.sum(x, dtype=pr.int16), lambda x: np.sum(x).astype(np.int16)),
        "sum both": (
            lambda xp, x: xp.sum(x, dtype=np.float64, axis=0, keepdims=True),
            lambda x: np.sum(x, axis=0, dtype=np.float64, keepdims=True),
        ),
        "clip": (lambda xp, x: xp.clip(x, 1, 3), lambda x: np.clip(x, 1, 3)),
        "clip max": (lambda xp, x: xp.clip(x, max=3), lambda x: np.clip(x, None, 3)),
        "clip None": (lambda xp, x: xp.clip(x, None, max=2), lambda x: np.clip(x, None, 2)),
        "clip turned": (lambda xp, x: xp.clip(x, max=3, min=2), lambda x: np.clip(x, 2, 3)),
        "reshape": (lambda xp, x: xp.reshape(x, shape=(4, 1)), lambda x: x.reshape(4, 1)),
        "squeeze": (lambda xp, x: xp.squeeze(x[:, None], axis=1), lambda x: x),
        "std": (lambda xp, x: xp.std(x, correction=1), lambda x: np.std(x, ddof=1)),
        "sort": (lambda xp, x: xp.sort(x, descending=True, axis=0), lambda x: -np.sort(-x, axis=0)),
        "diff": (lambda xp, x: xp.diff(x, prepend=x[:, :1]), lambda x: np.diff(x, prepend=x[:, :1])),
        "diff append": (lambda xp, x: xp.diff(x, append=x[:, :1]), lambda x: np.diff(x, append=x[:, :1])),
        "power": (lambda xp, x: xp.linalg.matrix_power(x, 3), lambda x: np.linalg.matrix_power(x, 3)),
        "inverse": (lambda xp, x: xp.linalg.matrix_power(x, -1), lambda x: np.linalg.matrix_power(x, -1)),
        "einsum": (lambda xp, x: xp.einsum("ij,jk", x, x), lambda x: np.einsum("ij,jk", x, x)),
        "einsum trace": (lambda xp, x: xp.einsum("ii", x), lambda x: np.einsum("ii", x)),
        "hstack": (lambda xp, x: xp.hstack([x, x]), lambda x: np.hstack([x, x])),
        "hstack tuple": (lambda xp, x: xp.hstack((x, x, x)), lambda x: np.hstack([x, x, x])),
        "take": (lambda xp, x: xp.take(x, xp.argmax(x, axis=1), axis=0), lambda x: np.take(x, np.argmax(x, 1), 0)),
        "where": (lambda xp, x: xp.where(x > 2, x, 0), lambda x: np.where(x > 2, x, np.float32(0))),
        "concat": (lambda xp, x: xp.concat((x, x), axis=1), lambda x: np.concatenate([x, x], 1)),
        "concat flat": (lambda xp, x: xp.concat([x, x], axis=None), lambda x: np.concatenate([x, x], None)),
        "stack": (lambda xp, x: xp.stack([x, x], axis=-1), lambda x: np.stack([x, x], -1)),
        "method": (lambda xp, x: xp.negative(x).sum(axis=0), lambda x: (-x).sum(axis=0)),
    }


FORMS = _forms()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_every_form_of_a_call_gives_what_numpy_gives(form: str, wrapped: bool) -> None:
    ours, numpys = FORMS[form]
    space = pr.namespace("numpy")
    for data in ([[1, 2], [3, 5]], [[7, 2], [2, 1]], [[2, 9], [4, 4]]):
        plain = np.array(data, np.float32)
        found = ours(space, pr.asarray(plain, system="numpy") if wrapped else plain)
        expected = numpys(plain)
        assert np.asarray(found).dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(found), expected, 1e-5)
        assert isinstance(found, pr.Array) is wrapped


def test_equal_values_of_several_classes_have_different_plans() -> None:
    matrix = np.array([[2, 0], [0, 3]], np.int32)
    space = pr.namespace("numpy")
    for dtype in (bool, "bool", pr.bool_, np.dtype(bool), int, "int64", np.int64):
        assert space.sum(matrix, dtype=dtype).dtype == np.dtype(bool if "bool" in str(dtype) else int)
    with pytest.raises(pr.UnknownArrayDtypeError, match="is not a dtype"):
        space.sum(matrix, dtype=object())
    with pytest.raises(TypeError, match="x"):
        space.sum()
    with pytest.raises(TypeError, match="axes"):
        space.sum(matrix, axes=1)


def test_a_plan_does_not_depend_on_values() -> None:
    space = pr.namespace("jax")
    byte = np.array([[1, 2, 3]], np.int8)
    assert [space.clip(byte, 0, high).tolist() for high in (1, 2, 5)] == [[[1, 1, 1]], [[1, 2, 2]], [[1, 2, 3]]]
    assert [space.roll(byte, shift, axis=1).tolist() for shift in (1, 2)] == [[[3, 1, 2]], [[2, 3, 1]]]
    weak = pr.asarray(2, system="jax")
    assert [space.where(True, weak, number)._type.dtype.name for number in (1, 1.5, 1j)] == [
        "int64*", "float64*", "complex128*",
    ]  # fmt: skip


def test_the_number_of_plans_is_bounded() -> None:
    plans: dict[Any, Any] = {}
    for number in range(5000):
        call_keys.keep(plans, number, print)
    assert len(plans) < 1000
    assert call_keys.exactly(1) != call_keys.exactly(True)
    assert call_keys.kinds([np.ones(2), 1]) == (list, np.dtype(float), int)
    assert call_keys.kind(array("jax", pr.int32)) is array("jax", pr.int32)._type
