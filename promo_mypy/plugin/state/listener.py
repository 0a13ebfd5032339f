"""The interface through which a tool that runs mypy gets the operations of a program, beside mypy's messages."""

from collections.abc import Callable

from promo_mypy.rules.portability import Elsewhere
from promo_mypy.rules.records import record


@record
class Difference:
    """An operation whose dtype differs under another system; operands and dtypes as in messages.

    Attributes:
        symbol: the operator.
        operands: its operands.
        system: the promotion system of the module.
        result: the dtype under that system.
        elsewhere: the dtypes under other systems.
        remedy: a cast that gives one dtype under all of them.
    """

    symbol: str
    operands: tuple[str, ...]
    system: str
    result: str
    elsewhere: tuple[Elsewhere, ...]
    remedy: str


@record
class Place:
    """The place of an expression: its file as mypy names it, line and end line from 1, columns from 0."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


#: Called one or more times for every operation of known dtype, with its difference if that is reported.
Listener = Callable[[Place, str, Difference | None], None]
