"""Find the array that stock mypy infers where an operand may be None.

NumPy's stubs accept None beside an array of unknown dtype, and reject it beside most dtypes.
"""

from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, NoneType, Type, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array
from promo_mypy.plugin.types.walks import members


def stock_receiver(operation: Operation, api: CheckerPluginInterface) -> Instance | None:
    """The array of unknown dtype beside an operand that may be None, as stock mypy infers it; None for any other."""
    may_be_none = any(isinstance(each, NoneType) for other in operation.others for each in members(other))
    operands, stock = operands_of(operation.context), stock_checks(api)
    has_no_dtype = isinstance(scalar_of_array(operation.receiver), AnyType)
    if not may_be_none or not operands or stock is None or not has_no_dtype:
        return None
    return _array(stock.type_of(operands[-1 if operation.operator.kind == "reflected" else 0]))


def _array(typ: Type | None) -> Instance | None:
    proper = get_proper_type(typ)
    return proper if isinstance(proper, Instance) and library_of(proper) is Library.NUMPY else None
