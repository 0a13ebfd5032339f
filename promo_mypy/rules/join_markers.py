"""The classes that keep dtypes apart where mypy joins types; nothing is executed with them.

A weak dtype is a subclass of its strong dtype, so that a weak array may go where a strong one is declared. Of a class
and its subclass mypy keeps the wider one where it joins two types or simplifies a union: the join of float32 and
weak_float32 would be strong, although the array may be weak. A type says therefore twice that an array may be weak:
`weak_float32 | AlsoWeakFloat32`, which joined with float32 is `float32 | AlsoWeakFloat32`. To mypy each of these
classes is promoted to its strong dtype, as int is to float: it fits there, and a union keeps both.

Two dtypes of one category mypy joins to the category, which stands for its ordinary dtypes: of int16 and float8_e5m2 it
would make Real, in which there is no float8. Beside a dtype that is not ordinary a type has therefore another such
class, and mypy joins it with int16 to the union of both.
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
    """One of the dtypes beside it, or of those that a category beside it has taken in, is not ordinary."""


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
