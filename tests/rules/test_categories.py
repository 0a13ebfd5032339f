"""The categories hold their members."""

import pytest

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt


@pytest.mark.parametrize(
    ("category", "names"),
    [
        (dt.Shaped, [dtype.name for dtype in dt.ORDINARY]),
        (dt.Integer, ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]),
        (dt.Float, ["bfloat16", "float16", "float32", "float64"]),
        (dt.Complex, ["complex64", "complex128"]),
        (dt.float8_e5m2, ["float8_e5m2"]),
        (dt.weak_int32, ["int32*"]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_members(category: type[dt.Shaped], names: list[str]) -> None:
    assert categories.members(category) == {dt.DTYPES[name] for name in names}


@pytest.mark.parametrize(
    ("names", "category"),
    [
        ("float32", dt.float32),
        ("float32 float32*", dt.float32),
        ("int8 int32", dt.SignedInteger),
        ("int8 uint8", dt.Integer),
        ("int8 float32", dt.Real),
        ("float32 bfloat16 float8_e5m2", dt.Float),
        ("float32 complex64", dt.Inexact),
        ("int8 complex64", dt.Num),
        ("bool int8", dt.Shaped),
    ],
)
def test_smallest_category(names: str, category: type[dt.Shaped]) -> None:
    dtypes = [dt.DTYPES[name] for name in names.split()]
    assert categories.smallest_category(dtypes) is category
    assert categories.smallest_category(reversed(dtypes)) is category


def test_smallest_category_of_nothing() -> None:
    with pytest.raises(ValueError, match="no dtypes"):
        categories.smallest_category([])
