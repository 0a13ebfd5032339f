"""The array API standard 2025.12 about special values, methods and arguments, one line for each statement."""

from math import inf, nan, pi
from typing import Any, Final

import numpy as np
import pytest

from promo_runtime import array_api as xp

pytestmark = pytest.mark.filterwarnings("ignore")

#: Function -> argument and result.
ONE: Final[dict[str, list[Any]]] = {
    "abs": [(nan, nan), (-0.0, 0.0), (inf, inf), (-inf, inf)],
    "acos": [(nan, nan), (2, nan), (-2, nan), (1, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (1, 0.0), (inf, inf)],
    "asin": [(nan, nan), (2, nan), (-2, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)],
    "atanh": [(nan, nan), (-2, nan), (2, nan), (-1, -inf), (1, inf), (0.0, 0.0), (-0.0, -0.0)],
    "ceil": [(nan, nan), (inf, inf), (-0.0, -0.0), (-0.5, -0.0), (0.0, 0.0)],
    "floor": [(nan, nan), (inf, inf), (-0.0, -0.0)],
    "trunc": [(nan, nan), (inf, inf), (-0.5, -0.0), (-0.0, -0.0)],
    "cos": [(nan, nan), (0.0, 1), (-0.0, 1), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1), (-0.0, 1), (inf, inf), (-inf, inf)],
    "exp": [(nan, nan), (0.0, 1), (-0.0, 1), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1)],
    "log": [(nan, nan), (-1, nan), (0.0, -inf), (-0.0, -inf), (1, 0.0), (inf, inf)],
    "log1p": [(nan, nan), (-2, nan), (-1, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)],
    "log2": [(nan, nan), (-1, nan), (0.0, -inf), (1, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1, nan), (-0.0, -inf), (1, 0.0), (inf, inf)],
    "reciprocal": [(nan, nan), (inf, 0.0), (-inf, -0.0), (0.0, inf), (-0.0, -inf)],
    "round": [(nan, nan), (inf, inf), (0.5, 0.0), (-0.5, -0.0), (1.5, 2), (2.5, 2), (-0.0, -0.0)],
    "sign": [(-3, -1), (0.0, 0.0), (2, 1), (nan, nan)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "square": [(nan, nan), (-inf, inf)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1), (-inf, -1)],
    "negative": [(0.0, -0.0), (nan, nan)],
    "positive": [(-0.0, -0.0)],
}

#: Function -> arguments and result.
TWO: Final[dict[str, list[Any]]] = {
    "add": [
        ((nan, 1), nan),
        ((inf, -inf), nan),
        ((-0.0, -0.0), -0.0),
        ((0.0, -0.0), 0.0),
        ((inf, inf), inf),
        ((-0.0, 0.0), 0.0),
        ((1, -1), 0.0),
    ],
    "subtract": [((inf, inf), nan), ((-0.0, 0.0), -0.0)],
    "multiply": [((inf, 0.0), nan), ((-0.0, 1), -0.0), ((inf, -1), -inf)],
    "divide": [
        ((inf, inf), nan),
        ((0.0, 0.0), nan),
        ((1, 0.0), inf),
        ((1, -0.0), -inf),
        ((-1, 0.0), -inf),
        ((1, inf), 0.0),
        ((-1, inf), -0.0),
        ((0.0, 5), 0.0),
        ((0.0, -5), -0.0),
    ],
    "atan2": [
        ((1, nan), nan),
        ((1, 0.0), pi / 2),
        ((1, -0.0), pi / 2),
        ((0.0, 1), 0.0),
        ((0.0, 0.0), 0.0),
        ((0.0, -0.0), pi),
        ((0.0, -1), pi),
        ((-0.0, 1), -0.0),
        ((-0.0, 0.0), -0.0),
        ((-0.0, -0.0), -pi),
        ((-0.0, -1), -pi),
        ((-1, 0.0), -pi / 2),
        ((1, inf), 0.0),
        ((1, -inf), pi),
        ((-1, inf), -0.0),
        ((-1, -inf), -pi),
        ((inf, 1), pi / 2),
        ((-inf, 1), -pi / 2),
        ((inf, inf), pi / 4),
        ((inf, -inf), 3 * pi / 4),
        ((-inf, inf), -pi / 4),
        ((-inf, -inf), -3 * pi / 4),
    ],
    "copysign": [((nan, 1), nan), ((1, -0.0), -1), ((-1, 0.0), 1), ((0.0, -1), -0.0)],
    "hypot": [((inf, nan), inf), ((nan, inf), inf), ((-inf, 1), inf), ((1, nan), nan), ((0.0, -0.0), 0.0)],
    "logaddexp": [((nan, 1), nan), ((inf, 1), inf), ((1, inf), inf), ((-inf, -inf), -inf)],
    "maximum": [((nan, 1), nan), ((1, nan), nan)],
    "minimum": [((nan, 1), nan)],
    "nextafter": [((1, 1), 1), ((0.0, -0.0), -0.0), ((-0.0, 0.0), 0.0), ((nan, 1), nan)],
    "pow": [
        ((2, 0.0), 1),
        ((nan, 0.0), 1),
        ((nan, -0.0), 1),
        ((nan, 1), nan),
        ((2, nan), nan),
        ((1, nan), 1),
        ((2, inf), inf),
        ((2, -inf), 0.0),
        ((1, inf), 1),
        ((-1, inf), 1),
        ((1, -inf), 1),
        ((-1, -inf), 1),
        ((0.5, inf), 0.0),
        ((0.5, -inf), inf),
        ((inf, 1), inf),
        ((inf, -1), 0.0),
        ((-inf, 3), -inf),
        ((-inf, 2), inf),
        ((-inf, -3), -0.0),
        ((-inf, -2), 0.0),
        ((-inf, 0.5), inf),
        ((-inf, -0.5), 0.0),
        ((-0.0, 0.5), 0.0),
        ((0.0, 1), 0.0),
        ((0.0, -1), inf),
        ((-0.0, 3), -0.0),
        ((-0.0, 2), 0.0),
        ((-0.0, -3), -inf),
        ((-0.0, -2), inf),
        ((-8, 0.3333333333333333), nan),
        ((-2, 0.5), nan),
    ],
    "remainder": [
        ((nan, 1), nan),
        ((inf, 1), nan),
        ((-inf, inf), nan),
        ((0.0, 0.0), nan),
        ((1, 0.0), nan),
        ((0.0, 1), 0.0),
        ((-0.0, 1), 0.0),
        ((0.0, -1), -0.0),
        ((-0.0, -1), -0.0),
        ((1, inf), 1),
        ((1, -inf), -inf),
        ((-1, inf), inf),
        ((-1, -inf), -1),
        ((-3, 2), 1),
        ((3, -2), -1),
        ((4, 2), 0.0),
        ((-4, 2), 0.0),
        ((4, -2), -0.0),
    ],
    "floor_divide": [
        ((nan, 1), nan),
        ((inf, inf), nan),
        ((0.0, 0.0), nan),
        ((-0.0, 0.0), nan),
        ((0.0, 1), 0.0),
        ((-0.0, 1), -0.0),
        ((0.0, -1), -0.0),
        ((1, 0.0), inf),
        ((1, -0.0), -inf),
        ((-1, 0.0), -inf),
        ((-1, -0.0), inf),
        ((inf, 1), inf),
        ((inf, -1), -inf),
        ((-inf, 1), -inf),
        ((-inf, -1), inf),
        ((1, inf), 0.0),
        ((1, -inf), -0.0),
        ((-1, inf), -0.0),
        ((-1, -inf), 0.0),
        ((0.0, -inf), -0.0),
        ((inf, 0.0), inf),
        ((3, 2), 1),
        ((-3, 2), -2),
    ],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_special_values(name: str, dtype: str) -> None:
    for given, wanted in {**ONE, **TWO}[name]:
        arguments = [xp.asarray(each, dtype=dtype) for each in (given if isinstance(given, tuple) else (given,))]
        result, expected = np.asarray(getattr(xp, name)(*arguments)), np.asarray(wanted, dtype)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, 1e-6, 0, err_msg=f"{name}{given}")
        if expected == expected:  # the sign of a NaN has no meaning
            assert np.signbit(result) == np.signbit(expected), (name, given)


#: Function of complex numbers -> argument and result.
COMPLEX: Final[dict[str, list[tuple[complex, complex]]]] = {
    "expm1": [
        (complex(-0.0, 0.0), complex(0.0, 0.0)),
        (complex(0.0, -0.0), complex(0.0, -0.0)),
        (complex(1, inf), complex(nan, nan)),
        (complex(1, nan), complex(nan, nan)),
        (complex(inf, 0.0), complex(inf, 0.0)),
        (complex(-inf, 2), complex(-1, 0.0)),
        (complex(inf, 2), complex(-inf, inf)),
        (complex(nan, 0.0), complex(nan, 0.0)),
        (complex(nan, 1), complex(nan, nan)),
        (complex(1e-9, 0.0), complex(1e-9, 0.0)),
    ],
    "sign": [
        (complex(nan, inf), complex(nan, nan)),
        (complex(inf, nan), complex(nan, nan)),
        (complex(-0.0, -0.0), complex(0.0, 0.0)),
        (complex(0, -2), complex(0, -1)),
    ],
    "tanh": [
        (complex(inf, 2), complex(1, 0.0)),
        (complex(inf, -2), complex(1, -0.0)),
        (complex(-inf, 1), complex(-1, 0.0)),
        (complex(nan, 0.0), complex(nan, 0.0)),
        (complex(0.5, 0.0), complex(0.46211715726, 0.0)),
    ],
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", COMPLEX)
def test_special_values_of_complex_numbers(name: str, dtype: str) -> None:
    given, wanted = zip(*COMPLEX[name], strict=True)
    together = getattr(xp, name)(array(list(given), dtype))
    for place, (number, expected) in enumerate(zip(given, wanted, strict=True)):
        for result in (together[place], getattr(xp, name)(array(number, dtype))):
            assert (result.dtype.name, result.shape) == (dtype, ())
            for part, other in ((complex(result).real, expected.real), (complex(result).imag, expected.imag)):
                np.testing.assert_allclose(part, other, 1e-6, 0, err_msg=f"{name}({number})")
                assert other != other or np.signbit(part) == np.signbit(other), number


def array(values: Any, dtype: str = "float64") -> Any:
    """An array of that dtype."""
    return xp.asarray(values, dtype=dtype)


def stored(target: Any, key: Any, value: Any) -> Any:
    """`target[key] = value`."""
    target[key] = value
    return target


NAMES: Final[dict[str, Any]] = {
    "xp": xp, "np": np, "array": array, "stored": stored, "inf": inf, "nan": nan,
    "x": array([1.0, -2, 3], "float32"), "k": array([1, 2, 3], "int8"), "u": array([1, 2], "uint8"),
    "m": xp.reshape(xp.arange(6), (2, 3)), "info": xp.__array_namespace_info__(), "e": xp.zeros((0, 3)),
}  # fmt: skip

TRUE: Final = (
    # 0-d arrays as numbers, attributes
    "complex(array(1.5)) == 1.5 and complex(array(1 + 2j, 'complex128')) == 1 + 2j", "int(array(2.5)) == 2",
    "array(3, 'int8').__index__() == 3", "not array(0.0) and bool(array(1j, 'complex128'))",
    "array(1.0).size == 1 and type(array(1.0).size) is int", "type(x.shape) is tuple and array(1.0).ndim == 0",
    "array([[1, 2, 3]]).mT.shape == array([[1, 2, 3]]).T.shape == (3, 1)", "x.to_device(x.device, stream=None) is x",
    "x.__dlpack_device__()[1] == 0", "x.__array_namespace__(api_version='2025.12').pi > 3",
    "x.dtype == xp.float32 != xp.float64 and hash(x.dtype) == hash(xp.float32)",
    # inspection
    "{'boolean indexing', 'data-dependent shapes', 'max dimensions'} <= set(info.capabilities())",
    "type(info.devices()) is tuple and info.default_device() in info.devices()",
    "info.default_dtypes()['indexing'] is xp.int64 and info.default_dtypes(device='cpu')['integral'] is xp.int64",
    "set(info.dtypes(kind='bool')) == {'bool'} and set(info.dtypes(kind=('bool', 'integral'))) > {'bool', 'uint8'}",
    "all(type(getattr(xp.finfo(xp.float32), each)) is float for each in ('eps', 'max', 'min', 'smallest_normal'))",
    "type(xp.finfo(x).bits) is int and xp.finfo(xp.complex64).dtype is xp.float32",
    "xp.iinfo(k).max == 127 and type(xp.iinfo(k).min) is int and xp.iinfo(k).dtype is xp.int8",
    "xp.isdtype(xp.int8, ('bool', 'integral')) and not xp.isdtype(xp.bool, 'numeric')",
    "xp.can_cast(k, xp.int16) and not xp.can_cast(xp.int16, xp.int8) and xp.result_type(x, 1) is xp.float32",
    # creation
    "xp.asarray([1, 2.0]).dtype is xp.float64 and xp.asarray([1, 2j]).dtype is xp.complex128",
    "xp.asarray(2**63).dtype is xp.asarray([2**64 - 1]).dtype is xp.uint64 and xp.asarray(range(3)).size == 3",
    "xp.linspace(array(0.0), 1, 3, dtype=xp.float32).tolist() == [0, 0.5, 1]",
    "xp.full(2, u, dtype=xp.int8).tolist() == [1, 2]",
    "xp.asarray(memoryview(np.arange(3, dtype=np.int16))).dtype is xp.int16", "xp.asarray(x, copy=True) is not x",
    "xp.from_dlpack(np.arange(3.0)).dtype is xp.float64 and xp.from_dlpack(x, copy=True).tolist() == x.tolist()",
    "xp.linspace(0, 1, 0).shape == (0,) and xp.linspace(0, 1, 5, endpoint=False).tolist()[-1] == 0.8",
    "xp.linspace(0, 1j, 3).dtype is xp.complex128 and xp.arange(5, 0, -2).tolist() == [5, 3, 1]",
    "xp.arange(5, 0).shape == xp.arange(0).shape == (0,) and xp.arange(1.0, 2).dtype is xp.float64",
    "xp.eye(2, 3, k=1).tolist() == [[0, 1, 0], [0, 0, 1]] and xp.eye(0).shape == (0, 0)",
    "xp.full((2,), True).dtype is xp.bool and xp.full((), 3).shape == () and xp.full(2, 1j).dtype is xp.complex128",
    "xp.meshgrid() == xp.broadcast_arrays() == ()", "xp.fft.fftfreq(4, dtype=xp.float32).dtype is xp.float32",
    # reductions
    "xp.sum(e, axis=0).tolist() == [0, 0, 0] and xp.prod(e) == 1", "xp.all(e) and not xp.any(e)",
    "bool(xp.isnan(xp.mean(xp.zeros(0))))", "xp.sum(k).dtype is xp.int64 and xp.sum(u).dtype is xp.uint64",
    "xp.prod(k, dtype=xp.int16).dtype is xp.int16 and xp.sum(x).dtype is xp.float32",
    "xp.sum(xp.ones((2, 3, 4)), axis=(0, -1), keepdims=True).shape == (1, 3, 1)",
    "abs(float(xp.std(array([1.0, 2, 3]), correction=1)) - 1) < 1e-12", "int(xp.argmax(array([1.0, 3, 3]))) == 1",
    "xp.argmax(m, axis=1, keepdims=True).shape == (2, 1) and xp.argmin(m, keepdims=True).shape == (1, 1)",
    "xp.count_nonzero(m, axis=1, keepdims=True).shape == (2, 1)",
    "xp.cumulative_sum(k, include_initial=True).tolist() == [0, 1, 3, 6]",
    "xp.cumulative_prod(m, axis=1, include_initial=True).shape == (2, 4)",
    "xp.cumulative_sum(u).dtype is xp.uint64 and xp.cumulative_sum(k, dtype=xp.float32).dtype is xp.float32",
    "xp.diff(array([1.0, 2, 4]), prepend=array([0.0]), append=array([9.0])).tolist() == [1, 1, 2, 5]",
    # searching, sorting, sets
    "xp.searchsorted(array([3.0, 1, 2]), array([2.0]), sorter=array([1, 2, 0], 'int64')).tolist() == [1]",
    "xp.searchsorted(array([1.0, 2, 2]), array([2.0]), side='right').tolist() == [3]",
    "xp.argsort(array([1.0, 1, 2]), descending=True, stable=True).tolist() == [2, 0, 1]",
    "xp.unique_all(array([2.0, 1, 2])).counts.tolist() == [1, 2]",
    "xp.unique_counts(array([nan, nan])).values.size == 2",
    "xp.unique_inverse(array([[2.0, 1]])).inverse_indices.shape == (1, 2)", "xp.isin(k, 2, invert=True).tolist()[0]",
    "xp.where(x > 0, x, 0.0).dtype is xp.float32 and xp.where(x > 0, 1, k).dtype is xp.int8",
    "xp.clip(x, None, 1.0).tolist() == [1, -2, 1] and xp.clip(x).tolist() == x.tolist()",
    # shapes
    "[each.tolist() for each in xp.unstack(m, axis=-1)] == [[0, 3], [1, 4], [2, 5]] and type(xp.unstack(m)) is tuple",
    "xp.take_along_axis(array([[3.0, 1, 2]]), array([[1, 2, 0]], 'int64'), axis=-1).tolist() == [[1, 2, 3]]",
    "xp.meshgrid(x, x[:2], indexing='ij')[0].shape == (3, 2)", "xp.expand_dims(x, axis=(0, 2)).shape == (1, 3, 1)",
    "xp.roll(m, (1, 1), axis=(0, 1)).tolist() == [[5, 3, 4], [2, 0, 1]]", "xp.tile(x, (2, 1)).shape == (2, 3)",
    "xp.repeat(x, array([1, 2, 0], 'int64')).tolist() == [1, -2, -2]", "xp.reshape(m, (-1,)).shape == (6,)",
    "xp.moveaxis(xp.ones((1, 2, 3)), (0, 1), (2, 0)).shape == (2, 3, 1)", "xp.stack((x, x), axis=-1).shape == (3, 2)",
    "xp.concat((m, k), axis=None).dtype is xp.int64",
    # indexing
    "int(m[1, -1]) == 5 and m[()].shape == (2, 3) and m[None, ..., None].shape == (1, 2, 3, 1)",
    "m[m > 2].tolist() == [3, 4, 5] and m[xp.asarray(True)].shape == (1, 2, 3)", "m[:, ::-1].tolist()[0] == [2, 1, 0]",
    "m[array([0, 1], 'int64'), array([0, 2], 'int64')].tolist() == [0, 5]",
    "m[array(1, 'int8')].tolist() == [3, 4, 5]",
    "stored(xp.ones((2, 3)), 0, array([1.0, 2, 3])).tolist() == [[1, 2, 3], [1, 1, 1]]",
    "stored(xp.ones(3), x > 0, 0).tolist() == [0, 1, 0]",
    "stored(xp.ones(3), 1, array(2.0, 'float32')).tolist()[1] == 2",
    # linear algebra, transforms, complex numbers
    "xp.linalg.svd(xp.ones((3, 2)), full_matrices=False).U.shape == (3, 2)",
    "xp.linalg.qr(xp.ones((3, 2)), mode='complete').Q.shape == (3, 3)",
    "xp.matmul(xp.ones((2, 2, 3)), e[0:0, :].T).size == 0",
    "complex(xp.vecdot(array([1j], 'complex128'), array([1j], 'complex128'))) == 1",
    "xp.tensordot(m, m, axes=((1,), (1,))).shape == (2, 2)", "xp.fft.rfft(x).dtype is xp.complex64",
    "abs(complex(xp.sign(array(3 + 4j, 'complex128'))) - (0.6 + 0.8j)) < 1e-12", "xp.real(x).dtype is xp.float32",
    "xp.round(k).dtype is xp.floor(k).dtype is xp.int8 and xp.isnan(k).tolist() == [False] * 3",
)  # fmt: skip
"""Statements that hold."""

REFUSED: Final[dict[str, type[Exception]]] = {
    "array(1.0).__index__()": TypeError, "array([1, 2], 'int8').__index__()": TypeError, "int(array(nan))": ValueError,
    "int(array(inf))": OverflowError, "float(array(1j, 'complex128'))": TypeError, "x.mT": ValueError,
    "x.T": ValueError,
    "x.to_device('gpu')": ValueError, "x.__array_namespace__(api_version='1999')": ValueError,
    "info.dtypes(kind='numbers')": ValueError, "xp.isdtype(xp.int8, 'numbers')": KeyError,
    "xp.asarray(x, dtype=xp.int8, copy=False)": ValueError, "xp.asarray([1], copy=False)": ValueError,
    "xp.asarray(10**30)": OverflowError, "xp.asarray([1, None])": TypeError, "xp.full(2, None)": TypeError,
    "xp.linspace(x, 1, 3)": TypeError, "xp.arange(array(3.0))": TypeError, "xp.full(2, array(1.5))": TypeError,
    "xp.cumulative_sum(m)": ValueError, "xp.max(e)": ValueError, "xp.squeeze(x, axis=0)": ValueError,
    "xp.reshape(m.T, (6,), copy=False)": ValueError, "xp.nonzero(array(1.0))": ValueError, "xp.imag(x)": TypeError,
    "xp.astype(array(1j, 'complex128'), xp.float32)": TypeError, "xp.result_type(xp.int8, xp.float32)": TypeError,
    "m[5]": IndexError, "next(iter(array(1.0)))": TypeError, "stored(xp.ones(2), 0, 1j)": TypeError,
    "stored(u, 0, 1.5)": TypeError, "stored(u, 0, array(1.0))": TypeError, "stored(u, 0, 300)": OverflowError,
    "array([1.0]).__iadd__(xp.ones(2))": ValueError, "array([1.0], 'float32').__iadd__(array([1.0]))": TypeError,
    "x + k": TypeError, "k + 1.5": TypeError, "k + 300": OverflowError, "xp.add(1, 2)": TypeError,
    "xp.logical_and(k, k)": TypeError, "xp.fft.fft(k)": TypeError, "-array([True], 'bool')": TypeError,
    "x & x": TypeError, "xp.less(array(1j, 'complex64'), array(1j, 'complex64'))": TypeError,
    "divmod(x, 2)": TypeError, "divmod(9, x)": TypeError,
}  # fmt: skip
"""Calls that are rejected, and their errors."""


@pytest.mark.parametrize("text", TRUE)
def test_the_statement_holds(text: str) -> None:
    assert eval(text, dict(NAMES))


@pytest.mark.parametrize("text", REFUSED)
def test_the_call_is_rejected(text: str) -> None:
    with pytest.raises(REFUSED[text]):
        eval(text, dict(NAMES))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"])
def test_operators_take_numbers_on_either_side(name: str) -> None:
    of_bits = name in ("and", "or", "xor")
    for dtype, number in (("int8", 2), ("float32", 2), ("float32", 2.0)):
        if (of_bits and dtype != "int8") or (name == "truediv" and dtype == "int8"):
            continue
        for form in ("", "r", "i"):
            result = getattr(array([1, 2, 3], dtype), f"__{form}{name}__")(number)
            assert (result.dtype.name, result.shape) == (dtype, (3,))
