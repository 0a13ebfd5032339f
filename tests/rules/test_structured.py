"""The fields that a text names are those that NumPy reads from it."""

from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.dtype_names import NUMPY_STRINGS
from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.structured import Field, decoded, encoded, fields_of, named, part_of

TEXTS = (
    *("f4, i8", "f4,i8", "f4 , i8,?", "i4,(2,3)f8", "3f4, i4", "M8[D], f4", "float64, int32", "=i4,>f8,<m8[s]"),
    *("U10, f4", "f4, (3,)i4, u1", "(2,2)f4, (1,)i8", "S5,i2", "O, i4"),
)


def name_of(dtype: np.dtype[Any]) -> str:
    """The name of a dtype of the rules, and otherwise of a class; empty for an object."""
    name = dtype.name if dtype.kind in "biufc" else dtype.type.__name__
    return "" if dtype.kind == "O" else name


@pytest.mark.parametrize("text", TEXTS)
def test_fields_are_those_of_numpy(text: str) -> None:
    dtype = np.dtype(text)
    fields = [(name, each[0]) for name, each in (dtype.fields or {}).items()]
    found = fields_of(text)
    assert [(each.name, each.has_shape) for each in found] == [(name, field.shape != ()) for name, field in fields]
    assert [each.dtype for each in found] == [name_of(field.base) for _, field in fields]
    assert decoded(encoded(found)) == tuple(found)
    assert decoded(named(text)) == tuple(found)


@pytest.mark.parametrize("text", ["f4", "float32", "M8[25s]", "(2,)f4", "3f4", "", "U10", "f4; i8", ",f4", "f4,, i8"])
def test_other_texts_name_no_fields(text: str) -> None:
    assert not fields_of(text)


@pytest.mark.parametrize("text", ["U10", "<U3", "S5", "str", "bytes", "U", "M8[s]", "timedelta64[D]", "<m8"])
def test_a_text_names_a_class(text: str) -> None:
    assert np.dtype(text).type.__name__ == named(text)


@pytest.mark.parametrize("text", [*NUMPY_STRINGS, ">f4", "=i2"])
def test_a_text_names_a_dtype(text: str) -> None:
    assert named(text) in DTYPES


@pytest.mark.parametrize("text", ["O", "V8", "T", "f3", ""])
def test_other_texts_name_nothing(text: str) -> None:
    assert named(text) == ""


def test_parts_of_a_structure() -> None:
    text = named("f4, O, (2,)i2")
    assert part_of(text, "f0") == Field("f0", "float32")
    assert part_of(text, "f2") == Field("f2", "int16", has_shape=True)
    assert part_of(text, "f1") is part_of(text, "x") is part_of(text, ["f0", "x"]) is None
    both = part_of(text, ["f2", "f0"])
    assert both is not None
    assert [each.name for each in decoded(both.dtype)] == ["f2", "f0"]
