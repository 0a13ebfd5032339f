"""Marker classes that keep dtypes apart when mypy joins types. They are never instantiated.

A weak dtype is a subclass of its strong dtype, so that a weak array is compatible with a declared strong one. From a
class and its subclass, mypy keeps the wider one in a join or a simplified union: the join of float32 and weak_float32
would be strong, although the array may be weak. So a type states twice that an array may be weak: `weak_float32 |
AlsoWeakFloat32`. Its join with float32 is `float32 | AlsoWeakFloat32`. In mypy each of these classes is promoted to its
strong dtype, as int is to float: it is compatible, and a union keeps both.

mypy joins two dtypes of one category to the category, which stands for its ordinary dtypes. For int16 and float8_e5m2
it would infer Real, which does not include float8. So a type has another marker beside a dtype that is not ordinary,
and its join with int16 is the union of both.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt


class AlsoWeakInt32:
    """An array may be of weak int32."""


class AlsoWeakInt64:
    """An array may be of weak int64."""


class AlsoWeakFloat32:
    """An array may be of weak float32."""


class AlsoWeakFloat64:
    """An array may be of weak float64."""


class AlsoWeakComplex64:
    """An array may be of weak complex64."""


class AlsoWeakComplex128:
    """An array may be of weak complex128."""


class AlsoRare:
    """One of the dtypes beside it, or of the dtypes that were joined to a category beside it, is not ordinary."""


STANDS_FOR: Final[Mapping[type, type[dt.Shaped]]] = MappingProxyType(
    {
        AlsoWeakInt32: dt.weak_int32,
        AlsoWeakInt64: dt.weak_int64,
        AlsoWeakFloat32: dt.weak_float32,
        AlsoWeakFloat64: dt.weak_float64,
        AlsoWeakComplex64: dt.weak_complex64,
        AlsoWeakComplex128: dt.weak_complex128,
    }
)
"""Class -> the weak dtype that an array may have."""

RARE: Final = frozenset(dtype for dtype in dt.DTYPES.values() if dtype not in dt.ORDINARY and not dtype.weak)
"""The dtypes that have AlsoRare beside them."""
