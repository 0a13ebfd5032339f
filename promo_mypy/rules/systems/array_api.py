"""The Python array API standard (2025.12): promotion within a kind of numbers. Undefined behaviour is rejected.

Source: data-apis.org/array-api/2025.12/API_specification/type_promotion.html, and running array-api-strict.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.promotion import DOUBLE_LIMIT, Limits
from promo_mypy.rules.systems.joining import JoiningSystem, Operation
from promo_mypy.rules.wording.dialects import Dialect

#: name -> what it promotes to directly. Integers and floats stay apart, as do uint64 and the signed integers.
COVERS: Final[Mapping[str, str]] = {
    "bool": "",
    "uint8": "uint16 int16",
    "int8": "int16",
    "uint16": "uint32 int32",
    "int16": "int32",
    "uint32": "uint64 int64",
    "int32": "int64",
    "uint64": "",
    "int64": "",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex64": "complex128",
    "complex128": "",
}

#: A Python number takes the array's dtype if that has numbers of its kind; complex beside floats keeps the width.
FLOORS: Final[Mapping[tuple[str, str], str | None]] = {
    ("b", "b"): "",
    **dict.fromkeys((("b", kind) for kind in "uifc"), None),
    **{("i", kind): "" for kind in "uifc"},
    **{("f", kind): "" for kind in "fc"},
    ("c", "c"): "",
    ("c", "float32"): "complex64",
    ("c", "float64"): "complex128",
    ("b", ""): "bool",
    ("i", ""): "int64",
    ("f", ""): "float64",
    ("c", ""): "complex128",
}

OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(("add", "sub", "mul", "pow", "matmul"), Operation("uifc")),
    "truediv": Operation("fc"),
    **dict.fromkeys(("floordiv", "mod"), Operation("uif")),
    **dict.fromkeys(("and", "or", "xor", "invert"), Operation("bui")),
    **dict.fromkeys(("lshift", "rshift"), Operation("ui")),
    **dict.fromkeys(("eq", "ne"), Operation("buifc", "bool")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), Operation("uif", "bool")),
    **dict.fromkeys(("neg", "pos"), Operation("uifc")),
    "abs": Operation("uifc", "real part"),
}

DIALECT: Final = Dialect(
    "the array API standard",
    "",
    "xp",
    MappingProxyType({}),
    tuple(dtype for dtype in dt.ORDINARY if dtype.name in COVERS),
    function="xp.astype",
    real="xp.real({})",
)


class ArrayApiSystem(JoiningSystem):
    """The behaviour that every library following the standard shares."""

    def __init__(self) -> None:
        super().__init__("array-api", DIALECT, Lattice.of(COVERS, floors=FLOORS), OPERATIONS, {})

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
        """An array keeps its dtype in place, so the result must have that dtype."""
        return source is target

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """The standard leaves an int that the dtype cannot hold undefined, and integers to negative powers."""
        if dtype.kind in "fc":
            return Limits((1 - DOUBLE_LIMIT, DOUBLE_LIMIT - 1), "a Python float")
        return Limits.of(dtype, negative=operation != "pow" or reflected) if dtype.kind in "ui" else None


def system(_name: str) -> ArrayApiSystem:
    """The array API standard."""
    return ArrayApiSystem()
