"""The fields that a text names are those that NumPy reads from it."""

import numpy as np
import pytest

from promo_mypy.rules.dtype_names import NUMPY_STRINGS
from promo_mypy.rules.structured import fields_of, scalar_class

TEXTS = (
    *("f4, i8", "f4,i8", "f4 , i8,?", "i4,(2,3)f8", "3f4, i4", "M8[D], f4", "float64, int32", "=i4,>f8,<m8[s]"),
    *("U10, f4", "f4, (3,)i4, u1", "(2,2)f4, (1,)i8", "S5,i2", "O, i4"),
)


@pytest.mark.parametrize("text", TEXTS)
def test_fields_are_those_of_numpy(text: str) -> None:
    dtype = np.dtype(text)
    fields = [(name, each[0]) for name, each in (dtype.fields or {}).items()]
    found = fields_of(text)
    assert [(each.name, each.has_shape) for each in found] == [(name, field.shape != ()) for name, field in fields]
    assert [np.dtype(each.dtype) for each in found] == [field.base for _, field in fields]


@pytest.mark.parametrize("text", ["f4", "float32", "M8[25s]", "(2,)f4", "3f4", "", "U10", "f4; i8", ",f4", "f4,, i8"])
def test_other_texts_name_no_fields(text: str) -> None:
    assert fields_of(text) == ()


@pytest.mark.parametrize("text", ["U10", "<U3", "S5", "str", "bytes", "U", "M8[s]", "timedelta64[D]"])
def test_a_text_names_a_class(text: str) -> None:
    assert np.dtype(text).type is getattr(np, scalar_class(text) or "")


@pytest.mark.parametrize("text", [*NUMPY_STRINGS, "O", "V8", "T"])
def test_texts_of_other_dtypes_name_no_class(text: str) -> None:
    assert scalar_class(text) is None
