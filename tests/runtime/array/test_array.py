"""`Array`: operators, items, conversions, and operations that it does not support."""

import copy
import gc
import operator
import pickle
import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.systems import get_system
from promo_runtime.array.operators import Operators
from tests.needed import imported


def made(system: str = "numpy", dtype: type[Shaped] = pr.float32, data: Any = (1, 2, 3)) -> pr.Array[Any]:
    return pr.asarray(list(data) if isinstance(data, tuple) else data, dtype=dtype, system=system)


def test_the_example_of_the_documentation() -> None:
    xp = pr.namespace("jax")
    y = xp.add(np.array([1], np.int32), np.array([2], np.float32))
    assert type(y) is np.ndarray
    assert (y.dtype, y.tolist()) == (np.float32, [3.0])
    a = pr.asarray([1, 2, 3], dtype=pr.bfloat16, system="torch")
    b = a + 1.5
    assert repr(b) == "Array([2.5, 3.5, 4.5], dtype=bfloat16, system=torch, backend=numpy)"


def test_every_operator_of_the_rules_is_defined() -> None:
    assert [method for method in OPERATORS if method not in vars(Operators)] == []


def test_arrays_are_made_by_asarray_only() -> None:
    with pytest.raises(TypeError, match="asarray"):
        pr.Array()


def test_attributes() -> None:
    a = made(data=[[1, 2, 3], [4, 5, 6]], dtype=pr.int16)
    assert (a.shape, a.ndim, a.size, a.nbytes, len(a)) == ((2, 3), 2, 6, 12, 2)
    assert (a.dtype, a.weak, a.system, a.backend, a.device) == (pr.int16, False, "numpy", "numpy", "cpu")
    assert a.T.tolist() == a.mT.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert a.reshape(3, 2).shape == a.reshape((3, 2)).shape == (3, 2)


def test_python_numbers_are_weak_in_jax_only() -> None:
    weak = pr.asarray(1.5, system="jax")
    assert (weak.dtype, weak.weak, weak.ndim) == (pr.float64, True, 0)
    assert repr(weak) == "Array(1.5, dtype=float64*, system=jax, backend=numpy)"
    assert (weak + made("jax", pr.bfloat16)).dtype is pr.bfloat16
    assert not pr.asarray([1.5], system="jax").weak
    assert not pr.asarray(1.5, system="torch").weak
    assert (made("jax", pr.uint64) + made("jax", pr.int8)).weak
    assert pr.asarray(2, dtype=pr.weak_int64, system="jax").weak
    assert not weak.astype(pr.float64).weak
    assert weak.reshape(1).weak


@pytest.mark.parametrize(
    ("system", "data", "dtype"),
    [
        ("numpy", [1], pr.int64), ("numpy", [1.0], pr.float64), ("numpy", [True, 1], pr.int64),
        ("numpy", [], pr.float64), ("numpy", 2**63, pr.uint64),
        ("jax", [1], pr.int64), ("jax", 1j, pr.weak_complex128), ("jax-x32", [1], pr.int32),
        ("jax-x32", [[1.0], [2]], pr.float32), ("torch", [1.0, 2j], pr.complex64), ("torch", [1.0], pr.float32),
        ("torch", [], pr.float32), ("array-api", [1], pr.int64), ("torch", True, pr.bool_), ("jax", True, pr.bool_),
    ],
)  # fmt: skip
def test_the_dtype_of_python_numbers(system: str, data: Any, dtype: type[Shaped]) -> None:
    assert pr.asarray(data, system=system)._type.dtype is dtype


def test_without_a_default_a_dtype_is_required() -> None:
    with pytest.raises(TypeError, match="asarray needs a dtype: what tensorflow-numpy-all uses without one"):
        pr.asarray([1.0], system="tensorflow-numpy-all")
    assert pr.asarray([1.0], dtype="float32", system="tensorflow-numpy-all").dtype is pr.float32


def test_wide_dtypes_are_narrowed_if_the_library_lacks_them() -> None:
    assert pr.asarray(np.arange(3), system="jax-x32").dtype is pr.int32
    assert made("jax-x32", pr.float64)._data.dtype == np.float32
    assert pr.namespace("jax-x32").add(np.arange(3), np.arange(3)).dtype == np.int32
    assert pr.namespace("jax-x32").flip(np.arange(3)).dtype == np.int32


@pytest.mark.parametrize("data", ["abc", [np.float32(1)], [np.ones(2)], object(), [None]])
def test_data_other_than_numbers_are_rejected(data: object) -> None:
    with pytest.raises(TypeError):
        pr.asarray(data)


def test_an_int_out_of_range_is_rejected() -> None:
    with pytest.raises(OverflowError):
        pr.asarray([300], dtype=pr.uint8)
    with pytest.raises(pr.PromotionError):
        pr.asarray([1.0], dtype=pr.float16, system="array-api")


def test_views_and_copies() -> None:
    data = np.arange(3.0)
    a = pr.asarray(data)
    data[0] = 7
    assert a.tolist() == [7, 1, 2]
    a[1] = 8
    assert data.tolist() == [7, 8, 2]
    b, c, d = a.copy(), copy.copy(a), copy.deepcopy(a)
    e, f = pr.asarray(a, copy=True), a.astype(pr.float64)
    a[2] = 9
    assert [each.tolist()[2] for each in (b, c, d, e, f)] == [2.0] * 5
    assert a.astype(pr.float64, copy=False)._data is a._data
    with pytest.raises(ValueError, match="needs a copy"):
        pr.asarray(data, dtype=pr.float32, copy=False)


def test_an_integer_index_gives_a_zero_d_view() -> None:
    a = made("torch")
    first = a[0]
    assert (first.ndim, first.dtype) == (0, pr.float32)
    first += 5
    assert a.tolist() == [6, 2, 3]
    assert made("torch", pr.int8)[1].item() == 2
    assert (made("torch", pr.int8) + made("torch", pr.int64)[0]).dtype is pr.int8


def test_indexing_takes_arrays_masks_and_slices() -> None:
    a = made(data=[[1, 2, 3], [4, 5, 6]])
    assert a[a > 2].tolist() == [3, 4, 5, 6]
    assert a[pr.asarray([1, 0])].tolist() == [[4, 5, 6], [1, 2, 3]]
    assert a[pr.asarray([1]), 1:].tolist() == [[5, 6]]
    assert a[..., None].shape == (2, 3, 1)
    a[a > 4] = made(data=[7, 8])
    assert a.tolist() == [[1, 2, 3], [4, 7, 8]]
    assert [row.tolist() for row in a] == a.tolist()
    with pytest.raises(TypeError, match="0-d"):
        iter(a[0, 0])


def test_immutable_libraries_have_immutable_arrays() -> None:
    for system in ("jax", "tensorflow"):
        a = made(system)
        with pytest.raises(TypeError, match=f"arrays under {system} promotion are immutable"):
            a[0] = 1
    a = b = made("jax", pr.int8)
    b += 1.5
    assert (a.tolist(), a.dtype) == ([1, 2, 3], pr.int8)
    assert b.dtype is pr.float64
    assert b.weak


def test_in_place_keeps_the_dtype_or_raises() -> None:
    for system in ("numpy", "torch"):
        a = view = made(system, pr.float32)
        a += made(system, pr.float64)
        assert a is view
        assert (a.dtype, a.tolist()) == (pr.float32, [2, 4, 6])
        integers = made(system, pr.int16)
        with pytest.raises(pr.PromotionError, match=r"int16 \*= float"):
            integers *= 2.5
        integers <<= 1
        integers **= 2
        assert (integers.dtype, integers.tolist()) == (pr.int16, [4, 16, 36])
    small = made("torch", pr.uint8)
    small += 300
    assert small.tolist() == [45, 46, 47]
    matrix = made(data=[[1, 2], [3, 4]], dtype=pr.int8)
    matrix @= matrix
    assert (matrix.dtype, matrix.tolist()) == (pr.int8, [[7, 10], [15, 22]])


def test_in_place_on_overlapping_views() -> None:
    a = pr.asarray(np.arange(6, dtype=np.float32))
    a[1:] += a[:-1]
    assert a.tolist() == [0, 1, 3, 5, 7, 9]
    b = made("torch", pr.bfloat16, tuple(range(6)))
    b[1:] += b[:-1]
    assert b.tolist() == [0, 1, 3, 5, 7, 9]
    c = pr.asarray(np.arange(5, dtype=np.int8))
    c[1:] **= c[:-1]
    assert c.tolist() == [0, 1, 2, 9, 64]


def test_read_only_values_are_read_but_not_written() -> None:
    data = np.arange(3, dtype=np.int16)
    data.flags.writeable = False
    a = pr.asarray(data, system="torch")
    assert (a + 1.5).dtype is pr.float32
    with pytest.raises(ValueError, match="read-only"):
        a += 1
    with pytest.raises(ValueError, match="read-only"):
        a[0] = 1


@pytest.mark.parametrize("system", ["numpy", "jax", "torch"])
def test_shapes_and_strides_of_all_kinds(system: str) -> None:
    data = np.arange(24, dtype=np.int32).reshape(4, 6)
    for part in (data[::2, ::-3], data.T, data[:0], data[1:2, :, None], np.asfortranarray(data), data.astype(">i4")):
        expected = part.astype(np.float16) + np.float16(1)
        bfloat16 = (part.astype(np.float32) + 1).astype(ml_dtypes.bfloat16)
        plain = pr.namespace(system).add(part, np.ones_like(part, dtype=np.float16, order="C"))
        wrapped = pr.asarray(part, system=system) + np.ones_like(part, dtype=ml_dtypes.bfloat16)
        if system != "numpy":
            assert (plain.dtype, plain.tolist()) == (np.float16, expected.tolist())
            assert (wrapped._data.dtype, wrapped.tolist()) == (bfloat16.dtype, bfloat16.tolist())
        assert plain.shape == wrapped.shape == part.shape
    zero_d = pr.asarray(np.asarray(2, np.int8), system=system) * made(system, pr.int8, data=3)
    assert (zero_d.ndim, zero_d.dtype, zero_d.item()) == (0, pr.int8, 6)
    assert isinstance(zero_d._data, np.ndarray)


def test_shapes_that_do_not_match_raise_numpys_error() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        made() + made(data=[1, 2])


def test_numpy_on_either_side_follows_the_arrays_system() -> None:
    a = made("jax", pr.int32)
    floats = np.array([1, 2, 3], np.float32)
    for result in (a + floats, floats + a, np.float32(1) + a, a + np.float32(1)):
        assert isinstance(result, pr.Array)
        assert result.dtype is pr.float32
    product: Any = np.multiply(a, np.ones(3, np.float16))
    assert product.dtype is pr.float16
    data: Any = np.arange(3, dtype=np.float32)
    data += made("torch", pr.float64)
    assert (data.dtype, data.tolist()) == (np.float32, [1, 3, 5])
    parts: Any = np.divmod(made(dtype=pr.int8), 2)
    assert (parts[0].dtype, parts[1].tolist()) == (pr.int8, [1, 0, 1])


def test_ufuncs_with_out() -> None:
    a: Any = made("torch", pr.float64)
    out: Any = made("torch", pr.float32)
    assert np.add(a, a, out=out) is out
    assert out.tolist() == [2, 4, 6]
    np.add(out, 1, out=out)
    assert out.tolist() == [3, 5, 7]
    with pytest.raises(pr.PromotionError, match="does not cast to int8 in place"):
        np.add(a, a, out=np.zeros(3, np.int8))
    with pytest.raises(TypeError, match="immutable"):
        np.add(made("jax"), 1, out=np.zeros(3))


@pytest.mark.parametrize(
    "call",
    [
        lambda a: np.spacing(a), lambda a: np.add.reduceat(a, [0]), lambda a: np.add(a, a, dtype=np.float64),
        lambda a: np.hypot.reduce(a), lambda a: np.sum(a, initial=1), lambda a: np.subtract.at(a, [0], a),
        lambda a: np.gradient(a), lambda a: np.block([a]),
    ],
)  # fmt: skip
def test_numpy_functions_without_a_rule_raise(call: Any) -> None:
    with pytest.raises(TypeError, match="jax promotion"):
        call(made("jax"))


def test_other_operands_are_left_to_python() -> None:
    class Right:
        def __radd__(self, other: object) -> str:
            return "radd"

    a = made()
    assert a + Right() == "radd"
    for other in ("1", None, [1, 2, 3]):
        with pytest.raises(TypeError):
            a + other  # type: ignore[operator] # the error under test
    assert (a == "x") is False
    assert (a != None) is True  # noqa: E711 (the operator is under test)


def test_arrays_of_two_systems_are_rejected() -> None:
    with pytest.raises(TypeError, match="an array under torch promotion cannot be combined with jax promotion"):
        made("jax") + made("torch")
    with pytest.raises(TypeError, match=r'asarray\(x, system="numpy"\)'):
        pr.namespace("numpy").where(np.array([True]), made("jax"), 1)
    assert (pr.asarray(made("jax"), system="torch") + made("torch")).system == "torch"


def test_it_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(made())


def test_truth_numbers_and_indices() -> None:
    assert (bool(made(data=[1])), int(made(data=[[3]])[0, 0]), float(made(data=2)), complex(made(data=2))) == (
        True, 3, 2.0, 2 + 0j,
    )  # fmt: skip
    assert [10, 20][made(dtype=pr.int8, data=1)] == 20
    with pytest.raises(ValueError, match="ambiguous"):
        bool(made())
    with pytest.raises(TypeError):
        operator.index(made(data=1.0))
    assert any(made() == 2)


@pytest.mark.parametrize(
    ("system", "dtype"),
    [("jax", pr.weak_float64), ("torch", pr.bfloat16), ("numpy", pr.int4), ("numpy", pr.float8_e4m3fn)],
)
def test_pickling(system: str, dtype: type[Shaped]) -> None:
    a = made(system, dtype)
    again = pickle.loads(pickle.dumps(a))
    assert again._type is a._type
    assert again.tolist() == a.tolist()
    with pr.system("torch", torch_default_dtype="float64"):
        b = pr.asarray([1])
    assert (pickle.loads(pickle.dumps(b)) / 2).dtype is pr.float64


def test_protocols() -> None:
    a = made("torch")
    assert np.asarray(a) is a._data
    assert np.asarray(a, dtype=np.float64).dtype == np.float64
    assert np.from_dlpack(a).tolist() == [1, 2, 3]
    assert a.__array_namespace__() is pr.namespace("torch").of_arrays
    assert np.shape(a._data) == a.shape


@pytest.mark.slow
def test_many_calls_leak_no_memory() -> None:
    a, plain = made("jax", pr.int16), np.arange(3, dtype=np.float16)
    space = pr.namespace("jax")

    def work() -> None:
        for number in range(1000):
            space.add(plain, a) * (number % 7)
            pr.result_type(a, 1.5)
            space.where(plain > 1, a, plain)[0]

    work()
    gc.collect()
    tracemalloc.start()
    work()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    work()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 4000


NUMBERS = [np.bool_(True), np.int8(3), np.uint64(3), np.float16(1.5), np.float64(1.5), np.complex128(1.5j)]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.dtype.name)
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "bool"])
def test_numpy_scalars_beside_tensors_count_as_python_numbers(number: Any, dtype: str) -> None:
    torch = imported("torch")
    theirs = torch.ones(2, dtype=getattr(torch, dtype)) + number
    ours = pr.asarray(np.ones(2, dtype), system="torch") + number
    assert ours._data.dtype.name == str(theirs.dtype).removeprefix("torch.")
    assert ours.tolist() == theirs.tolist()
    assert (number + pr.asarray(np.ones(2, dtype), system="torch")).dtype is ours.dtype


def test_a_scalar_that_paddle_does_not_treat_as_a_number_is_rejected() -> None:
    assert (made("paddle") + np.float64(1.5)).dtype is pr.float32
    message = r"paddle does not accept a NumPy scalar of float16 as a number: write x\.item\(\)"
    with pytest.raises(TypeError, match=message):
        made("paddle") + np.float16(1.5)


def test_namespaces_are_pickled_by_name() -> None:
    space = pr.namespace("torch", torch_default_dtype="float64")
    assert pickle.loads(pickle.dumps(space)) is space
    assert space.zeros(2).dtype == np.float64
    assert space is not pr.namespace("torch")
    assert pr.namespace(space.system) is space


def test_an_unregistered_system_is_used_but_not_pickled() -> None:
    unnamed = type(get_system("numpy"))("nameless")  # type: ignore[call-arg] # NumpySystem takes a name
    a = pr.asarray([1], system=unnamed)
    assert (a + 1).system == "nameless"
    assert pr.namespace(unnamed) is pr.namespace(unnamed)
    with pytest.raises(TypeError, match="nameless is not registered"):
        pickle.dumps(a)


def test_ufuncs_with_two_results_take_no_out() -> None:
    out: Any = (np.zeros(3), np.zeros(3))
    with pytest.raises(TypeError, match=r"numpy\.divmod does not accept out"):
        np.divmod(made(), 2, out=out)


def test_a_0d_array_is_formatted_as_its_number() -> None:
    x = pr.asarray(np.float32(1.5), system="torch")
    assert (f"{x:.2f}", f"{x}") == ("1.50", str(x))
    with pytest.raises(TypeError, match="format"):
        f"{pr.asarray([1.5], system='torch'):.2f}"


def test_quantiles_at_several_places() -> None:
    x = np.array([1, 2, 4], np.float32)
    for places in ([0.25, 0.5], (0.25, 0.5), np.array([0.25, 0.5], np.float32)):
        for system in ("numpy", "jax"):
            result = pr.namespace(system).quantile(x, places)
            assert result.tolist() == [1.5, 2.0]
