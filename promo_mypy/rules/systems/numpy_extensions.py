"""The dtypes of ml_dtypes in NumPy: their safe casts and their kinds.

Source: np.can_cast over all pairs, NumPy 2.4 with ml_dtypes 0.6.
"""

from collections.abc import Mapping
from typing import Final

_FLOATS_IN_A_RING: Final = (
    "float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2fnuz "
    "float6_e2m3fn float6_e3m2fn float4_e2m1fn"
)
_SMALL_INTEGERS: Final = "uint4 uint2 int4 int2"


def _but(names: str, *without: str) -> str:
    return " ".join(name for name in names.split() if name not in without)


#: The dtypes of ml_dtypes: name -> where it casts safely, not transitively: first the other dtypes of ml_dtypes, then
#: dtypes of NumPy with all that is above them. The odd "safe" casts between small floats and integers exist because
#: NumPy treats these dtypes as opaque bytes. If two dtypes cast safely to each other,
#: result_type takes the earlier row.
CASTS: Final[Mapping[str, tuple[str, str]]] = {
    **{
        name: (f"{_FLOATS_IN_A_RING} {'int2 uint2' if name == 'float6_e2m3fn' else _SMALL_INTEGERS}", "float32")
        for name in _FLOATS_IN_A_RING.split()
    },
    "float8_e5m2": ("", "float32"),
    "float8_e8m0fnu": ("", "float32"),
    "bfloat16": ("", "float32"),
    "uint4": (_but(_FLOATS_IN_A_RING, "float6_e2m3fn"), "int8 uint8"),
    "uint2": (f"{_FLOATS_IN_A_RING} uint4", "int8 uint8"),
    "int4": (_but(_FLOATS_IN_A_RING, "float6_e2m3fn"), "int8"),
    "int2": (f"{_FLOATS_IN_A_RING} int4", "int8"),
    "bcomplex32": ("complex32", "complex64"),
    "complex32": ("bcomplex32", "complex64"),
}
INTEGERS: Final = frozenset(_SMALL_INTEGERS.split())
COMPLEX: Final = frozenset({"bcomplex32", "complex32"})
FLOATS: Final = frozenset(CASTS) - INTEGERS - COMPLEX
INEXACT: Final = FLOATS | COMPLEX

#: NumPy's dtypes of one byte or less -> the extensions that they cast to.
CAST_INTO: Final[Mapping[str, frozenset[str]]] = {
    "bool": frozenset(CASTS),
    "int8": INEXACT,
    "uint8": INEXACT,
}

#: float8_e5m2 has the kind of a float for NumPy and joins like one; the others have the kind of raw bytes.
PROMOTE_AS: Final = {"float8_e5m2": "float32"}
OPAQUE: Final = frozenset(CASTS) - PROMOTE_AS.keys() - COMPLEX
NEVER_SAME_KIND: Final = frozenset({("float8_e5m2", "float8_e8m0fnu")})
