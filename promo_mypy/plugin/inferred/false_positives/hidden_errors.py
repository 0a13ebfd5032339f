"""Suppress errors that exist only because the plugin's type is more precise than the stub's `Any`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mypy import errorcodes
from mypy.errorcodes import ErrorCode

from promo_mypy.plugin.inferred.false_positives import possible_scalars, refused_assignments, unknown_arguments
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker

#: The checks that decide whether to suppress an error, and the codes of the errors that they check.
_CHECKS: Final[Sequence[tuple[Callable[[TypeChecker, ErrorInfo], bool], Sequence[ErrorCode]]]] = (
    (refused_assignments.go_on, (errorcodes.ASSIGNMENT,)),
    (unknown_arguments.is_put_in, (errorcodes.ASSIGNMENT,)),
    (unknown_arguments.are_unknown, unknown_arguments.CODES),
    (possible_scalars.are_scalars, possible_scalars.CODES),
)
_ASKED: Final[Mapping[ErrorCode | None, Sequence[Callable[[TypeChecker, ErrorInfo], bool]]]] = {
    code: [check for check, asked in _CHECKS if code in asked] for _, codes in _CHECKS for code in codes
}

#: How the notes without a code begin.
_OPERANDS: Final = ("Left operand", "Right operand", "Both left and right operands")


class HiddenErrors:
    """Decides for one error after another, in mypy's order."""

    #: A note may have no code.
    codes: Final = frozenset({*_ASKED, None})

    def __init__(self) -> None:
        self._lines = range(0)

    def hides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether to suppress an error or note of one of the codes."""
        if current.path in current.errors.ignored_files:
            # Errors in this file are ignored. The assignment still takes effect.
            return error.code is errorcodes.ASSIGNMENT and refused_assignments.go_on(current, error)
        if error.severity == "note":
            # The notes about overloads and operands follow the error.
            return error.line in self._lines and (error.code is not None or error.message.startswith(_OPERANDS))
        is_hidden = any(check(current, error) for check in _ASKED.get(error.code, ()))
        self._lines = range(error.line, max(error.line, error.end_line) + 1) if is_hidden else range(0)
        return is_hidden
