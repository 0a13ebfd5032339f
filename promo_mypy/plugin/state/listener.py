"""What whoever drives mypy hears about the operations of a program, beside mypy's messages."""

from collections.abc import Callable

from promo_mypy.rules.elsewhere import Elsewhere
from promo_mypy.rules.records import record


@record
class Difference:
    """An operation whose dtype is another one elsewhere; operands and dtypes in the words of the messages."""

    symbol: str
    operands: tuple[str, ...]
    system: str
    result: str
    elsewhere: tuple[Elsewhere, ...]
    remedy: str


@record
class Place:
    """Where an expression stands: its file as mypy names it, line and end line from 1, columns from 0."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


#: Hears of every operation of known dtype once or more, with its difference where that is reported.
Listener = Callable[[Place, str, Difference | None], None]
