"""mypy's errors to whether anybody should hear of them: not where mypy alone would say nothing."""

from collections.abc import Callable, Mapping
from typing import Final

from mypy import errorcodes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo

from promo_mypy.plugin import refused_assignments, unknown_arguments


def _refuses_ours(current: TypeChecker, error: ErrorInfo) -> bool:
    return refused_assignments.go_on(current, error) or unknown_arguments.is_put_in(current, error)


_ASKED: Final[Mapping[ErrorCode | None, Callable[[TypeChecker, ErrorInfo], bool]]] = {
    errorcodes.ASSIGNMENT: _refuses_ours,
    **dict.fromkeys(unknown_arguments.CODES, unknown_arguments.are_unknown),
}


#: The notes about an error that have no code.
_OPERANDS: Final = ("Left operand", "Right operand", "Both left and right operands")


class HiddenErrors:
    """Answers for one error after the other, as mypy makes them."""

    #: A note may have no code.
    codes: Final = frozenset({*_ASKED, None})

    def __init__(self) -> None:
        self._lines = range(0)

    def hides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether an error, or note, of one of the codes goes unheard."""
        if error.severity == "note":
            # What overloads there are, and what an operand is: mypy says it after the error.
            return error.line in self._lines and (error.code is not None or error.message.startswith(_OPERANDS))
        is_hidden = error.code in _ASKED and _ASKED[error.code](current, error)
        self._lines = range(error.line, max(error.line, error.end_line) + 1) if is_hidden else range(0)
        return is_hidden
