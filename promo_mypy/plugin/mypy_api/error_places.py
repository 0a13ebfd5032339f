"""The errors of a file to the places that have one: at every report of ours it is asked whether its place has.

(tests/plugin/mypy_api/test_error_places.py)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy.errorcodes import ErrorCode
    from mypy.errors import ErrorInfo

#: Line, column, end line and end column.
Place = tuple[int, int, int, int]


class ErrorPlaces:
    """Where the errors are of the file that was asked for last.

    mypy adds to the list of a file's errors and replaces it when it forgets some, so that a list is read once, and what
    was added since when it is asked for again.
    """

    def __init__(self) -> None:
        self._errors: list[ErrorInfo] = []
        self._read = 0
        self._places: set[tuple[Place, ErrorCode | None]] = set()

    def has(self, errors: "list[ErrorInfo]", place: Place, code: "ErrorCode") -> bool:
        """Whether one of the errors of a file is of that code and at that very place."""
        if errors is not self._errors:
            self._errors, self._read, self._places = errors, 0, set()
        for error in errors[self._read :]:
            self._places.add(((error.line, error.column, error.end_line, error.end_column), error.code))
        self._read = len(errors)
        return (place, code) in self._places
