"""Suppress errors that exist only because of an inferred dtype.

An error is shown if stock mypy makes it, too, or if it is about a declared dtype. Stock mypy is asked: see `aside`.
"""

from typing import Final

from mypy import errorcodes
from mypy.errorcodes import ErrorCode

from promo_mypy.plugin.error_codes import OWN_CODES
from promo_mypy.plugin.inferred.aside import decisions
from promo_mypy.plugin.inferred.aside.questions import may_be_ours
from promo_mypy.plugin.inferred.aside.stock_errors import StockChecks
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives import (
    inferred_attributes,
    partial_containers,
    refused_assignments,
)
from promo_mypy.plugin.inferred.false_positives.repeated_errors import RepeatedErrors
from promo_mypy.plugin.messages import marked_messages
from promo_mypy.plugin.mypy_api.checker.nested_checks import repeat
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, is_aside, is_reporting
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo

#: How the notes without a code begin.
_OPERANDS: Final = ("Left operand", "Right operand", "Both left and right operands")


class HiddenErrors:
    """Decides for one error after another, in mypy's order."""

    def __init__(self) -> None:
        self._shown: ErrorInfo | None = None
        """The last error that was not suppressed: mypy asks again about an error that it adds."""
        self._last: tuple[str, ErrorCode | None, range] | None = None
        """The file, the code and the lines of the last error, if it was suppressed."""
        self._repeated = RepeatedErrors()

    def hides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether to suppress an error or note."""
        if error is self._shown:
            return False
        is_hidden = self._is_hidden(current, error)
        self._shown = None if is_hidden else error
        return is_hidden

    def _is_hidden(self, current: TypeChecker, error: ErrorInfo) -> bool:
        if current.path in current.errors.ignored_files:
            # Errors in this file are ignored. The assignment still takes effect.
            return error.code is errorcodes.ASSIGNMENT and refused_assignments.go_on(current, error, is_hidden=False)
        if error.severity == "note":
            # The notes about overloads and operands follow the error.
            return self._is_about_last(current, error)
        if is_aside(current) or not is_reporting(current) or error.code in _OTHERS or _is_of_plugin(error):
            self._last = None
            return False
        is_hidden = self._decides(current, error)
        _go_on(current, error, is_hidden=is_hidden)
        lines = range(error.line, max(error.line, error.end_line) + 1)
        self._last = (current.path, error.code, lines) if is_hidden else None
        return is_hidden

    def _decides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether to suppress an error. One that is not about a declared dtype gets stock mypy's text."""
        if error.code is errorcodes.ASSERT_TYPE:
            return marked_messages.is_same_but_for_marks(error.message)
        if error.code is errorcodes.ASSIGNMENT and inferred_attributes.differ_in_dtype(current, error):
            return True
        is_ours, has_several = may_be_ours(current, error), decisions.has_several_dtypes(current, error)
        if not is_ours and not has_several:
            return False
        table = current.var_decl_frames
        check = (table.stock if isinstance(table, Declarations) else StockChecks(current)).at(error.line)
        if has_several and decisions.may_fit_declared(current, check, error):
            return True
        if not is_ours:
            return False
        same = check.same(current, error)
        if same is error:
            return False
        if decisions.is_about_declared(current, check, error):
            return self._repeated.repeats(current, error)
        if same is not None and same.line != error.line:
            repeat(current, [same])
            return True
        if same is not None:
            error.message, error.code, error.column = same.message, same.code, same.column
        return same is None

    def _is_about_last(self, current: TypeChecker, note: ErrorInfo) -> bool:
        """Whether a note belongs to an error that was suppressed."""
        if self._last is None or self._last[0] != current.path or note.line not in self._last[2]:
            return False
        return note.code is self._last[1] if note.code is not None else note.message.startswith(_OPERANDS)


#: Errors that have nothing to do with types of values.
_OTHERS: Final = (
    errorcodes.HAS_TYPE, errorcodes.NO_UNTYPED_DEF, errorcodes.TYPE_ARG, errorcodes.IMPORT, errorcodes.UNUSED_IGNORE,
    errorcodes.EXPLICIT_OVERRIDE_REQUIRED,
)  # fmt: skip


def _is_of_plugin(error: ErrorInfo) -> bool:
    return error.code is None or error.code in OWN_CODES


def go_on_hidden(current: TypeChecker, error: ErrorInfo) -> None:
    """Go on after an error that nobody sees, in a body that is checked for the arguments of a call."""
    _go_on(current, error, is_hidden=True)


def _go_on(current: TypeChecker, error: ErrorInfo, *, is_hidden: bool) -> None:
    """Give the target of a rejected assignment, and a container without an annotation, the type for what follows."""
    if error.code is errorcodes.ASSIGNMENT:
        is_ours = refused_assignments.go_on(current, error, is_hidden=is_hidden)
        if is_hidden:
            inferred_attributes.go_on(current, error)
            if not is_ours:
                refused_assignments.keep_declared(current, error)
    elif error.code is errorcodes.VAR_ANNOTATED and is_hidden:
        partial_containers.go_on(current, error)
