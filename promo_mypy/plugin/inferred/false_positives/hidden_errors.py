"""Suppress errors that exist only because the plugin's type is more precise than the stub's `Any`."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mypy import errorcodes
from mypy.errorcodes import ErrorCode

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.false_positives import (
    any_values,
    category_values,
    declared_classes,
    exchanges,
    filled_displays,
    formatted_values,
    inferred_attributes,
    inferred_containers,
    joined_displays,
    lambda_parameters,
    library_parameters,
    opened_displays,
    operations_on_any,
    partial_containers,
    refused_assignments,
    refused_calls,
    restored_errors,
    several_dtypes,
    unknown_arguments,
    untyped_functions,
)
from promo_mypy.plugin.inferred.false_positives.repeated_errors import RepeatedErrors
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages

#: The join of an array and a scalar, that of scalars of several kinds and widths, and that of arrays of such dtypes.
#: An error about an argument names the class that a method is of, too.
_JOIN: Final = rf'(?<!" of )"(?:{names.NUMPY_COMMON.rpartition(".")[2]}|_RealMixin|generic\[\w+\])"|dtype\[generic\['


_OF_JOINS: Final = (
    errorcodes.ARG_TYPE, errorcodes.ASSIGNMENT, errorcodes.ATTR_DEFINED, errorcodes.DICT_ITEM, errorcodes.INDEX,
    errorcodes.LIST_ITEM, errorcodes.OPERATOR, errorcodes.RETURN_VALUE,
)  # fmt: skip


def _is_of_join(_: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a value is a join of NumPy's types. They have the operator or attribute, or fit, but not the join."""
    return re.search(_JOIN, error.message) is not None


#: To stock mypy the items of an array of another library than NumPy may be Any.
_IN_ARRAY: Final = r'^Unsupported operand types for in \(".*" and "(?:Array|Tensor)\b'


def _is_in_array(_: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a value is looked up in an array: it may have any type, as that of the items is not declared."""
    return re.search(_IN_ARRAY, error.message) is not None


#: The checks that decide whether to suppress an error, and the codes of the errors that they check.
_CHECKS: Final[Sequence[tuple[Callable[[TypeChecker, ErrorInfo], bool], Sequence[ErrorCode]]]] = (
    (inferred_attributes.differ_in_dtype, (errorcodes.ASSIGNMENT,)),
    (inferred_containers.take_other_dtypes, inferred_containers.CODES),
    (filled_displays.accept_more, filled_displays.CODES),
    (filled_displays.accept_functions, filled_displays.OF_FUNCTIONS),
    (exchanges.are_accepted_in_turn, (errorcodes.ASSIGNMENT,)),
    (refused_assignments.go_on, (errorcodes.ASSIGNMENT,)),
    (any_values.count_as_any, any_values.CODES),
    (operations_on_any.are_accepted, operations_on_any.CODES),
    (joined_displays.are_any, joined_displays.CODES),
    (category_values.may_fit, category_values.CODES),
    (several_dtypes.fit_apart, several_dtypes.CODES),
    (formatted_values.are_of_any, formatted_values.CODES),
    (opened_displays.fit, opened_displays.CODES),
    (partial_containers.are_of_any, (errorcodes.VAR_ANNOTATED,)),
    (refused_calls.are_reported, (errorcodes.TYPE_VAR,)),
    (refused_calls.are_of_unknown_dtype, (errorcodes.TYPE_VAR,)),
    (refused_calls.are_of_any, (errorcodes.TYPE_VAR,)),
    (refused_calls.differ_in_dtype, (errorcodes.MISC,)),
    (refused_calls.fits_beside_any, (errorcodes.ARG_TYPE,)),
    (unknown_arguments.are_assigned_items, (errorcodes.ASSIGNMENT,)),
    (unknown_arguments.are_unknown, unknown_arguments.CODES),
    (library_parameters.take_other_dtypes, library_parameters.CODES),
    (untyped_functions.accept_anything, untyped_functions.OF_CALLS),
    (_is_of_join, _OF_JOINS),
    (_is_in_array, (errorcodes.OPERATOR,)),
    (lambda_parameters.are_beside_others, (errorcodes.OPERATOR,)),
    (untyped_functions.return_anything, untyped_functions.OF_USES),
)
_ASKED: Final[Mapping[ErrorCode | None, Sequence[Callable[[TypeChecker, ErrorInfo], bool]]]] = {
    code: [check for check, asked in _CHECKS if code in asked] for _, codes in _CHECKS for code in codes
}

#: The codes of errors about a value that does not fit its place.
_OF_MARKS: Final = frozenset(
    {
        errorcodes.ARG_TYPE,
        errorcodes.ASSIGNMENT,
        errorcodes.CALL_OVERLOAD,
        errorcodes.COMPARISON_OVERLAP,
        errorcodes.DICT_ITEM,
        errorcodes.INDEX,
        errorcodes.LIST_ITEM,
        errorcodes.MISC,
        errorcodes.OPERATOR,
        errorcodes.RETURN_VALUE,
        errorcodes.TYPEDDICT_ITEM,
        errorcodes.UNION_ATTR,
    }
)

#: How the notes without a code begin.
_OPERANDS: Final = ("Left operand", "Right operand", "Both left and right operands")


class HiddenErrors:
    """Decides for one error after another, in mypy's order."""

    #: A note may have no code.
    codes: Final = frozenset({*_ASKED, *_OF_MARKS, errorcodes.ASSERT_TYPE, None})

    def __init__(self) -> None:
        self._last: tuple[str, ErrorCode | None, range] | None = None
        """The file, the code and the lines of the last error, if it was suppressed or has another code now."""
        self._repeated = RepeatedErrors()

    def hides(self, current: TypeChecker, error: ErrorInfo) -> bool:
        """Whether to suppress an error or note of one of the codes."""
        if current.path in current.errors.ignored_files:
            # Errors in this file are ignored. The assignment still takes effect.
            return error.code is errorcodes.ASSIGNMENT and refused_assignments.go_on(current, error)
        if error.severity == "note":
            # The notes about overloads and operands follow the error.
            return self._is_about_last(current, error)
        is_hidden = any(check(current, error) for check in _ASKED.get(error.code, ()))
        if not is_hidden and _is_of_marks(current, error):
            is_hidden = True
            if error.code is errorcodes.ASSIGNMENT:
                refused_assignments.keep_declared(current, error)
        code = error.code
        if not is_hidden:
            restored_errors.restore(current, error)
        elif error.code is errorcodes.ASSIGNMENT:
            inferred_attributes.go_on(current, error)
        is_hidden = is_hidden or self._repeated.repeats(current, error)
        lines = range(error.line, max(error.line, error.end_line) + 1)
        self._last = (current.path, code, lines) if is_hidden or code is not error.code else None
        return is_hidden

    def _is_about_last(self, current: TypeChecker, note: ErrorInfo) -> bool:
        """Whether a note belongs to an error that was suppressed."""
        if self._last is None or self._last[0] != current.path or note.line not in self._last[2]:
            return False
        return note.code is self._last[1] if note.code is not None else note.message.startswith(_OPERANDS)


def _is_of_marks(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a value of inferred dtype, and no dtype is declared for it."""
    if error.code is errorcodes.ASSERT_TYPE:
        return marked_messages.is_same_but_for_marks(error.message)
    if error.code in _OF_MARKS and marked_messages.is_of_one_integer(error.message):
        return True
    if error.code not in _OF_MARKS or not marked_messages.is_of_marks(error.message):
        return False
    if declared_classes.accept_no_container(current, error.message):
        return False
    return error.code is not errorcodes.CALL_OVERLOAD or not refused_calls.is_refused_anyway(current, error)
