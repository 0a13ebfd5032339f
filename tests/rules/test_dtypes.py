"""The properties of the dtype classes agree with the libraries."""

import inspect

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from tests.needed import imported

ONLY_TORCH = {dt.float4_e2m1fn_x2}
STRONG = [dtype for dtype in dt.DTYPES.values() if not dtype.weak and dtype is not dt.key]
IN_NUMPY = [dtype for dtype in STRONG if dtype not in ONLY_TORCH]
INTEGERS = [dtype for dtype in IN_NUMPY if dtype.kind in "ui"]
INEXACT = [dtype for dtype in IN_NUMPY if dtype.kind in "fc"]


def numpy_dtype(dtype: type[dt.Shaped]) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, dtype.name, dtype.name))


def test_every_dtype_of_ml_dtypes_is_there() -> None:
    theirs = {name for name, value in vars(ml_dtypes).items() if inspect.isclass(value)} - {"finfo", "iinfo"}
    assert len(theirs) >= 15
    assert theirs <= dt.DTYPES.keys()


def test_every_class_statement_is_registered() -> None:
    classes = {value for value in vars(dt).values() if inspect.isclass(value) and issubclass(value, dt.Shaped)}
    assert classes == {*dt.DTYPES.values(), *dt.CATEGORIES.values()}


@pytest.mark.parametrize("dtype", IN_NUMPY, ids=lambda dtype: dtype.name)
def test_item_sizes(dtype: type[dt.Shaped]) -> None:
    assert dtype.itemsize == numpy_dtype(dtype).itemsize


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: dtype.name)
def test_integers(dtype: type[dt.Shaped]) -> None:
    info = (ml_dtypes.iinfo if dtype.bits < 8 else np.iinfo)(numpy_dtype(dtype))
    assert (dtype.bits, dtype.minimum, dtype.maximum, dtype.precision) == (info.bits, info.min, info.max, None)


@pytest.mark.parametrize("dtype", INEXACT, ids=lambda dtype: dtype.name)
def test_floats_and_complex(dtype: type[dt.Shaped]) -> None:
    theirs = numpy_dtype(dtype)
    finfo = (np.finfo if hasattr(np, dtype.name) else ml_dtypes.finfo)(theirs)
    assert dtype.precision == finfo.nmant + 1
    # longdouble has no Python float: its limits are whole numbers.
    number = int if dtype.precision == 64 else float
    assert (dtype.minimum, dtype.maximum) == (number(finfo.min), number(finfo.max))


def test_torch_agrees() -> None:
    torch = imported("torch")
    shared = [dtype for dtype in STRONG if hasattr(torch, dtype.name)]
    assert len(shared) >= 27
    assert set(shared) >= ONLY_TORCH
    for dtype in shared:
        theirs = getattr(torch, dtype.name)
        assert dtype.itemsize == theirs.itemsize, dtype
        # torch.finfo takes no packed dtype, torch.iinfo takes none below a byte.
        if dtype.kind in "fc" and dtype is not dt.float4_e2m1fn_x2:
            assert (dtype.minimum, dtype.maximum) == (torch.finfo(theirs).min, torch.finfo(theirs).max), dtype


def test_categories_are_the_base_classes() -> None:
    assert issubclass(dt.float32, dt.Real)
    assert issubclass(dt.float32, dt.Inexact)
    assert issubclass(dt.complex64, dt.Inexact)
    assert not issubclass(dt.complex64, dt.Real)
    assert issubclass(dt.uint8, dt.UnsignedInteger)
    assert not issubclass(dt.bool_, dt.Num)
    assert not issubclass(dt.py_int, dt.Shaped)
    assert issubclass(dt.weak_float32, dt.float32)


@pytest.mark.parametrize("name", ["float32", "float32*", "weak_float32", "bool", "bool_", "Float"])
def test_parse_reads_every_spelling(name: str) -> None:
    assert name in (dt.parse(name).name, dt.parse(name).__name__)
    assert dt.parse(dt.parse(name)) is dt.parse(name)


def test_parse_names_near_matches() -> None:
    with pytest.raises(KeyError, match=r"^no dtype is called 'float23'; did you mean float32"):
        dt.parse("float23")
