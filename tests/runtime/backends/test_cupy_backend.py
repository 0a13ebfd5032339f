"""The source of the GPU kernels, executed on this machine's processor. test_gpu.py uses the device."""

import re
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtypes import Shaped
from promo_runtime.backends import finding
from promo_runtime.backends.cuda_floats import small_float
from promo_runtime.backends.cuda_sources import source
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.kernels.elementwise_rows import ROWS
from promo_runtime.kernels.numpy_kernels import Step
from promo_runtime.numpy_dtypes import numpy_dtype
from tests.runtime.backends import host_cupy
from tests.slow_tests import slow_but

BYTES = dt.FLOAT8
MIXED = [
    (dt.int32, dt.float32), (dt.bfloat16, dt.float16), (dt.float8_e4m3fn, dt.bfloat16), (dt.bfloat16, dt.bfloat16),
    (dt.float8_e5m2, dt.float8_e5m2), (dt.int8, dt.bfloat16), (dt.uint8, dt.int8), (dt.bool_, dt.float16),
    (dt.int64, dt.float16), (dt.float16, dt.float32), (dt.bool_, dt.int32), (dt.uint32, dt.bfloat16),
]  # fmt: skip
OPERATIONS = ["add", "divide", "less"]

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def step(operation: str, *inputs: type[Shaped], compute: type[Shaped], result: type[Shaped]) -> Step:
    return Step(ROWS[operation], tuple(map(numpy_dtype, inputs)), compute, result)


def sample(dtype: type[Shaped], size: int = 3000) -> np.ndarray[Any, Any]:
    """Any bits of the dtype, without two NaNs of different signs at one place."""
    made = np.random.default_rng(dtype.bits).integers(0, 256, size * numpy_dtype(dtype).itemsize, dtype=np.uint8)
    if dtype is dt.bool_:
        return made < 128
    return made.view(numpy_dtype(dtype))


@pytest.fixture
def cupy(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    host_cupy.compiler()
    made = host_cupy.module(tmp_path_factory.mktemp("kernels"))
    monkeypatch.setitem(sys.modules, "cupy", made)
    monkeypatch.setattr(finding, "_made", {"numpy": NUMPY})
    return made


def same(one: Any, other: Any) -> bool:
    """The same dtype and bits. Any NaN equals any other: CUDA has one, and does not define which of two it keeps."""
    wide = [each.astype(np.float64) if each.dtype.kind in "fV" else each for each in (one, other)]
    nans = [np.isnan(each) for each in wide]
    alike = one.view(f"u{one.itemsize}") == other.view(f"u{other.itemsize}")
    return bool(one.dtype == other.dtype and np.array_equal(*nans) and (alike | nans[0]).all())


def system_of(dtype: type[Shaped]) -> str:
    """numpy for float8, which JAX does not promote; else jax."""
    return "numpy" if dtype is dt.float8_e4m3fn else "jax"


@pytest.mark.parametrize(
    ("one", "other"),
    [*MIXED[:3], *(pytest.param(*each, marks=pytest.mark.slow) for each in MIXED[3:])],
    ids=lambda dtype: dtype.name,
)
def test_kernels_compute_what_the_cpu_computes(one: type[Shaped], other: type[Shaped], cupy: Any) -> None:
    space = pr.namespace(system_of(one))
    left, right = sample(one), sample(other)[::-1]
    for name in OPERATIONS:
        try:
            expected = getattr(space, name)(left, right)
        except pr.PromotionError:
            continue
        found = getattr(space, name)(cupy.asarray(left), cupy.asarray(right))
        assert isinstance(found, cupy.ndarray)
        assert same(found.values, np.asarray(expected)), name
    assert cupy.ElementwiseKernel.built


def test_numbers_layouts_and_wrapped_arrays(cupy: Any) -> None:
    space = pr.namespace("jax")
    x = sample(dt.bfloat16, 12).reshape(3, 4)
    for number in (1.7, 3, True):
        assert same(space.multiply(cupy.asarray(x), number).values, space.multiply(x, number))
        assert same(space.subtract(number, cupy.asarray(x)).values, space.subtract(number, x))
    column = np.arange(3, dtype=np.int8)[:, None]
    assert same(space.add(cupy.asarray(x[:, ::2]), cupy.asarray(column)).values, space.add(x[:, ::2], column))
    assert same(space.sqrt(cupy.asarray(x.T)).values, space.sqrt(x.T))
    wrapped = pr.asarray(cupy.asarray(x), system="torch")
    assert (wrapped.backend, (wrapped + wrapped).dtype) == ("cupy", pr.bfloat16)
    with pytest.raises(TypeError, match=r"arrays of cupy \(GPU\) and numpy \(CPU\) do not mix"):
        space.add(cupy.asarray(x), x)
    before = list(cupy.ElementwiseKernel.built)
    single = np.ones(3, np.float32)
    assert same(space.add(cupy.asarray(single), cupy.asarray(single)).values, single + single)
    assert cupy.ElementwiseKernel.built == before  # CuPy's own function


@pytest.mark.parametrize("dtype", slow_but([dt.bfloat16], [dt.bfloat16, *BYTES]), ids=lambda dtype: dtype.name)
def test_small_floats_are_rounded_as_ml_dtypes_rounds(dtype: type[Shaped], cupy: Any) -> None:
    name, bits = dtype.name, f"u{numpy_dtype(dtype).itemsize}"
    narrow = cupy.ElementwiseKernel("float32 x", f"{np.dtype(bits).name} z", f"z = to_{name}(x)", f"to_{name}",
                                    preamble=small_float(dtype))  # fmt: skip
    widen = cupy.ElementwiseKernel(f"{np.dtype(bits).name} x", "float32 z", f"z = from_{name}(x)", f"from_{name}",
                                   preamble=small_float(dtype))  # fmt: skip
    codes = np.arange(256 ** np.dtype(bits).itemsize, dtype=bits)
    exact = codes.view(numpy_dtype(dtype)).astype(np.float32)
    wide = np.empty(codes.size, np.float32)
    widen(cupy.asarray(codes), cupy.asarray(wide))
    assert same(wide, exact)
    numbers = np.sort(exact[np.isfinite(exact)]).astype(np.float64)
    middles = ((numbers[1:] + numbers[:-1]) / 2).astype(np.float32)
    near = [np.nextafter(middles, np.float32(to)) for to in (-np.inf, np.inf)]
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, -1e-45, 3.4e38, -3.4e38], np.float32)
    some = np.random.default_rng(5).integers(0, 1 << 32, 100_000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    floats = np.concatenate([exact, middles, *near, special, some])
    found = np.empty(floats.size, bits)
    narrow(cupy.asarray(floats), cupy.asarray(found))
    np.testing.assert_array_equal(found, floats.astype(numpy_dtype(dtype)).view(bits))


def test_a_wrong_rounding_is_found(cupy: Any) -> None:
    wrong = small_float(dt.bfloat16).replace("+ (bits >> 16 & 1u)", "")
    assert wrong != small_float(dt.bfloat16)
    kernel = cupy.ElementwiseKernel("float32 x", "uint16 z", "z = to_bfloat16(x)", "wrong", preamble=wrong)
    ties = np.array([1 + 2**-8, 1 + 3 * 2**-8], np.float32)
    found = np.empty(2, np.uint16)
    kernel(cupy.asarray(ties), cupy.asarray(found))
    assert not np.array_equal(found, ties.astype(numpy_dtype(dt.bfloat16)).view(np.uint16))


def test_the_source_of_a_kernel() -> None:
    made = source(step("add", dt.int32, dt.float32, compute=dt.float32, result=dt.float32))
    assert made is not None
    assert (made.inputs, made.output) == ("int32 x, float32 y", "float32 z")
    assert (made.operation, made.preamble) == ("z = (float)((float)x + (float)y)", "")
    made = source(step("mul", dt.float8_e4m3fn, dt.bfloat16, compute=dt.bfloat16, result=dt.bfloat16))
    assert made is not None
    assert made.operation == "z = to_bfloat16(from_float8_e4m3fn(x) * from_bfloat16(y))"
    assert set(re.findall(r"__device__ inline [\w ]*?(\w+)\(", made.preamble)) == {
        f"{way}_{name}" for way, name in product(("from", "to"), ("bfloat16", "float8_e4m3fn"))
    }
    # bfloat16 holds all values of int8, but rounding is never left out for an integer.
    made = source(step("lt", dt.int8, dt.bfloat16, compute=dt.bfloat16, result=dt.bool_))
    assert made is not None
    assert made.operation == "z = (bool)(from_bfloat16(to_bfloat16((float)x)) < from_bfloat16(y))"


def test_operations_of_cupys_own_functions_have_no_source() -> None:
    assert source(step("add", dt.float32, dt.float32, compute=dt.float32, result=dt.float32)) is None
    assert source(step("pow", dt.bfloat16, dt.bfloat16, compute=dt.bfloat16, result=dt.bfloat16)) is None
    assert source(step("add", dt.complex64, dt.float32, compute=dt.complex64, result=dt.complex64)) is None
    assert source(step("add", dt.int32, dt.bfloat16, compute=dt.bfloat16, result=dt.int32)) is None
    assert source(step("truediv", dt.int8, dt.int32, compute=dt.int32, result=dt.int32)) is None
