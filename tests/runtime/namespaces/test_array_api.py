"""`promo_runtime.array_api` agrees with array-api-strict: names, signatures, dtypes, values, special cases."""

import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from hypothesis.extra.array_api import make_strategies_namespace

import promo_runtime as pr
from promo_runtime import array_api as xp
from tests.needed import imported
from tests.runtime.functions.function_samples import named

strict = imported("array_api_strict")

pytestmark = pytest.mark.filterwarnings("ignore")

#: Names that only the strict library has.
ITS_OWN = {
    "ArrayAPIStrictFlags", "Device", "__version__", "get_array_api_strict_flags", "reset_array_api_strict_flags",
    "set_array_api_strict_flags",
}  # fmt: skip
#: Names of 2025.12 that the strict library lacks.
NEWER = {"linalg.eig", "linalg.eigvals"}
DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip


def public(module: Any, prefix: str = "") -> set[str]:
    """The names below a module of the standard."""
    names = set()
    for name in module.__all__:
        if isinstance(getattr(module, name), types.ModuleType):
            names |= public(getattr(module, name), f"{name}.")
        else:
            names.add(prefix + name)
    return names - ITS_OWN


NAMES = sorted(public(strict))
FUNCTIONS = [name for name in NAMES if inspect.isfunction(named(strict, name))]


def test_every_name_is_there_and_no_other() -> None:
    assert len(NAMES) == 192
    assert [name for name in NAMES if not has(name)] == []
    ours = {name for name in xp.__all__ if name not in ("linalg", "fft")}
    for part in ("linalg", "fft"):
        ours |= {f"{part}.{name}" for name in dir(getattr(xp, part)) if not name.startswith("_")}
    assert ours - set(NAMES) == NEWER
    assert xp.__array_api_version__ == strict.__array_api_version__ == "2025.12"
    assert set(dir(xp)) > set(xp.__all__)


def has(name: str) -> bool:
    part, _, last = name.rpartition(".")
    return hasattr(getattr(xp, part) if part else xp, last)


def shown(function: Callable[..., Any]) -> list[tuple[str, object, object]]:
    """Parameters with their kinds and defaults; a default that means "not given" is None here."""
    return [
        (each.name, each.kind, None if "UNDEF" in repr(each.default) else each.default)
        for each in inspect.signature(function).parameters.values()
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name: str) -> None:
    assert shown(named(xp, name)) == shown(named(strict, name))


def test_namespace_info_and_inspection() -> None:
    ours, theirs = xp.__array_namespace_info__(), strict.__array_namespace_info__()
    assert ours.capabilities().keys() == theirs.capabilities().keys()
    assert {name: dtype.name for name, dtype in ours.default_dtypes(device="cpu").items()} == {
        name: str(dtype).rpartition(".")[2] for name, dtype in theirs.default_dtypes().items()
    }
    assert ours.default_device() in ours.devices()
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]
    for kind in (None, *kinds, ("bool", "integral")):
        assert ours.dtypes(kind=kind).keys() == theirs.dtypes(kind=kind).keys()
    with pytest.raises(ValueError, match="no device 'gpu'"):
        ours.dtypes(device="gpu")
    for name in DTYPES:
        one, other = getattr(xp, name), getattr(strict, name)
        assert [xp.isdtype(one, kind) for kind in kinds] == [strict.isdtype(other, kind) for kind in kinds]
        for also in DTYPES:
            assert xp.isdtype(one, getattr(xp, also)) is (name == also)
            assert xp.can_cast(one, getattr(xp, also)) == strict.can_cast(other, getattr(strict, also)), (name, also)
        if "int" in name:
            assert (xp.iinfo(one).max, xp.iinfo(one).min, xp.iinfo(one).bits) == (
                strict.iinfo(other).max, strict.iinfo(other).min, strict.iinfo(other).bits,
            )  # fmt: skip
        elif name != "bool":
            limits = operator.attrgetter("bits", "eps", "max", "min", "smallest_normal")
            assert limits(xp.finfo(one)) == limits(strict.finfo(other))
            assert xp.finfo(one).dtype.name == str(strict.finfo(other).dtype).rpartition(".")[2]
    with pytest.raises(TypeError, match="finfo takes a float or complex dtype, not int8"):
        xp.finfo(xp.int8)
    with pytest.raises(TypeError, match="iinfo takes an integer dtype, not float32"):
        xp.iinfo(xp.float32)


ARRAYS = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


def both(array: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """The same values in our arrays and in theirs."""
    theirs = strict.asarray(array.tolist() if array.size else [], dtype=getattr(strict, array.dtype.name))
    return xp.asarray(array), strict.reshape(theirs, array.shape)


def outcome(call: Callable[[], Any]) -> Any:
    """The result: dtypes, shapes and values, or that the call raised."""
    try:
        result = call()
    except Exception:  # each library has its own kinds
        return "raised"
    results = result if isinstance(result, tuple) else (result,)
    return [(dtype_name(each), each.shape, np.asarray(each)) for each in results]


def dtype_name(array: Any) -> str:
    return str(getattr(array.dtype, "name", array.dtype)).rpartition(".")[2]


def assert_same(name: str, ours: Any, theirs: Any) -> None:
    """Equal dtypes and shapes, values within rounding. Ours may raise where the standard defines no result."""
    if ours == "raised" or theirs == "raised":
        assert ours == "raised" or name in MORE, (name, ours, theirs)
        return
    for (dtype, shape, values), (their_dtype, their_shape, their_values) in zip(ours, theirs, strict=True):
        assert (dtype, shape) == (their_dtype, their_shape), name
        precision = 1e-4 if dtype in ("float32", "complex64") else 1e-9
        np.testing.assert_allclose(values, their_values, precision, precision, err_msg=name)
        if values.dtype.kind == "f" and name in SIGNED:
            np.testing.assert_array_equal(np.signbit(values), np.signbit(their_values), err_msg=name)


#: Calls that we compute and the strict library rejects: 0-d arrays, negative shifts.
MORE = {"cumulative_prod", "linalg.matrix_rank", "bitwise_left_shift", "bitwise_right_shift"}
#: Functions whose zeros and NaNs have a sign that the standard gives.
SIGNED = {"ceil", "floor", "trunc", "round", "copysign", "negative", "real", "square", "atan2", "maximum"}

#: Results for infinities and NaNs where the strict library follows NumPy and not the standard.
ITS_SPECIAL_VALUES = {("floor_divide", "f"), ("pow", "f"), ("expm1", "c"), ("sign", "c"), ("tanh", "c")}

#: Functions that the standard defines only for floats, and the strict library computes for more.
UNDEFINED = {("linalg.matrix_rank", dtype) for dtype in DTYPES if "float" not in dtype and "complex" not in dtype}

UNARY = [
    name for name in FUNCTIONS
    if [each.name for each in inspect.signature(named(strict, name)).parameters.values() if each.default is each.empty]
    == ["x"] and name not in ("from_dlpack", "unique_all", "empty_like")
]  # fmt: skip
BINARY = [
    name for name in FUNCTIONS
    if [each.name for each in inspect.signature(named(strict, name)).parameters.values() if each.default is each.empty]
    == ["x1", "x2"]
]  # fmt: skip
EVERYTHING = settings(
    max_examples=30, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def test_the_numbers_of_functions() -> None:
    assert (len(UNARY), len(BINARY)) == (95, 39)


SHAPES = [(), (0,), (3,), (2, 2), (3, 3), (2, 3, 3), (0, 2)]
SPECIAL = st.sampled_from([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.5, 1e-40, 1.0, 3.0, 0.5])


def elements(dtype: str) -> Any:
    """Small integers, and floats with all their special values."""
    if dtype == "bool":
        return st.booleans()
    if "int" in dtype:
        return st.integers(0 if dtype.startswith("u") else -5, 9)
    return SPECIAL if "float" in dtype else st.builds(complex, SPECIAL, SPECIAL)


def drawn(data: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    made = np.complex128 if "complex" in dtype else np.dtype(dtype)
    found = data.draw(hnp.arrays(made, shape, elements=elements(dtype)))
    return np.asarray(found).astype(dtype)


def compare(names: list[str], arrays: tuple[np.ndarray[Any, Any], ...]) -> None:
    ours, theirs = zip(*map(both, arrays), strict=True)
    finite = all(np.isfinite(array).all() for array in arrays)
    for name in names:
        if finite or not (name.startswith("linalg.") or (name, arrays[0].dtype.kind) in ITS_SPECIAL_VALUES):
            one = outcome(lambda n=name: named(xp, n)(*ours))  # type: ignore[misc] # mypy knows no default of a lambda
            other = outcome(lambda n=name: named(strict, n)(*theirs))  # type: ignore[misc] # the same
            assert_same(name, one, other)


@EVERYTHING
@given(st.data(), st.sampled_from(DTYPES), st.sampled_from(SHAPES))
def test_functions_of_one_array(data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    compare(UNARY, (drawn(data, dtype, shape),))


@EVERYTHING
@given(st.data(), st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.sampled_from(SHAPES), st.sampled_from(SHAPES))
def test_functions_of_two_arrays(
    data: Any, one: str, other: str, shape: tuple[int, ...], with_shape: tuple[int, ...]
) -> None:
    compare(BINARY, (drawn(data, one, shape), drawn(data, data.draw(st.sampled_from([one, other])), with_shape)))


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_every_function_of_the_strict_library_is_computed(name: str) -> None:
    """So agreement cannot come from functions that always raise."""
    computed = 0
    for dtype in DTYPES:
        arrays = [np.eye(3, dtype=dtype)] * (1 if name in UNARY else 2)
        if name in ("searchsorted", "cumulative_sum", "cumulative_prod", "linalg.outer"):  # functions of vectors
            arrays = [array[0] for array in arrays]
        ours, theirs = zip(*map(both, arrays), strict=True)
        one = outcome(lambda: named(xp, name)(*ours))  # noqa: B023 (called at once)
        other = outcome(lambda: named(strict, name)(*theirs))  # noqa: B023 (called at once)
        if other != "raised" and (name, dtype) not in UNDEFINED:
            assert_same(name, one, other)
            assert one != "raised", dtype
            computed += 1
    assert computed


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_plain_arrays_give_the_results_of_the_modules_arrays(name: str) -> None:
    """Dtypes, values and rejected calls, with NumPy's arrays and numbers in place of ours."""
    space = pr.namespace("array-api")
    for dtype in DTYPES:
        for array in (np.eye(3, dtype=dtype), np.ones(3, dtype), np.asarray(2, dtype), np.zeros((0, 3), dtype)):
            arrays = [array] * (1 if name in UNARY else 2)
            plain = outcome(lambda: named(space, name)(*arrays))  # noqa: B023 (called at once)
            ours = outcome(lambda: named(xp, name)(*map(xp.asarray, arrays)))  # noqa: B023 (called at once)
            assert (plain == "raised") is (ours == "raised"), dtype
            if plain != "raised":
                assert_same(name, plain, ours)


def test_the_floor_of_an_infinite_quotient_is_infinite() -> None:
    """Also under the operators."""
    for dtype in (xp.float32, xp.float64):
        infinite = xp.asarray([np.inf, -np.inf, np.inf, -np.inf, np.inf, 7.0, np.nan, 1.0], dtype=dtype)
        divisor = xp.asarray([2.0, 2.0, -2.0, -2.0, np.inf, 2.0, 2.0, -np.inf], dtype=dtype)
        expected = [np.inf, -np.inf, -np.inf, np.inf, np.nan, 3.0, np.nan, 0.0]
        target = xp.asarray(infinite, copy=True)
        target //= divisor
        for found in (infinite // divisor, xp.floor_divide(infinite, divisor), target):
            assert found.dtype is dtype
            np.testing.assert_array_equal(np.asarray(found), expected)
        scalar = infinite[0] // 2.0
        assert (scalar.shape, float(scalar)) == ((), np.inf)
    assert (xp.asarray([7, -7]) // 2).tolist() == [3, -4]


def test_roots_of_minus_infinity_as_powers() -> None:
    """Whatever the form of the exponent: for NumPy a 0-d one half is a square root."""
    for dtype in (xp.float32, xp.float64):
        base = xp.asarray([-np.inf, -0.0, 4.0, -4.0], dtype=dtype)
        for half in (0.5, xp.asarray(0.5, dtype=dtype), xp.full(4, 0.5, dtype=dtype)):
            target = xp.asarray(base, copy=True)
            target **= half
            for found in (base**half, xp.pow(base, half), target):
                assert found.dtype is dtype
                np.testing.assert_array_equal(np.asarray(found), [np.inf, 0.0, 2.0, np.nan])
                assert not np.signbit(np.asarray(found))[1]
        assert ((base[0] ** 0.5).dtype, (base[0] ** 0.5).shape, float(base[0] ** 0.5)) == (dtype, (), np.inf)
        root = (-np.inf) ** xp.asarray(0.5, dtype=dtype)
        assert (root.dtype, float(root)) == (dtype, np.inf)


def test_signatures_of_methods() -> None:
    array = xp.ones(1)
    for name in ("__dlpack__", "__dlpack_device__", "__array_namespace__", "to_device", "__complex__", "__index__"):
        ours, theirs = (inspect.signature(getattr(each, name)).parameters for each in (array, strict.ones(1)))
        assert list(ours) == list(theirs), name
    assert array.__dlpack__(max_version=(1, 0), copy=True)


xps = make_strategies_namespace(xp)


@EVERYTHING
@given(st.data())
def test_strategies_of_the_standard_draw_arrays_and_indices(data: Any) -> None:
    array = data.draw(xps.arrays(dtype=xps.scalar_dtypes(), shape=xps.array_shapes(min_dims=0, min_side=0)))
    plain = np.asarray(array).copy()
    key = data.draw(xps.indices(array.shape, allow_newaxis=True))
    assert array[key].dtype is array.dtype
    np.testing.assert_array_equal(np.asarray(array[key]), plain[key])
    mask = data.draw(xps.arrays(dtype=xp.bool, shape=array.shape))
    np.testing.assert_array_equal(np.asarray(array[mask]), plain[np.asarray(mask)])
    array[mask] = xp.zeros((), dtype=array.dtype)
    plain[np.asarray(mask)] = 0
    np.testing.assert_array_equal(np.asarray(array), plain)


@EVERYTHING
@given(st.data())
def test_0d_arrays_are_numbers(data: Any) -> None:
    array = data.draw(xps.arrays(dtype=xps.scalar_dtypes(), shape=()))
    kinds = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
    number = kinds[array.dtype.kind](array)
    assert type(number) is kinds[array.dtype.kind]
    np.testing.assert_array_equal(number, np.asarray(array)[()])
    assert type(complex(array)) is complex
    if array.dtype.kind in "iu":
        assert operator.index(array) == number
