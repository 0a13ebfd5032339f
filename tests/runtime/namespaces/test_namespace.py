"""Functions of a namespace besides the operators: which exist, and the dtypes that they give."""

import pickle
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_runtime.functions.availability import OFFERS, offers
from promo_runtime.numpy_dtypes import dtype_of
from tests.needed import imported
from tests.runtime.samples import array, own, values

JOINING = sorted(OFFERS["where"])
WITH_MAXIMUM = ["numpy", "numpy-legacy", "dask", "jax", "jax-x32", "jax-strict"]


def test_a_function_without_a_rule_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="the namespace of jax has no sine: no rule states its result"):
        pr.namespace("jax").sine  # noqa: B018 (the access is under test)
    assert not hasattr(pr.namespace("tensorflow"), "sum")


@pytest.mark.parametrize(
    ("name", "near"), [("softmx", "softmax"), ("f32", "float32"), ("linalg.vecdto", "vecdot"), ("sine", "sin")]
)
def test_a_near_match_is_offered(name: str, near: str) -> None:
    with pytest.raises(AttributeError, match=rf"no rule states its result; did you mean .*\b{near}\b") as told:
        attrgetter(name)(pr.namespace("jax"))
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)
    with pytest.raises(AttributeError, match=r"no rule states its result$"):
        pr.namespace("jax").zzzzzz  # noqa: B018 (the access is under test)


def test_what_a_library_lacks_is_an_attribute_error() -> None:
    assert not hasattr(pr.namespace("torch").linalg, "vecdot")


@pytest.mark.parametrize("name", [name for name in OFFERS if name != "defaults"])
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_functions_without_a_measurement_are_not_offered(system: str, name: str) -> None:
    space = pr.namespace(system)
    offered = offers(get_system(system), name)
    assert (name in dir(space)) is hasattr(space, name) is offered


def test_the_namespace_has_the_dtypes_of_its_system() -> None:
    assert pr.namespace("jax").bfloat16 is pr.bfloat16
    assert pr.namespace("numpy").bool is pr.bool_
    assert not hasattr(pr.namespace("array-api"), "float16")
    assert (pr.namespace("torch").pi, pr.namespace("torch").newaxis) == (np.pi, None)


def test_namespaces_have_names_like_modules() -> None:
    jax = pr.namespace("jax")
    assert jax.__name__ == jax.of_arrays.__name__ == "promo_runtime.namespaces.namespace('jax')"


def dtypes_joined(system: str, one: type[Shaped], other: type[Shaped]) -> tuple[object, object]:
    """The dtypes of where, concat and stack, which are one, and the rule."""
    space = pr.namespace(system)
    left, right = array(system, one), array(system, other)
    verdict = get_system(system).verdict("promote", (Operand(one), Operand(other)))
    results: set[object] = set()
    calls: list[Callable[[], Any]] = [
        lambda: space.where(values(pr.bool_), left, right),
        lambda: space.concat([left, right]),
        lambda: space.stack([left, right], axis=1),
    ]
    for call in calls:
        try:
            results.add(call()._type.dtype)
        except pr.PromotionError as error:
            results.add(error.reason)
    (result,) = results
    return result, verdict


@pytest.mark.parametrize("system", JOINING)
def test_where_concat_and_stack_give_the_promoted_dtype(system: str) -> None:
    dtypes = own(get_system(system))
    for one in dtypes:
        for other in dtypes[:6] if system != "jax-strict" else dtypes[:3]:
            result, verdict = dtypes_joined(system, one, other)
            assert result == verdict, (one, other)


def test_where_takes_numbers_and_broadcasts() -> None:
    space = pr.namespace("jax")
    x = np.arange(3, dtype=np.int8)
    result = space.where(x > 1, x, 1.5)
    assert (result.dtype, result.tolist()) == (np.float64, [1.5, 1.5, 2.0])
    assert space.where(np.array([[True], [False]]), x, x.astype(ml_dtypes.bfloat16)).shape == (2, 3)
    assert space.where(True, pr.asarray(1, system="jax"), 2.0).weak
    with pytest.raises(TypeError, match="must be bool"):
        space.where(x, x, x)
    assert space.concat([np.ones((1, 2)), np.ones((3, 2))], axis=None).shape == (8,)
    with pytest.raises(TypeError, match="not plain numbers"):
        space.concat([x, 1])


@pytest.mark.parametrize("system", WITH_MAXIMUM)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_maximum_and_minimum_have_the_dtype_of_a_sum(system: str) -> None:
    rules, space = get_system(system), pr.namespace(system)
    dtypes = own(rules)
    for one in dtypes:
        for other in (*dtypes[::3], pr.bfloat16):
            verdict = rules.verdict("add", (Operand(one), Operand(other)))
            if isinstance(verdict, str):
                with pytest.raises(pr.PromotionError, match=r"maximum\("):
                    space.maximum(array(system, one), array(system, other))
                continue
            left, right = array(system, one), array(system, other, [[2, 1], [2, 3]])
            result = space.maximum(left, right)
            assert result._type.dtype is verdict
            expected = np.maximum(np.asarray(left, complex), np.asarray(right, complex))
            np.testing.assert_array_equal(np.asarray(result, complex), expected)
    assert space.minimum(np.array([1, 5]), np.array([3, 2])).tolist() == [1, 2]


def test_maximum_agrees_with_the_libraries() -> None:
    jax = imported("jax")
    with jax.enable_x64(True):
        for one, other in (("bool", "int8"), ("uint64", "int8"), ("bfloat16", "float16"), ("int32", "complex64")):
            theirs = jax.numpy.maximum(jax.numpy.ones(2, one), jax.numpy.ones(2, other))
            ours = pr.namespace("jax").maximum(np.ones(2).astype(one), np.ones(2).astype(other))
            assert ours.dtype == theirs.dtype


KEEPERS: dict[str, tuple[tuple[Any, ...], tuple[int, ...]]] = {
    "broadcast_to": (((4, 2, 2),), (4, 2, 2)),
    "expand_dims": ((), (1, 2, 2)),
    "flip": ((), (2, 2)),
    "matrix_transpose": ((), (2, 2)),
    "moveaxis": ((0, 1), (2, 2)),
    "permute_dims": (((1, 0),), (2, 2)),
    "repeat": ((2,), (8,)),
    "reshape": (((4, 1),), (4, 1)),
    "roll": ((1,), (2, 2)),
    "squeeze": (((),), (2, 2)),
    "take": ((np.array([0, 0, 1]),), (3,)),
    "take_along_axis": ((np.array([[0], [1]]),), (2, 1)),
    "tile": (((2, 1),), (4, 2)),
    "tril": ((), (2, 2)),
    "triu": ((), (2, 2)),
}
KEYWORDS: dict[str, dict[str, Any]] = {"expand_dims": {"axis": 0}, "take_along_axis": {"axis": 1}}


@pytest.mark.parametrize("name", KEEPERS)
def test_functions_that_keep_the_dtype(name: str) -> None:
    arguments, shape = KEEPERS[name]
    for system in SYSTEM_NAMES:
        space = pr.namespace(system)
        for dtype in own(get_system(system)):
            result = getattr(space, name)(array(system, dtype), *arguments, **KEYWORDS.get(name, {}))
            assert result._type.dtype is dtype
            assert result.shape == shape
            plain = getattr(space, name)(values(dtype), *arguments, **KEYWORDS.get(name, {}))
            assert type(plain) is np.ndarray
            assert dtype_of(plain.dtype) is dtype.strong
            np.testing.assert_array_equal(plain, np.asarray(result))


def test_unstack_gives_a_tuple() -> None:
    rows = pr.namespace("torch").unstack(array("torch", pr.bfloat16))
    assert [(row.dtype, row.tolist()) for row in rows] == [(pr.bfloat16, [1, 2]), (pr.bfloat16, [3, 5])]


DEFAULTS = {
    "numpy": ("float64", "int64", "complex128"), "jax": ("float64", "int64", "complex128"),
    "jax-x32": ("float32", "int32", "complex64"), "torch": ("float32", "int64", "complex64"),
    "array-api": ("float64", "int64", "complex128"),
}  # fmt: skip


@pytest.mark.parametrize("system", DEFAULTS)
def test_creation_without_a_dtype(system: str) -> None:
    space = pr.namespace(system)
    floats, integers, numbers = DEFAULTS[system]
    for made in (space.zeros(2), space.ones((2, 1)), space.empty(2), space.eye(2), space.linspace(0, 1, 3)):
        assert made.dtype.name == floats
    assert space.full(2, 1.5).dtype.name == space.arange(3.0).dtype.name == space.arange(0, 3, 0.5).dtype.name == floats
    assert space.full(2, 7).dtype.name == space.arange(3).dtype.name == space.arange(1, 3).dtype.name == integers
    assert space.full(2, 1j).dtype.name == numbers
    assert space.full(2, True).dtype == bool
    assert space.asarray([1, 2]).dtype.name == integers


def test_the_defaults_are_the_libraries_own() -> None:
    torch = imported("torch")
    xp = pr.namespace("torch")
    for ours, theirs in (
        (xp.zeros(2), torch.zeros(2)), (xp.ones(2), torch.ones(2)), (xp.empty(2), torch.empty(2)),
        (xp.eye(2), torch.eye(2)), (xp.linspace(0, 1, 3), torch.linspace(0, 1, 3)), (xp.arange(3), torch.arange(3)),
        (xp.full(2, 1), torch.full((2,), 1)), (xp.full(2, 1j), torch.full((2,), 1j)),
        (xp.arange(3.0), torch.arange(3.0)),
    ):  # fmt: skip
        assert ours.dtype.name == str(theirs.dtype).removeprefix("torch.")


def test_creation_with_a_dtype_of_any_system() -> None:
    for system in SYSTEM_NAMES:
        for dtype in own(get_system(system)):
            if dtype.weak:
                continue
            space = pr.namespace(system)
            made = [
                space.zeros(2, dtype=dtype), space.ones(2, dtype=dtype.name), space.full(2, 1, dtype=dtype),
                space.eye(2, dtype=dtype), space.empty(2, dtype=dtype),
            ]  # fmt: skip
            assert {dtype_of(each.dtype) for each in made} == {dtype}
            x = array(system, dtype)
            for name, arguments in (("zeros_like", ()), ("ones_like", ()), ("empty_like", ()), ("full_like", (1,))):
                assert getattr(space, name)(x, *arguments)._type.dtype is dtype
                assert type(getattr(space, name)(values(dtype), *arguments)) is np.ndarray
            assert space.astype(values(dtype), dtype).dtype == x._data.dtype
            assert space.astype(x, dtype)._data is not x._data
            assert space.astype(x, dtype, copy=False)._data is x._data
    assert pr.namespace("jax").arange(3, dtype=pr.bfloat16).dtype == ml_dtypes.bfloat16
    assert pr.namespace("jax").linspace(0, 1, 3, dtype="float16", endpoint=False).dtype == np.float16


#: Values whose dtypes differ between libraries: NumPy's full gives float32 and bool, PyTorch's the default float.
NO_PYTHON_NUMBERS: tuple[Any, ...] = (
    np.float32(1.5),
    np.int8(3),
    np.True_,
    np.complex64(1j),
    np.array(1.5),
    np.array([1, 2]),
)


@pytest.mark.parametrize("system", DEFAULTS)
def test_numbers_other_than_pythons_need_a_dtype(system: str) -> None:
    space, (floats, integers, numbers) = pr.namespace(system), DEFAULTS[system]
    for given in (*NO_PYTHON_NUMBERS, space.of_arrays.ones(())):
        for make in (lambda n, **k: space.full(2, n, **k), space.arange, lambda n, **k: space.linspace(n, 9, 3, **k)):
            with pytest.raises(
                TypeError, match=rf"takes Python's numbers, not .*{type(given).__name__}.*: give a dtyp"
            ):
                make(given)
        assert space.full(2, given, dtype=np.complex64).tolist() == [*np.broadcast_to(np.asarray(given), 2)]
    three: Any = np.int64(3)
    assert space.full(2, three).dtype.name == space.arange(three).dtype.name == integers
    assert space.full(2, np.float64(3)).dtype.name == space.linspace(np.float64(0), 1, 3).dtype.name == floats
    assert space.full(2, np.complex128(3)).dtype.name == numbers


def test_an_array_of_one_int_has_the_dtype_of_its_data() -> None:
    for system in ("numpy", "array-api"):
        made = pr.namespace(system).of_arrays.asarray(2**63)
        assert (made.dtype, made._data.dtype) == (pr.uint64, np.uint64)
    assert pr.namespace("jax").of_arrays.asarray(3).weak


def test_without_a_known_default_a_dtype_is_required() -> None:
    with pytest.raises(TypeError, match="zeros needs a dtype: what paddle uses without one is not in the rules"):
        pr.namespace("paddle").zeros(2)


def test_a_dtype_that_the_system_lacks_is_rejected() -> None:
    with pytest.raises(pr.PromotionError):
        pr.namespace("array-api").zeros(2, dtype=pr.float16)
    with pytest.raises(pr.PromotionError):
        pr.namespace("torch").astype(np.ones(2), np.longdouble)


def test_an_operand_must_be_an_array() -> None:
    with pytest.raises(TypeError, match="needs an array among its operands"):
        pr.namespace("jax").add(1, 2)


def test_subclasses_of_numpys_arrays_stay_subclasses() -> None:
    masked = np.ma.masked_array([1, 2], mask=[True, False], dtype=np.int8)
    result = pr.namespace("torch").add(masked, 1)
    assert result.dtype == np.int8
    assert result.mask.tolist() == [True, False]


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "all", "any", "mean", "std", "var", "cumsum"])
def test_the_mask_of_a_masked_array_counts(name: str) -> None:
    for dtype in (np.float32, np.int32):
        x = np.ma.masked_array([[1, 2], [3, 4]], mask=[[True, False], [False, False]], dtype=dtype)
        for axis in (None, 0):
            found = getattr(pr.namespace("jax"), name)(x, axis=axis)
            expected = getattr(np.ma, name)(x, axis=axis)
            np.testing.assert_allclose(np.ma.filled(found, 9), np.ma.filled(expected, 9), 1e-6)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_matrices_are_reduced_as_numpy_does() -> None:
    x = np.matrix([[1.0, 2.0], [3.0, 5.0]])
    for name in ("sum", "mean", "std", "max"):
        np.testing.assert_allclose(getattr(pr.namespace("jax"), name)(x, axis=0), getattr(np, name)(x, axis=0))


def test_dtypes_without_a_rule_are_named_once() -> None:
    for data in (np.array(["a"]), np.array(["2020-01-01"], "M8[D]"), np.zeros(2, [("a", "f4")]), np.array([None])):
        with pytest.raises(pr.UnknownArrayDtypeError, match=r"^arrays of dtype .* do not promote"):
            pr.asarray(data, system="jax")
        with pytest.raises(pr.UnknownArrayDtypeError, match=r"^arrays of dtype .* do not promote"):
            pr.namespace("jax").add(data, 1)
