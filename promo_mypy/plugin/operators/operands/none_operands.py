"""Find out whether an operand may be None beside an array whose dtype stock mypy knows and the plugin does not.

NumPy's stubs accept None beside an array of unknown dtype, and reject it beside most dtypes.
"""

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import NoneType

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.stock.widths import is_of_number
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker
from promo_mypy.plugin.operators.operands.union_operands import is_declared
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.container_types import has_lost_dtype
from promo_mypy.plugin.types.walks import members


def meets_none(operation: Operation, api: CheckerPluginInterface) -> bool:
    """Whether an operand may be None, beside an array whose dtype stock mypy knows."""
    may_be_none = any(isinstance(each, NoneType) for other in operation.others for each in members(other))
    operands = operands_of(operation.context)
    if not may_be_none or not operands or value_marks.is_marked(operation.receiver):
        return False
    array = operands[-1 if operation.operator.kind == "reflected" else 0]
    # A declared union such as ArrayLike has arrays of unknown dtype for stock mypy, too.
    has_lost = has_lost_dtype(operation.receiver) and not is_declared(array, api)
    return has_lost or _is_of_number(array, checker(api))


def _is_of_number(array: Expression, current: TypeChecker) -> bool:
    """Whether the array is computed of another one and a number, so that stock mypy knows its dtype."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    return is_of_number(array, declared.variables.values_of, current.lookup_type_or_none)
