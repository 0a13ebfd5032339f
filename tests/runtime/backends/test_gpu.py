"""On a GPU: CuPy compiles the kernels and computes what NumPy computes. All tests need a CUDA device.

Every pair of dtypes is a kernel to compile, which takes most of the time: a minute with `CUPY_ACCELERATORS= pytest -m
gpu -n 10`, which leaves out CUB's kernels, and four minutes without.
"""

import copy
import gc
import pickle
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.systems import get_system
from promo_runtime.backends import backend_named
from promo_runtime.kernels.numpy_kernels import NoLoopError
from promo_runtime.numpy_dtypes import NUMPY_DTYPES, numpy_dtype
from tests.needed import imported
from tests.runtime.backends.test_cupy_backend import MIXED, OPERATIONS, sample, system_of
from tests.runtime.functions import function_samples
from tests.runtime.functions.function_samples import arity, offered, ours, parts, shape
from tests.runtime.samples import BINARY, PYTHON, RIGHT, UNARY, own, values

cupy = imported("cupy")
try:
    GPU = backend_named("cupy")
except pr.BackendError as missing:
    pytest.skip(str(missing), allow_module_level=True)

pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore")]

SYSTEMS = ["numpy", "jax", "torch", "cupy", "array-api"]
#: Functions that CuPy lacks under their name and in any other form.
LACKING = frozenset({"spacing", "nanquantile", "nanpercentile", "insert", "geomspace"})
#: Functions that CuPy has only for real numbers; NumPy orders or bins complex ones by their real parts first.
LACKING_COMPLEX = frozenset({"hard_sigmoid", "hard_silu", "hard_tanh", "relu6", "histogram"})
#: Below this a float32 is subnormal, and CuPy's compiler flushes it to zero.
NORMAL = 2.0**-126


def on_gpu(array: Any, dtype: type[Shaped] | None = None) -> Any:
    return GPU.asarray(array, dtype or pr.asarray(array, system="numpy").dtype)


def from_gpu(array: Any) -> np.ndarray[Any, Any]:
    return GPU.to_numpy(array)


def alike(found: Any, expected: Any, what: object) -> None:
    """The same dtype, and values that differ at most by rounding."""
    found, expected = from_gpu(found), np.asarray(expected)
    assert found.dtype == expected.dtype, what
    one, other = (each.astype(complex) for each in (found, expected))
    coarse = {"bfloat16": 1e-2, "float16": 2e-3}.get(expected.dtype.name, 1e-5 if expected.dtype.kind in "fc" else 0)
    if expected.dtype.itemsize == 1 and expected.dtype.kind == "V":
        coarse = 0.25  # floats of one byte: neighbours
    assert np.allclose(one, other, rtol=coarse, atol=coarse, equal_nan=True), (what, found, expected)


@pytest.mark.parametrize(("one", "other"), MIXED, ids=lambda dtype: dtype.name)
def test_every_bit_is_that_of_the_cpu(one: type[Shaped], other: type[Shaped]) -> None:
    space = pr.namespace(system_of(one))
    left, right = sample(one, 1 << 20), sample(other, 1 << 20)[::-1].copy()
    for name in OPERATIONS:
        try:
            expected = np.asarray(getattr(space, name)(left, right))
        except pr.PromotionError:
            continue
        result = getattr(space, name)(on_gpu(left), on_gpu(right))
        assert isinstance(result, cupy.ndarray)
        found = from_gpu(result)
        assert found.dtype == expected.dtype
        flushed = sum(_is_flushed(each) for each in (left, right, expected)).astype(bool)
        assert flushed.mean() < 0.1
        nan = np.isnan(expected.astype(np.float64))
        bits = [each.view(f"u{each.itemsize}") for each in (found, expected)]
        assert np.array_equal(np.isnan(found.astype(np.float64)) | flushed, nan | flushed), name
        assert ((bits[0] == bits[1]) | nan | flushed).all(), name


def _is_flushed(numbers: np.ndarray[Any, Any]) -> Any:
    magnitude = np.abs(numbers.astype(np.float64))
    return (magnitude > 0) & (magnitude <= NORMAL)


@pytest.mark.parametrize(
    ("system", "operation"),
    [
        (system, each)
        for system in SYSTEMS
        for each in sorted({*BINARY, *UNARY})
        if each in pr.namespace(system).operations
    ],
)
def test_operations_compute_what_numpy_computes(system: str, operation: str) -> None:
    rules, space = get_system(system), pr.namespace(system)
    dtypes = [dtype for dtype in own(rules) if not dtype.weak]
    computed = 0
    for place, one in enumerate(dtypes):
        left, right = values(one), values(dtypes[place * 7 % len(dtypes)], RIGHT)
        pairs: list[tuple[Any, Any]] = [(left, on_gpu(left))]
        if operation in BINARY:
            number = list(PYTHON.values())[place % len(PYTHON)]
            pairs.append((right, on_gpu(right)) if place % 3 else (number, number))
        try:
            expected = space.operations[operation](*(each for each, _ in pairs))
        except TypeError:
            with pytest.raises(TypeError):
                space.operations[operation](*(each for _, each in pairs))
            continue
        made = space.operations[operation](*(each for _, each in pairs))
        for result, cpu in zip(parts(made), parts(expected), strict=True):
            assert isinstance(result, cupy.ndarray)
            alike(result, cpu, (one.name, dtypes[place * 7 % len(dtypes)].name))
        computed += 1
    assert computed or operation in ("matmul", "invert", "lshift", "rshift", "and", "or", "xor")


@pytest.mark.parametrize("name", sorted({name for system in ("jax", "numpy", "torch") for name, _ in offered(system)}))
def test_functions_compute_what_numpy_computes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for system in ("jax", "numpy", "torch"):
        function = dict(offered(system)).get(name)
        dtypes = DTYPES & set(own(get_system(system))) if function is not None else set()
        for dtype in sorted(dtypes, key=lambda each: each.name):
            assert function is not None
            plain = values(dtype, shape(name))
            try:
                expected: Any = ours(system, name, [plain] * arity(function))
            except (TypeError, NotImplementedError) as error:
                expected = error
            with monkeypatch.context() as moved:
                for table in (function_samples.EXTRA, function_samples.BEFORE):
                    for key, value in table.items():
                        moved.setitem(table, key, _moved(value))
                _compare(
                    expected, partial(ours, system, name, [on_gpu(plain)] * arity(function)), name, (system, dtype)
                )


DTYPES = {dt.float32, dt.int32, dt.bool_, dt.complex64, dt.bfloat16, dt.float8_e4m3fn, dt.int4}


def _moved(value: Any) -> Any:
    """An argument, with the arrays in it moved to the GPU."""
    if isinstance(value, tuple):
        return tuple(map(_moved, value))
    return on_gpu(value) if isinstance(value, np.ndarray) else value


def _compare(expected: Any, call: Callable[[], Any], name: str, what: tuple[str, type[Shaped]]) -> None:
    if isinstance(expected, NoLoopError):  # the rules give a dtype, and NumPy no value: CuPy may
        return
    if isinstance(expected, Exception):  # rejected, or no rule
        with pytest.raises((TypeError, NotImplementedError)):
            call()
        return
    if name in LACKING or (name in LACKING_COMPLEX and what[1].kind == "c"):
        with pytest.raises((TypeError, NotImplementedError)):
            call()
        return
    try:
        made = call()
    except pr.UnknownResultError:  # the dtype depends on NumPy's values, and these are not NumPy's
        assert what[0] == "numpy"
        return
    for result, cpu in zip(parts(made), parts(expected), strict=True):
        assert isinstance(result, cupy.ndarray), what
        assert (result.shape, result.dtype) == (np.shape(cpu), np.asarray(cpu).dtype), what
        if not (_has_other_signs(name) or (name == "logit" and what[1].kind == "c")):
            alike(result, cpu, what)


def _has_other_signs(name: str) -> bool:
    """Whether the result is one of several: eigenvectors, uninitialized memory, parts in any order."""
    return name in {"linalg.eigh", "linalg.eig", "linalg.svd", "linalg.qr", "empty_like", "argpartition", "partition"}


@pytest.mark.parametrize("source", NUMPY_DTYPES, ids=lambda dtype: dtype.name)
def test_casts_are_those_of_numpy(source: type[Shaped]) -> None:
    if source.name in NOT_IN_CUPY:
        with pytest.raises(TypeError, match=f"CuPy has no arrays of {source.name}"):
            on_gpu(np.ones(3), source)
        return
    numbers = [1, 2] if source is dt.float8_e8m0fnu else [0, 1] if source.bits <= 2 else [0, 1, 2, 3, 5, 7]
    host = np.array(numbers, np.float32).astype(numpy_dtype(source))
    compared = 0
    for target, wanted in NUMPY_DTYPES.items():
        if target.name in NOT_IN_CUPY:
            continue
        try:
            expected = host.astype(wanted)
        except TypeError:  # ml_dtypes has no cast between some of its dtypes
            continue
        found = from_gpu(GPU.cast(on_gpu(host, source), target, copy=True))
        assert found.dtype == wanted
        assert found.tobytes() == expected.tobytes(), target
        compared += 1
    assert compared > 10


#: Dtypes of NumPy and ml_dtypes without arrays in CuPy.
NOT_IN_CUPY = frozenset({"float128", "complex256", "complex32", "bcomplex32"})


@pytest.mark.parametrize("target", [dt.bfloat16, *dt.FLOAT8], ids=lambda dtype: dtype.name)
def test_floats_are_rounded_as_ml_dtypes_rounds(target: type[Shaped]) -> None:
    some = np.random.default_rng(5).integers(0, 1 << 32, 1 << 20, dtype=np.uint64).astype(np.uint32).view(np.float32)
    near = np.random.default_rng(6).normal(0, 20, 1 << 20)
    for host in (some[~_is_flushed(some)], near, near.astype(np.float16)):
        found = from_gpu(GPU.cast(on_gpu(host), target))
        expected = host.astype(numpy_dtype(target))
        nan = np.isnan(expected.astype(np.float32))
        bits = [each.view(f"u{each.itemsize}") for each in (found, expected)]
        assert ((bits[0] == bits[1]) | (nan & np.isnan(found.astype(np.float32)))).all()


def test_layouts() -> None:
    space = pr.namespace("jax")
    host = np.arange(4 * 9, dtype=np.int32).reshape(4, 9)
    small = np.linspace(-2, 2, 36, dtype=np.float32).reshape(4, 9).astype(numpy_dtype(dt.bfloat16))
    views: dict[str, Any] = {
        "whole": lambda x: x, "from the second": lambda x: x.reshape(-1)[1:], "every other": lambda x: x[:, ::2],
        "transposed": lambda x: x.T, "backwards": lambda x: x[::-1], "empty": lambda x: x[:0],
        "0-d": lambda x: x[1, 2, ...],
        "a column": lambda x: x[:, :1], "three": lambda x: x.reshape(-1)[:3], "five": lambda x: x.reshape(-1)[4:9],
    }  # fmt: skip
    for name, view in views.items():
        one, other = view(host), view(small)
        alike(space.add(view(on_gpu(host)), view(on_gpu(small))), space.add(one, other), name)
        alike(space.multiply(view(on_gpu(small)), 1.5), space.multiply(other, 1.5), name)
        alike(space.subtract(2, view(on_gpu(small))), space.subtract(2, other), name)
        alike(space.sqrt(view(on_gpu(small))), space.sqrt(other), name)
    row = on_gpu(small[:1])
    alike(space.add(on_gpu(host), row), space.add(host, small[:1]), "broadcast")
    alike(space.add(on_gpu(host[:, :1]), row), space.add(host[:, :1], small[:1]), "broadcast both ways")
    assert space.add(on_gpu(host).T, on_gpu(small).T).shape == (9, 4)


def test_plans_distinguish_arrays_of_several_dtypes() -> None:
    space = pr.namespace("jax")
    for _ in range(2):
        for one, other in product(("int8", "int32", "float32", "bfloat16"), repeat=2):
            left, right = (np.ones(3, numpy_dtype(dt.parse(each))) for each in (one, other))
            alike(space.add(on_gpu(left), on_gpu(right)), space.add(left, right), (one, other))
            alike(space.concat([on_gpu(left), on_gpu(right)]), space.concat([left, right]), (one, other))
            alike(space.where(on_gpu(left) > 0, on_gpu(left), on_gpu(right)), space.where(left > 0, left, right), one)
            alike(space.sum(on_gpu(left)), space.sum(left), one)
            scalar = np.float32(2) if one == "int8" else np.int64(2)
            alike(space.multiply(on_gpu(right), scalar), space.multiply(right, scalar), (one, other))
    zero_d = on_gpu(np.ones((), np.float64))
    torch = pr.namespace("torch")
    for _ in range(2):
        assert torch.add(on_gpu(np.ones(3, np.float32)), zero_d).dtype == np.float32
        assert torch.add(on_gpu(np.ones(3, np.float32)), zero_d.reshape(1)).dtype == np.float64


@pytest.mark.parametrize(
    "dtype", [dt.float32, dt.bfloat16, dt.float8_e5m2, dt.int4, dt.bool_], ids=lambda each: each.name
)
def test_wrapped_arrays(dtype: type[Shaped]) -> None:
    host = values(dtype, [[0, 1], [1, 0]])
    a = pr.asarray(on_gpu(host), dtype=dtype, system="jax")
    assert (a.backend, a.dtype, a.shape, a.tolist()) == ("cupy", dtype, (2, 2), host.tolist())
    assert "backend=cupy" in repr(a)
    assert a[0, 1].item() == host[0, 1].item()
    assert [row.tolist() for row in a] == host.tolist()
    assert a.copy().tolist() == a.T.tolist() == copy.deepcopy(a).tolist() == host.tolist()
    assert a.reshape(-1).tolist() == [each for row in host.tolist() for each in row]
    again = pickle.loads(pickle.dumps(a))
    assert (again.dtype, again.backend, again.tolist()) == (dtype, "cupy", host.tolist())
    assert a[a.astype(pr.bool_)].tolist() == host[host.astype(bool)].tolist()
    assert a[:, ::-1].tolist() == host[:, ::-1].tolist()
    assert (a == a).tolist() == [[True, True], [True, True]]
    with pytest.raises(TypeError, match=r"arrays of cupy \(GPU\) and numpy \(CPU\) do not mix"):
        pr.namespace("jax").concat([a, pr.asarray(host, dtype=dtype, system="jax")])
    with pr.backend("cupy"):
        made = pr.asarray([[0, 1], [1, 0]], dtype=dtype, system="jax")
        zeros = pr.namespace("jax").zeros((2, 2), dtype=dtype)
    assert made.tolist() == host.tolist()
    assert isinstance(zeros, cupy.ndarray)
    assert not from_gpu(zeros).astype(np.float32).any()
    if dtype in (dt.float32, dt.bfloat16, dt.bool_):
        b = pr.asarray(on_gpu(host), dtype=dtype, system="torch")
        data = b._data
        b += b
        assert b._data is data
        b[0] = b[1]
        assert b.tolist()[0] == b.tolist()[1]


def test_operators_of_wrapped_arrays() -> None:
    a = pr.asarray(on_gpu(np.array([1, 2, 3], np.int32)), system="jax")
    half = on_gpu(np.ones(3, np.float16))
    assert ((a + half).dtype, (half + a).dtype, (half + a).backend) == (pr.float16, pr.float16, "cupy")
    assert np.add(a, half).dtype == pr.float16
    with pytest.raises(TypeError, match="Unsupported type"):  # CuPy's functions ask no other class for its rules
        cupy.add(half, a)
    assert ((a + np.float32(1)).dtype, (np.float32(1) + a).dtype) == (pr.float32, pr.float32)
    assert ((a / 2).dtype, (2 - a).tolist(), (a @ a).item()) == (pr.float32, [1, 0, -1], 14)
    assert (a.sum().item(), a.mean().dtype, (a > 1).tolist()) == (6, pr.float32, [False, True, True])
    assert divmod(a, 2)[1].tolist() == [1, 0, 1]
    assert cupy.from_dlpack(a).tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="not allowed"):  # CuPy's: no implicit copy to the CPU
        np.asarray(a)
    with pytest.raises(TypeError, match="do not mix"):
        a + np.ones(3)
    assert set(pr.namespace("torch").in_place) == set(IN_PLACE)
    b = pr.asarray(on_gpu(np.array([1, 2, 3], np.int32)), system="torch")
    b += on_gpu(np.array([1, 1, 1], np.int8))
    assert (b.dtype, b.tolist()) == (pr.int32, [2, 3, 4])
    with pytest.raises(pr.PromotionError):
        b += half
    with pytest.raises(OverflowError):
        pr.asarray(on_gpu(np.ones(3, np.uint8)), system="numpy") + 300


def test_no_memory_is_kept() -> None:
    space, pool = pr.namespace("jax"), cupy.get_default_memory_pool()
    one, other = on_gpu(np.ones(1 << 16, np.int32)), on_gpu(np.ones(1 << 16, np.float32))
    space.add(one, other), space.sum(one)
    gc.collect()
    before = pool.used_bytes()
    for _ in range(1000):
        space.add(one, other), space.sum(one), space.multiply(one, 1.5)
    gc.collect()
    assert pool.used_bytes() <= before
