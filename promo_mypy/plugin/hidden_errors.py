"""mypy's errors to whether anybody should hear of them: not where mypy alone would say nothing."""

from collections.abc import Callable, Mapping
from typing import Final

from mypy import errorcodes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo

from promo_mypy.plugin import refused_assignments, unknown_arguments

_ASKED: Final[Mapping[ErrorCode | None, Callable[[TypeChecker, ErrorInfo], bool]]] = {
    errorcodes.ASSIGNMENT: refused_assignments.go_on,
    **dict.fromkeys(unknown_arguments.CODES, unknown_arguments.are_unknown),
}


class HiddenErrors:
    """Answers for one error after the other, as mypy makes them."""

    codes: Final = frozenset(_ASKED)

    def __init__(self) -> None:
        self._hidden: tuple[object, ...] | None = None

    def hides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether an error, or note, of one of the codes goes unheard."""
        place = (error.code, error.line, error.column, error.end_line, error.end_column)
        if error.severity == "note":
            # What overloads there are, and the like: mypy says it after the error.
            return place == self._hidden
        is_hidden = _ASKED[error.code](current, error)
        self._hidden = place if is_hidden else None
        return is_hidden
