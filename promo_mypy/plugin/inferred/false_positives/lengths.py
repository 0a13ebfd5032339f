"""Find false positives about the lengths of axes, which are int to the plugin and Any to stock mypy."""

import re
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import Expression, TupleExpr

from promo_mypy.plugin.inferred.axis_lengths import AxisLengths
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.DICT_ITEM, codes.LIST_ITEM, codes.RETURN_VALUE)

_GIVEN: Final = r"(?:incompatible type(?: \"[^\"]*\":)?|\(got|expression has type) \"([^\"]*)\""
_NUMBER: Final = r"\b(?:int|float)\b"
#: A mark in the place of the number.
_MARK: Final = "InferredFloat64"


def count_as_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a number that stock mypy does not know, because it is computed from a length."""
    given = re.search(_GIVEN, error.message)
    declared = current.var_decl_frames
    if given is None or not re.search(_NUMBER, given[1]) or not isinstance(declared, Declarations):
        return False
    lengths = declared.variables.lengths
    if not lengths.shapes:
        return False
    start, end = given.span(1)
    for _, value in uses(current, error).get(place_of(error), ()):
        marked = _marked(value, given[1], lengths)
        message = f"{error.message[:start]}{marked}{error.message[end:]}"
        if marked != given[1] and marked_messages.is_of_marks(message):
            return True
    return False


def _marked(value: Expression, text: str, lengths: AxisLengths) -> str:
    """The printed type of a value, with a mark on each number that is Any to stock mypy."""
    if isinstance(value, TupleExpr) and text.startswith("tuple["):
        parts = marked_messages.arguments(text)
        if len(value.items) == len(parts):
            marked = (_marked(item, part, lengths) for item, part in zip(value.items, parts, strict=True))
            return f"tuple[{', '.join(marked)}]"
    return _MARK if re.fullmatch(_NUMBER, text) and lengths.is_any(value) else text
