"""CuPy's ufuncs, and their methods. Source: running CuPy 14.2 on a GPU."""

from collections.abc import Iterator
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, like
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.storing import Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Python, Same
from promo_mypy.rules.functions.numpy import ufuncs
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.loops import Loop
from promo_mypy.rules.systems.cupy import OPERATIONS_CUPY, UFUNCS
from promo_mypy.rules.systems.numpy import Ufunc

#: Ufuncs of NumPy that CuPy lacks.
_LACKING: Final = frozenset({"spacing", "isnat"})
#: Functions that are ufuncs in CuPy, but not in NumPy.
_MORE: Final = "fix sinc"

_CORE: Final = "x1, x2, /, out=None, *, axes=..., axis=..., keepdims=False, casting='same_kind', order='K', dtype=None"


def loops(name: str, ufunc: Ufunc, operands: str) -> Rule:
    """CuPy's own loops, or NumPy's; `dtype=` chooses by the result."""
    return Into(Loop(UFUNCS.get(name, ufunc), operands, casts=True))


def _outer(name: str, ufunc: Ufunc) -> Rule:
    """For arrays; results for Python numbers were not measured."""
    return IfNumber("A", Python(), IfNumber("B", Python(), loops(name, ufunc, "A B")))


def _entries() -> Iterator[Entry]:
    """NumPy's names and signatures."""
    for names, ufunc in ufuncs.ONE.items():
        for name in names.split():
            if name not in _LACKING:
                yield name, ufuncs.UNARY, loops(name, ufunc, "x")
    for names, ufunc in ufuncs.TWO.items():
        for name in names.split():
            yield name, ufuncs.BINARY, loops(name, ufunc, "x1 x2")
            yield f"{name}.outer", "A, B, **options", _outer(name, ufunc)


_DIVMOD: Final = Loop(OPERATIONS_CUPY["divmod"], "x1 x2", casts=True)
_PARTS: Final = Loop(UFUNCS["modf"], "x", casts=True)

ENTRIES: Final[tuple[Entry, ...]] = (
    *_entries(),
    *((name, ufuncs.UNARY, loops(name, UFUNCS[name], "x")) for name in _MORE.split()),
    # The complex loop is listed, but does not compile.
    ("i0", ufuncs.UNARY, Converted(loops("i0", UFUNCS["i0"], "x"), "c=unknown")),
    ("divmod", ufuncs.BINARY, Several.of(_DIVMOD, _DIVMOD)),
    ("modf", ufuncs.UNARY, Several.of(_PARTS, _PARTS)),
    ("frexp", ufuncs.UNARY, Several.of(Asked(Loop(UFUNCS["frexp"], "x"), table="buifc=refused"), Fixed(dt.int32))),
    *like(NUMPY, "float_power"),
    (
        "ldexp",
        ufuncs.BINARY,
        Into(
            Asked(
                Checked(
                    IfNumber("x1", Python(), Loop(UFUNCS["modf"], "x1")),
                    Converted(Same("x2"), "uint64=refused fc=refused"),
                ),
                table="buic=refused",
            )
        ),
    ),
    (
        "bitwise_count",
        ufuncs.UNARY,
        Into(Asked(Checked(Fixed(dt.uint8), Loop(UFUNCS["bitwise_count"], "x")), table="uint8=uint8 buifc=refused")),
    ),
    ("matmul", _CORE, Into(Loop(OPERATIONS_CUPY["matmul"], "x1 x2", casts=True))),
    # The other ufuncs do not reduce.
    *like(NUMPY, "add.reduce multiply.reduce", "array, axis=0, dtype=None, out=None, keepdims=False"),
    *like(NUMPY, "add.accumulate multiply.accumulate", "array, axis=0, dtype=None, out=None"),
)
