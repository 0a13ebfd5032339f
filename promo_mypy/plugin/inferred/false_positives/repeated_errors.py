"""Find errors about a declared dtype that mypy repeats at one place.

mypy checks the body of a loop more than once. A variable of inferred dtype may have another type each time, such as
`float64` and then `float64 | Any`. And a value may be a union of dtypes, each member of which gets an error.
"""

from collections import defaultdict

from mypy.errorcodes import ErrorCode

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo, is_held

_Place = tuple[str, int, int, ErrorCode | None]


class RepeatedErrors:
    """The errors of one pass over a file, by their places."""

    def __init__(self) -> None:
        self._pass: object = None
        self._shown: defaultdict[_Place, list[ErrorInfo]] = defaultdict(list)

    def repeats(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether mypy has found an error at the place of this one, and still has it."""
        if self._pass is not current.var_decl_frames:  # the plugin's table, a new one for each pass
            self._pass = current.var_decl_frames
            self._shown.clear()
        shown = self._shown[current.path, error.line, error.column, error.code]
        if any(each is error for each in shown):
            return False  # mypy adds an error again that it has kept
        if any(is_held(current.errors, current.path, each) for each in shown):
            return True
        shown.append(error)
        return False
