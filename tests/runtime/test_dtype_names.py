"""`promo_runtime` names every dtype and category of the rules, and each has its dtype of NumPy or ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import CATEGORIES, DTYPES, Shaped, UnknownDtypeError
from promo_runtime.numpy_dtypes import NUMPY_DTYPES, UnknownArrayDtypeError, dtype_of, numpy_dtype, read_dtype


def test_every_dtype_class_is_exported_as_itself() -> None:
    classes = {*DTYPES.values(), *CATEGORIES.values()}
    exported = {getattr(pr, name) for name in pr.__all__}
    assert {each for each in exported if isinstance(each, type) and issubclass(each, Shaped)} == classes
    assert {each.__name__ for each in classes} <= set(pr.__all__)


def test_every_dtype_of_ml_dtypes_has_a_class() -> None:
    scalars = {each for each in vars(ml_dtypes).values() if isinstance(each, type) and issubclass(each, np.generic)}
    assert scalars
    assert {np.dtype(each) for each in scalars} <= set(NUMPY_DTYPES.values())


def test_the_two_tables_are_inverse_and_agree_on_names() -> None:
    spelled = {"float128": "longdouble", "complex256": "clongdouble"}
    for dtype, numpy in NUMPY_DTYPES.items():
        assert dtype_of(numpy) is dtype
        assert numpy.itemsize == dtype.itemsize
        assert numpy.name in (dtype.name, spelled.get(dtype.name), str(dtype.name))


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        ("float32", pr.float32), ("f4", pr.float32), (">f4", pr.float32), ("weak_float32", pr.weak_float32),
        (np.float32, pr.float32), (np.dtype("int16"), pr.int16), (ml_dtypes.bfloat16, pr.bfloat16),
        (bool, pr.bool_), (int, pr.int64), (float, pr.float64), (complex, pr.complex128), (pr.int4, pr.int4),
    ],
)  # fmt: skip
def test_dtypes_are_read_from_all_their_names(given: object, dtype: type[Shaped]) -> None:
    assert read_dtype(given) is dtype  # type: ignore[arg-type] # a table of all allowed forms


def test_other_byte_orders_are_the_same_dtype() -> None:
    assert dtype_of(np.dtype(">i4")) is pr.int32


@pytest.mark.parametrize("given", [pr.Float, str, "datetime64[s]", object, "O"])
def test_other_objects_are_rejected(given: object) -> None:
    with pytest.raises((UnknownArrayDtypeError, UnknownDtypeError)):
        read_dtype(given)  # type: ignore[arg-type] # the error under test


def test_a_dtype_that_numpy_lacks_is_rejected() -> None:
    with pytest.raises(UnknownArrayDtypeError, match="have no arrays of float4_e2m1fn_x2"):
        numpy_dtype(pr.float4_e2m1fn_x2)
