"""Large arrays, computed in pieces, have the bits of the dtypes' own loops, in any layout, without copies."""

import tracemalloc
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtypes import Shaped
from promo_runtime.kernels.block_kernels import Casting, InPieces
from promo_runtime.kernels.byte_tables import ByteTable
from promo_runtime.kernels.elementwise_rows import ROWS
from promo_runtime.kernels.float32_kernels import InFloat32
from promo_runtime.kernels.numpy_kernels import NoLoopError, Step, _in_pieces
from promo_runtime.numpy_dtypes import numpy_dtype
from tests.slow_tests import slow_but

Array = np.ndarray[Any, Any]

LARGE = 1 << 18
"""Arrays of more elements are always computed in pieces."""

ARITHMETIC = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}
COMPARISONS = {"less": np.less, "less_equal": np.less_equal, "equal": np.equal, "not_equal": np.not_equal}
BYTES = [*dt.FLOAT8, dt.float6_e2m3fn, dt.float6_e3m2fn, dt.float4_e2m1fn]
SIXTEEN = [dt.bfloat16, dt.float16]

#: Zeros, least and greatest subnormal and normal numbers, infinities, quiet and signalling NaNs of both dtypes; beside
#: all 65,536 values of each.
SPECIAL = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x0080, 0x03FF, 0x0400, 0x3C00, 0x3F80, 0xBF80, 0x7BFF, 0x7C00, 0xFC00,
    0x7C01, 0x7E00, 0xFE12, 0x7F7F, 0x7F80, 0xFF80, 0x7F81, 0x7FC0, 0xFFC0, 0x7FFF, 0xFFFF,
]  # fmt: skip

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def bits(array: Array) -> Array:
    return array.view(f"u{array.itemsize}")


def every_value(dtype: type[Shaped]) -> Array:
    codes = 2 ** min(8 * numpy_dtype(dtype).itemsize, dtype.bits if dtype.bits >= 8 else 8)
    return np.arange(codes, dtype=f"u{numpy_dtype(dtype).itemsize}").view(numpy_dtype(dtype))


def pairs(dtype: type[Shaped]) -> tuple[Array, Array]:
    """All pairs of a dtype of one byte, repeated; for other dtypes all values beside special ones and a sample."""
    if numpy_dtype(dtype).itemsize == 1:
        one = every_value(dtype)
        return np.repeat(one, 5 * len(one)), np.tile(one, 5 * len(one))
    sample = np.random.default_rng(7).integers(0, 1 << 16, 15)
    one, other = every_value(dtype), np.array([*SPECIAL, *sample], np.uint16).view(numpy_dtype(dtype))
    return np.tile(one, len(other)), np.repeat(other, len(one))


def in_pieces_of(operation: str, *inputs: Any, compute: type[Shaped], result: type[Shaped]) -> InPieces | None:
    loop = [numpy_dtype(each) for each in (compute, compute, result)]
    return _in_pieces(Step(ROWS[operation], inputs, compute, result), tuple(loop), loop[-1])


@pytest.mark.parametrize(
    "dtype", slow_but([dt.bfloat16, dt.float8_e5m2], [*SIXTEEN, *BYTES]), ids=lambda dtype: dtype.name
)
def test_all_bits_are_those_of_the_dtypes_own_loops(dtype: type[Shaped]) -> None:
    one, other = pairs(dtype)
    assert one.size > LARGE
    space = pr.namespace("numpy" if dtype.name.startswith("float6_") else "jax")  # JAX lacks float6
    for name, ufunc in (ARITHMETIC | COMPARISONS).items():
        for left, right in ((one, other), (other, one)):
            np.testing.assert_array_equal(bits(getattr(space, name)(left, right)), bits(ufunc(left, right)), name)
    np.testing.assert_array_equal(bits(space.sqrt(one)), bits(np.sqrt(one)))


def test_a_second_rounding_is_found() -> None:
    one, other = pairs(dt.bfloat16)
    twice = (one.astype(np.float32) / other.astype(np.float32)).astype(np.float16).astype(one.dtype)
    assert not np.array_equal(bits(twice), bits(one / other))


def test_small_floats_are_computed_in_float32_or_looked_up() -> None:
    half, byte, single = (np.dtype(each) for each in (np.float16, ml_dtypes.float8_e4m3fn, np.float32))
    assert isinstance(in_pieces_of("add", half, half, compute=dt.float16, result=dt.float16), InFloat32)
    found = in_pieces_of("mul", byte, byte, compute=dt.float8_e4m3fn, result=dt.float8_e4m3fn)
    assert isinstance(found, ByteTable)
    assert in_pieces_of("add", single, single, compute=dt.float32, result=dt.float32) is None
    assert isinstance(in_pieces_of("add", single, np.dtype(int), compute=dt.float32, result=dt.float32), Casting)


@pytest.mark.parametrize("dtype", slow_but([dt.bfloat16], [dt.float16, dt.bfloat16, dt.float8_e5m2, dt.float8_e4m3fn]))
@pytest.mark.parametrize("operation", ["add", "divide", "pow", "remainder", "floor_divide"])
def test_other_operands_are_cast_as_in_small_arrays(dtype: type[Shaped], operation: str) -> None:
    rng = np.random.default_rng(1)
    array = rng.normal(size=LARGE + 100).astype(np.float32).astype(numpy_dtype(dtype))
    others: list[Any] = [rng.integers(1, 100, array.size).astype(np.int16), np.asarray(array[5]), 1.7, 3, True]
    function = getattr(pr.namespace("jax"), operation)
    for other in others:
        for left, right in ((array, other), (other, array)):
            found = function(left, right)
            starts = range(0, array.size, 100_000)
            small = [
                function(*(each[at : at + 100_000] if np.ndim(each) else each for each in (left, right)))
                for at in starts
            ]
            np.testing.assert_array_equal(bits(found), bits(np.concatenate(small)))


def outcome(function: Any, *operands: Any) -> Any:
    """The result; None if the system rejects the dtypes or NumPy has no loop."""
    try:
        return function(*operands)
    except (pr.PromotionError, NoLoopError):
        return None


@pytest.mark.parametrize("system", ["jax", "torch", "numpy"])
def test_mixed_operands_are_cast_as_in_small_arrays(system: str) -> None:
    space = pr.namespace(system)
    whole = np.random.default_rng(2).integers(-1000, 1000, LARGE + 1)
    parts = [slice(at, at + 100_000) for at in range(0, whole.size, 100_000)]
    names = ["bool", "int8", "uint16", "int32", "int64", "float32", "float64", "complex64"]
    for one, other, name in product(names, names, ["add", "multiply", "less_equal", "atan2"]):
        left, right, function = whole.astype(one), whole[::-1].astype(other), getattr(space, name)
        found, small = outcome(function, left, right), [outcome(function, left[at], right[at]) for at in parts]
        assert (found is None) is (small[0] is None)
        if found is not None:
            assert found.dtype == small[0].dtype
            assert found.tobytes() == np.concatenate(small).tobytes()


def layouts(array: Array) -> Iterator[tuple[str, Array]]:
    """The same 600 by 500 numbers, laid out in many ways."""
    yield "contiguous", array
    yield "in the order of columns", np.asfortranarray(array)
    yield "every other column", np.repeat(array, 2, axis=1)[:, ::2]
    yield "backwards", array[::-1, ::-1].copy()[::-1, ::-1]
    fixed = array.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed
    yield "odd address", np.concatenate([array.ravel()[:1], array.ravel()])[1:].reshape(array.shape)
    yield "bytes between", np.frombuffer(b"x" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)


@pytest.mark.parametrize("dtype", [dt.bfloat16, dt.float16, dt.float8_e4m3fn, dt.float32])
def test_any_layout_is_computed(dtype: type[Shaped]) -> None:
    space = pr.namespace("jax")
    rng = np.random.default_rng(3)
    one, other = (rng.normal(size=(600, 500)).astype(np.float32).astype(numpy_dtype(dtype)) for _ in range(2))
    mixed = rng.integers(0, 9, (600, 500)).astype(np.int8)
    expected = bits(one + other)
    for (name, left), (_, right) in product(layouts(one), layouts(other)):
        np.testing.assert_array_equal(bits(space.add(left, right)), expected, name)
    for name, right in layouts(mixed):
        found = space.multiply(one, right)
        np.testing.assert_array_equal(bits(found), bits(one * right.astype(one.dtype)), name)
    assert space.add(one.T, other.T).flags.f_contiguous
    assert space.add(np.asfortranarray(one), mixed).flags.f_contiguous
    assert space.add(one, mixed[:1]).shape == space.add(one[:, :1], mixed).shape == one.shape
    np.testing.assert_array_equal(bits(space.add(one[:, :1], other)), bits(one[:, :1] + other))
    np.testing.assert_array_equal(bits(space.add(one[:1], other.T[:, :7, None])), bits(one[:1] + other.T[:, :7, None]))
    assert space.add(one[:0], other[:0]).shape == (0, 500)
    swapped = np.arange(LARGE + 1, dtype=">i4")
    np.testing.assert_array_equal(space.add(swapped, np.float32(1)), swapped.astype(np.float32) + np.float32(1))


@pytest.mark.parametrize("dtype", [dt.bfloat16, dt.float16, dt.float8_e5m2])
def test_the_target_may_be_an_operand_or_overlap_one(dtype: type[Shaped]) -> None:
    start = np.random.default_rng(4).normal(size=3 * LARGE).astype(np.float32).astype(numpy_dtype(dtype))
    for left, right in (
        (slice(None), slice(None)),
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
        (slice(None, None, 2), slice(1, None, 2)),
    ):
        data = start.copy()
        target = pr.asarray(data, system="numpy", copy=False)[left]
        expected = start[left] + start[right]
        target += pr.asarray(data[right], system="numpy", copy=False)
        np.testing.assert_array_equal(bits(np.asarray(target)), bits(expected))
        assert np.shares_memory(np.asarray(target), data)


def test_in_place_keeps_the_array() -> None:
    whole = pr.asarray(np.arange(2 * LARGE, dtype=np.int32), system="torch")
    whole *= pr.asarray(np.full(2 * LARGE, 2, np.int8), system="torch")
    assert whole.dtype is pr.int32
    assert np.asarray(whole)[-1] == 2 * (2 * LARGE - 1)


CASES = [
    ("bfloat16", "bfloat16"), ("float16", "float16"), ("float8_e4m3fn", "float8_e4m3fn"), ("float32", "int32"),
    ("bfloat16", "int8"), ("float32", "bool"),
]  # fmt: skip


def peak(call: Any) -> int:
    """Bytes that a call uses beside its result."""
    call()
    tracemalloc.start()
    result = call()
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return int(used) - int(result.nbytes)


@pytest.mark.parametrize(("one", "other"), CASES)
def test_the_peak_of_memory_is_the_result_and_two_mebibytes(one: str, other: str) -> None:
    space = pr.namespace("jax")
    left, right = (space.ones(4_000_000, dtype=each) for each in (one, other))
    wrapped = pr.asarray(left, system="jax"), pr.asarray(right, system="jax")
    assert peak(lambda: space.add(left, right)) < 2 << 20
    assert peak(lambda: wrapped[0] * wrapped[1]) < 2 << 20
    assert peak(lambda: space.divide(left[::2], right[::2])) < 2 << 20


def test_a_copy_is_found() -> None:
    left, right = np.ones(4_000_000, np.float32), np.ones(4_000_000, np.int32)
    assert peak(lambda: np.add(left, right.astype(np.float32))) > 2 << 20


@pytest.mark.parametrize("dtype", [dt.bfloat16, dt.float16, dt.float8_e5m2, dt.float8_e4m3fn])
def test_warnings_are_those_of_small_arrays(dtype: type[Shaped]) -> None:
    space = pr.namespace("jax")
    ones = np.ones(4 * LARGE, numpy_dtype(dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space.divide(ones, ones)
        for operands in ((ones, ones * 0), (ones * 0, ones * 0)):
            messages = []
            for size in (10, ones.size):
                with pytest.raises(RuntimeWarning) as raised:
                    space.divide(*(each[-size:] for each in operands))
                messages.append(str(raised.value))
            assert messages[0] == messages[1]
        with np.errstate(all="ignore"):
            space.divide(ones, ones * 0)
