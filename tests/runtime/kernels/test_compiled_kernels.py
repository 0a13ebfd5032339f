"""The compiled loops give the bits, warnings and layouts of ml_dtypes and NumPy."""

import sys
import warnings
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_runtime.kernels import compiled_kernels
from promo_runtime.kernels.compiled_kernels import COMPILED, COMPILED_CASTS
from tests.needed import needs
from tests.runtime.kernels.test_large_arrays import bits, layouts, pairs, peak

BINARY = sorted((ufunc for ufunc in COMPILED if ufunc.nin == 2), key=lambda ufunc: ufunc.__name__)
SIZE = 1 << 18

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled loops, for all arrays that are computed in pieces."""
    needs("numba")
    monkeypatch.setattr(compiled_kernels, "WORTH_COMPILING", 0)
    monkeypatch.setattr(compiled_kernels, "_loops", {})


def numbers(seed: int, size: int = SIZE) -> np.ndarray[tuple[int], np.dtype[ml_dtypes.bfloat16]]:
    """Numbers of all magnitudes; no NaN."""
    codes = np.random.default_rng(seed).integers(0, 1 << 16, size, np.uint16)
    codes[(codes & 0x7FFF) > 0x7F80] = 0x3F80
    return codes.view(ml_dtypes.bfloat16)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("ufunc", BINARY, ids=lambda ufunc: ufunc.__name__)
def test_all_values_beside_special_ones_and_random_pairs(ufunc: np.ufunc) -> None:
    function = getattr(pr.namespace("jax"), ufunc.__name__)
    one, other = pairs(pr.bfloat16)
    no_nan = ~(np.isnan(one) | np.isnan(other))  # pieces with a NaN are computed by ml_dtypes
    for left, right in ((one, other), (one[no_nan], other[no_nan]), (numbers(1, 1 << 22), numbers(2, 1 << 22))):
        for x, y in ((left, right), (right, left)):
            np.testing.assert_array_equal(bits(function(x, y)), bits(ufunc(x, y)))
    assert compiled_kernels._loops[ufunc] is not None


@pytest.mark.usefixtures("compiled")
def test_all_square_roots() -> None:
    every = np.tile(np.arange(1 << 16, dtype=np.uint16), 4).view(ml_dtypes.bfloat16)
    positive = every[every >= 0]
    space = pr.namespace("jax")
    for array in (every, positive):
        np.testing.assert_array_equal(bits(space.sqrt(array)), bits(np.sqrt(array)))
    assert compiled_kernels._loops[np.sqrt] is not None


@pytest.mark.usefixtures("compiled")
def test_a_loop_that_truncates_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_off(x: Any, y: Any, out: Any) -> None:
        exact = x.view(ml_dtypes.bfloat16).astype(np.float32) + y.view(ml_dtypes.bfloat16).astype(np.float32)
        out[...] = exact.view(np.uint32) >> 16

    monkeypatch.setitem(compiled_kernels._loops, np.add, cut_off)
    one, other = numbers(1), numbers(2)
    assert not np.array_equal(bits(pr.namespace("jax").add(one, other)), bits(one + other))


@pytest.mark.usefixtures("compiled")
def test_any_layout_and_operands_as_targets() -> None:
    space = pr.namespace("jax")
    one, other = numbers(3, 300_000).reshape(600, 500), numbers(4, 300_000).reshape(600, 500)
    expected = bits(one + other)
    for (name, left), (_, right) in product(layouts(one), layouts(other)):
        np.testing.assert_array_equal(bits(space.add(left, right)), expected, name)
    np.testing.assert_array_equal(bits(space.add(one, other[:1])), bits(one + other[:1]))
    np.testing.assert_array_equal(bits(space.multiply(one, 1.5)), bits(one * ml_dtypes.bfloat16(1.5)))
    byte = np.arange(300_000, dtype=np.int8).reshape(600, 500)
    np.testing.assert_array_equal(bits(space.multiply(one, byte)), bits(one * byte.astype(one.dtype)))
    for here, there in ((slice(None), slice(None)), (slice(1, None), slice(None, -1)), (slice(None, None, 2),) * 2):
        for with_nan in (False, True):
            data = numbers(5).copy()
            if with_nan:
                data[::50_000] = np.nan
            expected = bits(data[here] + data[there])
            target = pr.asarray(data, system="numpy", copy=False)[here]
            target += pr.asarray(data[there], system="numpy", copy=False)
            np.testing.assert_array_equal(bits(np.asarray(target)), expected)
            assert np.shares_memory(np.asarray(target), data)


@pytest.mark.usefixtures("compiled")
def test_warnings_and_memory_are_those_without_compiled_loops() -> None:
    space = pr.namespace("jax")
    ones = np.ones(SIZE, ml_dtypes.bfloat16)
    greatest = np.full(SIZE, ml_dtypes.finfo(ones.dtype).max)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space.divide(ones, ones)
        for name, x, y in (("divide", ones, ones * 0), ("divide", ones * 0, ones * 0), ("add", greatest, greatest)):
            messages = []
            for size in (10, SIZE):
                with pytest.raises(RuntimeWarning) as raised:
                    getattr(space, name)(x[-size:], y[-size:])
                messages.append(str(raised.value))
            assert messages[0] == messages[1]
    large = np.ones(4_000_000, ml_dtypes.bfloat16)
    assert peak(lambda: space.add(large, large)) < 2 << 20
    assert peak(lambda: space.add(large[::2], large[::2])) < 2 << 20


CASTS = sorted(COMPILED_CASTS, key=lambda ufunc: ufunc.__name__)
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3e38, 1.5, -2.5, 16777216.0], np.float32)


def floats_and_integers(kind: str, integer: str) -> tuple[Any, Any]:
    """Floats of all magnitudes with special ones among them, and integers up to the bounds of their dtype."""
    drawn = np.random.default_rng(8)
    some = drawn.integers(0, 1 << 32, SIZE, np.uint32).view(np.float32)
    some[::3] = np.resize(SPECIAL, some[::3].shape)
    limits = np.iinfo(integer)
    ends = np.array([0, 1, limits.min, limits.max, limits.max - 1], integer)
    numbers = drawn.integers(limits.min, limits.max, SIZE, integer, endpoint=True)
    numbers[::5] = np.resize(ends, numbers[::5].shape)
    return some.astype(kind), numbers


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("ufunc", CASTS, ids=lambda ufunc: ufunc.__name__)
@pytest.mark.parametrize(("kind", "integer"), [("float32", "int32"), ("float32", "uint64"), ("float64", "int64")])
def test_floats_beside_integers(ufunc: np.ufunc, kind: str, integer: str) -> None:
    function = getattr(pr.namespace("jax"), ufunc.__name__)
    one, other = floats_and_integers(kind, integer)
    for x, y in ((one, other), (other, one), (one[::2], other[::2]), (one.reshape(512, 512).T, other[:512])):
        expected, result = (np.ascontiguousarray(z) for z in (ufunc(x.astype(kind), y.astype(kind)), function(x, y)))
        np.testing.assert_array_equal(expected.view(np.uint8), result.view(np.uint8))
    target = pr.asarray(one, system="jax", copy=True)
    target += pr.asarray(other, system="jax")
    np.testing.assert_array_equal(np.asarray(target), one + other.astype(kind))
    used = {key for key in compiled_kernels._loops if isinstance(key, tuple)}
    assert {inputs for name, inputs, _ in used if name is ufunc} == {
        (one.dtype, other.dtype), (other.dtype, one.dtype)
    }  # fmt: skip


@pytest.mark.usefixtures("compiled")
def test_a_cast_that_truncates_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = floats_and_integers("float32", "int32")

    def cut_off(x: Any, y: Any, out: Any) -> None:
        np.add(x, y & ~0xFF, out=out, casting="unsafe", dtype=np.float32)

    monkeypatch.setitem(compiled_kernels._loops, (np.add, (one.dtype, other.dtype), one.dtype), cut_off)
    got = pr.namespace("jax").add(one, other)
    assert not np.array_equal(got, one + other.astype(np.float32), equal_nan=True)


@pytest.mark.usefixtures("compiled")
def test_casts_warn_and_use_memory_as_without_compiled_loops() -> None:
    space = pr.namespace("jax")
    ones, zeros = np.ones(SIZE, np.float32), np.zeros(SIZE, np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space.add(ones, zeros)
        messages = []
        for size in (10, SIZE):
            with pytest.raises(RuntimeWarning) as raised:
                space.divide(ones[-size:], zeros[-size:])
            messages.append(str(raised.value))
        assert messages[0] == messages[1]
    large = np.ones(4_000_000, np.float32)
    assert peak(lambda: space.add(large, large.astype(np.int32))) < (2 << 20) + 16_000_000


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for module in ("compiled_bfloat16", "compiled_casts"):
        monkeypatch.delitem(sys.modules, f"promo_runtime.kernels.{module}", raising=False)
    monkeypatch.setattr(compiled_kernels, "WORTH_COMPILING", 0)
    monkeypatch.setattr(compiled_kernels, "_loops", {})


@pytest.mark.usefixtures("without_numba")
def test_without_numba_the_bits_are_the_same() -> None:
    one, other = numbers(6), numbers(7)
    np.testing.assert_array_equal(bits(pr.namespace("jax").add(one, other)), bits(one + other))
    floats, integers = floats_and_integers("float32", "int32")
    expected = floats + integers.astype(np.float32)
    np.testing.assert_array_equal(bits(pr.namespace("jax").add(floats, integers)), bits(expected))
    assert set(compiled_kernels._loops.values()) == {None}
