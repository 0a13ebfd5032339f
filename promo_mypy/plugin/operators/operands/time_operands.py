"""Report operators that NumPy has not for times: `counts - dates`, `dates > 0.5`.

The promotion rules have no dtypes of times. NumPy's stubs declare the operators, and accept some that fail.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.reports.rejected_calls import report_call
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.types.array_types import is_python_number, read
from promo_mypy.rules import times
from promo_mypy.rules.wording.reasons import spelled

_CLASSES: Final[Mapping[str, str]] = {f"numpy.{name}": kind for kind, name in times.NAMES.items()}

#: Class of a Python number -> its kind.
_NUMBERS: Final[Mapping[str, str]] = {"bool": "b", "int": "i", "float": "f", "complex": "c"}


def report(operation: Operation, session: Session, api: CheckerPluginInterface) -> bool:
    """Report an operator of a time and another operand, both of known kind, that fails. Return whether it does."""
    kinds = [_time_kind(typ) for typ in operation.operands]
    if not any(kinds) or operation.operator.arity != 2:
        return False
    left, right = (_named(typ, session) for typ in operation.in_order)
    operator = operation.operator
    name = operator.operation.removeprefix("i") if operator.kind == "inplace" else operator.operation
    if left is None or right is None or not times.is_rejected(name, left[0], right[0]):
        return False
    if any(_is_union(each, api) for each in operands_of(operation.context)):
        return False  # mypy asks about one member after the other
    called, system = f"{left[1]} {operator.symbol} {right[1]}", session.system(Library.NUMPY, api)
    reason, remedy = times.reason(operator.symbol, left[1], right[1]), times.remedy(left[0], right[0])
    report_call(called, system, reason, remedy, operation.context, api)
    return True


def _is_union(operand: Expression, api: CheckerPluginInterface) -> bool:
    typ = expression_type(checker(api), operand)
    return typ is not None and isinstance(get_proper_type(typ), UnionType)


def _time_kind(typ: Type) -> str | None:
    """The kind of an array or scalar of times; None for anything else."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname != names.NUMPY_ARRAY:
        return _CLASSES.get(proper.type.fullname)
    dtype = get_proper_type(proper.args[1])
    scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
    return _CLASSES.get(scalar.type.fullname) if isinstance(scalar, Instance) else None


def _named(typ: Type, session: Session) -> tuple[str, str] | None:
    """The kind and the name of the dtype of an operand; None if one of them is unknown."""
    kind = _time_kind(typ)
    if kind is not None:
        return kind, times.NAMES[kind]
    proper = get_proper_type(typ)
    if is_python_number(proper) and isinstance(proper, Instance):
        return _NUMBERS[proper.type.name], f"Python {proper.type.name}"
    values = read(typ, session.platform)
    if values is None or len(values) != 1 or values[0].library is not Library.NUMPY:
        return None
    dtypes = values[0].dtypes
    (dtype,) = dtypes if len(dtypes) == 1 else (None,)
    return None if dtype is None else (dtype.kind, spelled(dtype))
