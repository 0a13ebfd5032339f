"""Map jaxtyping's annotation names to dtypes: `Float32[Array, "n"]`, `Int[Array, "n"]`.

Its categories are the category classes, except for two names: `Int` holds only signed integers, `UInt` unsigned ones.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt

#: Everything that jaxtyping 0.3 exports for subscription. `Shaped` admits any dtype.
NAMES: Final[Mapping[str, type[dt.Shaped]]] = MappingProxyType(
    {
        "Bool": dt.bool_,
        "Key": dt.key,
        "Int2": dt.int2,
        "Int4": dt.int4,
        "Int8": dt.int8,
        "Int16": dt.int16,
        "Int32": dt.int32,
        "Int64": dt.int64,
        "UInt2": dt.uint2,
        "UInt4": dt.uint4,
        "UInt8": dt.uint8,
        "UInt16": dt.uint16,
        "UInt32": dt.uint32,
        "UInt64": dt.uint64,
        "Float8e4m3b11fnuz": dt.float8_e4m3b11fnuz,
        "Float8e4m3fn": dt.float8_e4m3fn,
        "Float8e4m3fnuz": dt.float8_e4m3fnuz,
        "Float8e5m2": dt.float8_e5m2,
        "Float8e5m2fnuz": dt.float8_e5m2fnuz,
        "BFloat16": dt.bfloat16,
        "Float16": dt.float16,
        "Float32": dt.float32,
        "Float64": dt.float64,
        "Complex64": dt.complex64,
        "Complex128": dt.complex128,
        "Int": dt.SignedInteger,
        "UInt": dt.UnsignedInteger,
        "Integer": dt.Integer,
        "Float": dt.Float,
        "Complex": dt.Complex,
        "Inexact": dt.Inexact,
        "Real": dt.Real,
        "Num": dt.Num,
        "Shaped": dt.Shaped,
    }
)


def admits_python(cls: type[dt.Shaped], scalar: type[dt.PythonScalar]) -> bool:
    """Whether a Python number may be passed as an array of that dtype or category, as in `Float[ArrayLike, ""]`.

    jaxtyping compares names: the name of some dtype must begin with the name of the Python type. `Int` admits an int,
    `UInt` does not, and `BFloat16` admits no float.
    """
    prefix = scalar.name.removeprefix("py_")
    return any(dtype.name.startswith(prefix) for dtype in categories.members(cls))
