"""Report writes that cut off what the dtype of the array cannot hold: `u8[mask] = 0.7` writes zeros."""

import math
from collections.abc import Sequence
from typing import Final

from mypy.nodes import CallExpr, Context, Expression, MemberExpr, NameExpr, OpExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.preserved_dtype import by_parameter, types_by_parameter
from promo_mypy.plugin.diagnostics.findings import array_dtypes, dtypes_text, made
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_floats import written_floats
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.lossy_writes import WRITES, lost
from promo_mypy.rules.functions.stored_numbers import ITEMS
from promo_mypy.rules.operands import Form
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.value_remedies import lossless_write

#: Functions that reject arrays of other dtypes, and cast scalars.
_REJECTING_ARRAYS: Final = frozenset({"place", "putmask"})
#: Functions whose results have no fraction.
_WHOLE: Final = frozenset({"round", "rint", "floor", "ceil", "trunc", "fix", "around", "round_", "floor_divide"})


def report(
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report such a write, if somebody asks. Return whether there was a report."""
    diagnostic = diagnostics.WRITE
    parameters = WRITES.get(row.library, {}).get(row.name)
    if parameters is None or not type_checker.is_enabled(api, CODES[diagnostic]):
        return False
    target, value = parameters
    arguments, types = by_parameter(row, given, receiver), types_by_parameter(row, given, receiver)
    if value not in arguments or target not in types or "dtype" in arguments:
        return False
    if row.name in _REJECTING_ARRAYS and library_of(arguments[value].type) is not None:
        return False
    array = _dtypes(types[target], session)
    text, losses = _written(arguments[value], array, session)
    if not losses or not all(losses):
        return False
    name = (
        f"{dtypes_text(array)}[...] = {text}" if row.name == ITEMS else f"{row.full_name}({dtypes_text(array)}, {text})"
    )
    finding = made(
        diagnostic,
        lossless_write(losses[0]),
        operands=name,
        lost=losses[0],
        system=session.own_system(BY_PACKAGE[row.library], api).name,
    )
    type_checker.report(api, finding, context)
    return True


def _written(
    argument: Argument, array: frozenset[type[dt.Shaped]], session: Session
) -> tuple[str, Sequence[str | None]]:
    """The values in words, and what they lose, for each pair of dtypes that there may be."""
    if not array or _is_whole(argument.expression):
        return "", ()
    floats = list(written_floats(argument.expression, nested=True))
    if floats:
        cut = [value for value in floats if math.isfinite(value) and not value.is_integer()]
        return str(cut[0]) if cut else "", [lost(each, dt.float64) if cut else None for each in array]
    values = read(argument.type, session.platform) or ()
    if any(value.form is Form.PYTHON for value in values):
        is_float = all(value.dtypes == {dt.py_float} for value in values)
        return "float", [lost(each, dt.float64) if is_float else None for each in array]
    dtypes = array_dtypes(dtype for value in values for dtype in value.dtypes)
    return dtypes_text(dtypes), [lost(each, source) for each in array for source in dtypes]


def _dtypes(typ: Type, session: Session) -> frozenset[type[dt.Shaped]]:
    values = read(typ, session.platform) or ()
    return array_dtypes(dtype for value in values for dtype in value.dtypes)


def _is_whole(value: Expression) -> bool:
    """Whether the code rounds the values itself."""
    match value:
        case CallExpr(callee=MemberExpr(name=name) | NameExpr(name=name)):
            return name in _WHOLE
        case OpExpr(op="//"):
            return True
        case _:
            return False
