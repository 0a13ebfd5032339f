"""Find errors that mypy repeats at one place because only the dtypes in the message differ.

mypy checks the body of a loop more than once. A variable of inferred dtype may have another type each time, such as
`float64` and then `float64 | Any`, where it has one type without the plugin.
"""

import re
from collections import defaultdict
from typing import Final

from mypy.errorcodes import ErrorCode

from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo, ErrorWatcher, is_held, iteration_of
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types.marked_messages import without_marks
from promo_mypy.plugin.types.printed_types import union_members

_QUOTED: Final = r'"([^"]*)"'
_DTYPE: Final = r"\b(dtype|Tensor|Array)\[(?:[^\[\]]|\[[^\[\]]*\])*\]"


_Place = tuple[str, int, int, ErrorCode | None]


class RepeatedErrors:
    """The errors of one pass over a file that are in loops, by their places."""

    def __init__(self) -> None:
        self._pass: object = None
        self._shown: defaultdict[_Place, list[tuple[ErrorInfo, ErrorWatcher]]] = defaultdict(list)

    def repeats(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether an error differs only in dtypes from one that an earlier pass over the loop found at this place.

        Errors of one pass may be about different members of a union.
        """
        if self._pass is not current.var_decl_frames:  # the plugin's table, a new one for each pass
            self._pass = current.var_decl_frames
            self._shown.clear()
        iteration = iteration_of(current.errors)
        if iteration is None:
            return False
        shown = self._shown[current.path, error.line, error.column, error.code]
        if any(each is error for each, _ in shown):
            return False  # mypy adds an error again that it has kept
        earlier = [each for each, watcher in shown if watcher is not iteration]
        if any(
            _essence(each.message) == _essence(error.message) and is_held(current.errors, current.path, each)
            for each in earlier
        ):
            return True
        shown.append((error, iteration))
        return False


def _essence(message: str) -> str:
    """A message without dtypes, and without what they leave equal in a union."""
    return re.sub(_QUOTED, lambda quoted: _without_dtypes(quoted[1]), without_marks(message))


def _without_dtypes(typ: str) -> str:
    members = dict.fromkeys(union_members(re.sub(_DTYPE, r"\1", typ)))
    return " | ".join(member for member in members if member != "Any")
