"""Find false positives about a value that `%` puts into a text, and that is Any to stock mypy.

Such a value may be a tuple, or a mapping: stock mypy does not count the placeholders.
"""

from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import Expression, OpExpr, TupleExpr

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import nodes_around
from promo_mypy.plugin.inferred.stock.any_to_stock import is_any_to_stock
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types.printed_marks import names_mark

CODES: Final = (codes.STRING_FORMATTING,)

#: The other errors are about the text alone.
_OF_VALUES: Final = ("Not all arguments", "Not enough arguments", "Format requires a mapping", "Incompatible types")


def are_of_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the error is about such a value, alone or in a tuple."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations) or not error.message.startswith(_OF_VALUES):
        return False
    if names_mark(error.message):
        return True
    type_of = current.lookup_type_or_none
    return any(is_any_to_stock(value, declared.variables, type_of) for value in _formatted(current, error))


def _formatted(current: TypeChecker, error: ErrorInfo) -> Iterator[Expression]:
    """The values without a display of a tuple: of one, stock mypy counts the items."""
    for node in nodes_around(current, error):
        if isinstance(node, OpExpr) and node.op == "%" and not isinstance(node.right, TupleExpr):
            yield node.right
