"""Index the errors of a file by their place: before each report the plugin checks whether its place has an error.

(tests/plugin/mypy_api/test_error_places.py)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy.errorcodes import ErrorCode
    from mypy.errors import ErrorInfo

#: Line, column, end line and end column.
Place = tuple[int, int, int, int]


class ErrorPlaces:
    """The places of the errors of one file.

    mypy appends to the list of a file's errors, and replaces the list when it removes errors. So each list is read
    once, and then only its new entries.
    """

    def __init__(self) -> None:
        self._errors: list[ErrorInfo] = []
        self._read = 0
        self._places: set[tuple[Place, ErrorCode | None]] = set()

    def has(self, errors: "list[ErrorInfo]", place: Place, code: "ErrorCode") -> bool:
        """Whether a file has an error of that code at exactly that place."""
        if errors is not self._errors:
            self._errors, self._read, self._places = errors, 0, set()
        for error in errors[self._read :]:
            self._places.add(((error.line, error.column, error.end_line, error.end_column), error.code))
        self._read = len(errors)
        return (place, code) in self._places
