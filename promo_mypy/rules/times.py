"""Which operators NumPy has for times and durations, which the promotion systems have not. Source: running NumPy 2.4.

tests/rules/test_times.py executes every pair.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: NumPy's kinds of dtypes: M is datetime64, m is timedelta64. Each has the name of its class.
NAMES: Final[Mapping[str, str]] = MappingProxyType({"M": "datetime64", "m": "timedelta64"})

#: Operation -> the kinds of the operands that it accepts, if one of them is a time or a duration.
_ACCEPTED: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "add": frozenset(["Mm", "Mb", "Mi", "Mu", "mM", "mm", "mb", "mi", "mu", "bM", "bm", "iM", "im", "uM", "um"]),
        "sub": frozenset(["MM", "Mm", "Mb", "Mi", "Mu", "mm", "mb", "mi", "mu", "bm", "im", "um"]),
        "mul": frozenset(["mb", "mi", "mu", "mf", "bm", "im", "um", "fm"]),
        "truediv": frozenset(["mm", "mi", "mu", "mf"]),
        "floordiv": frozenset(["mm", "mi", "mu", "mf"]),
        "mod": frozenset({"mm"}),
        **dict.fromkeys(("lt", "le", "gt", "ge"), frozenset(["MM", "mm", "mb", "mi", "mu", "bm", "im", "um"])),
        **{name: frozenset[str]() for name in ("pow", "matmul", "and", "or", "xor", "lshift", "rshift")},
    }
)

OPERATIONS: Final = frozenset(_ACCEPTED)


def is_rejected(operation: str, left: str, right: str) -> bool:
    """Whether NumPy rejects an operation of arrays of these kinds. False for other operations, and without a time."""
    has_time = left in NAMES or right in NAMES
    return has_time and operation in _ACCEPTED and left + right not in _ACCEPTED[operation]


def reason(symbol: str, left: str, right: str) -> str:
    """Why an operation fails, for the names of the dtypes."""
    return f"NumPy has no {symbol} for {left} and {right}"


def remedy(left: str, right: str) -> str:
    """What to write instead, for operands of these kinds."""
    if left in NAMES and right in NAMES:
        return "convert one of them with .astype(np.int64)"
    return 'convert the numbers with .astype("timedelta64[s]"), or the times with .astype(np.int64)'
