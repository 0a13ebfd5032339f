"""Find errors that mypy repeats at one place because only the dtypes in the message differ.

mypy checks the body of a loop more than once. A variable of inferred dtype may have another type each time, such as
`float64` and then `float64 | Any`, where it has one type without the plugin. And an operand of JAX or PyTorch may be a
union of dtypes, each member of which gets an error.
"""

import re
from collections import defaultdict
from typing import Final

from mypy.errorcodes import ErrorCode

from promo_mypy.plugin.messages.printed_marks import without_marks
from promo_mypy.plugin.messages.printed_types import ARGUMENTS, union_members
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo, ErrorWatcher, is_held, iteration_of

_QUOTED: Final = r'"([^"]*)"'
#: The classes that have a dtype only with the plugin: to stock mypy the arrays in a union of them are one.
_OURS: Final = "Tensor|Array"
_ALL: Final = f"dtype|{_OURS}"
_OF_OURS: Final = rf"(?:{_OURS})\["
_ASSIGNED: Final = r'Incompatible types in assignment \(expression has type "([^"]*)", variable has type "([^"]*)"\)'
#: A member of a union in an argument: `int | Any` of `slice[int | Any, None, None]`.
_BESIDE_ANY: Final = r"\bAny \| | \| Any\b"


_Place = tuple[str, int, int, ErrorCode | None]


class RepeatedErrors:
    """The errors of one pass over a file, by their places."""

    def __init__(self) -> None:
        self._pass: object = None
        self._shown: defaultdict[_Place, list[tuple[ErrorInfo, ErrorWatcher | None]]] = defaultdict(list)

    def repeats(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether an error differs only in dtypes from one that mypy has found at this place.

        In one pass, errors about NumPy's arrays of several dtypes may be about the members of a declared union.
        """
        if self._pass is not current.var_decl_frames:  # the plugin's table, a new one for each pass
            self._pass = current.var_decl_frames
            self._shown.clear()
        iteration = iteration_of(current.errors)
        shown = self._shown[current.path, error.line, error.column, error.code]
        if any(each is error for each, _ in shown):
            return False  # mypy adds an error again that it has kept
        for each, watcher in shown:
            classes = _OURS if watcher is iteration else _ALL
            is_equal = _essence(each.message, classes) == _essence(error.message, classes)
            is_equal = is_equal or (watcher is not iteration and _is_of_equal_target(each.message, error.message))
            if is_equal and is_held(current.errors, current.path, each):
                return True
        shown.append((error, iteration))
        return False


def _is_of_equal_target(before: str, now: str) -> bool:
    """Whether two errors are about the value for one target, and it may be an array now, or what the target is.

    To stock mypy `max(count, tensor)` and `max(count, real)` have one type in all rounds of a loop. With the plugin
    `count` may be anything.
    """
    one, other = re.fullmatch(_ASSIGNED, before), re.fullmatch(_ASSIGNED, now)
    if one is None or other is None or one[2] != other[2]:
        return False
    others = {*union_members(other[1])} - {other[2]}
    return re.match(_OF_OURS, other[1]) is not None or others == {*union_members(one[1])}


def _essence(message: str, classes: str) -> str:
    """A message without the dtypes of these classes. Members of a union that are equal then are named once."""
    return re.sub(_QUOTED, lambda quoted: _without_dtypes(quoted[1], classes), without_marks(message))


def _without_dtypes(typ: str, classes: str) -> str:
    without = re.sub(_BESIDE_ANY, "", re.sub(rf"\b({classes}){ARGUMENTS}", r"\1", typ))
    members = dict.fromkeys(union_members(without))
    return " | ".join(member for member in members if member != "Any")
