"""Narrow `x` after `x *= y` to the result if that may be another array.

`tensor *= ndarray` gives a new tensor of NumPy's dtype, and a NumPy array times a JAX array is a JAX array. mypy keeps
the type of a variable, whatever `x.__imul__(y)` returns.
"""

from mypy.nodes import MemberExpr, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Type, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.narrowing import declare_anything
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.plugin.types.walks import members

with late():
    from promo_mypy.plugin.inferred import replaced_targets
    from promo_mypy.plugin.inferred.false_positives import assigned_values, refused_assignments


def note(operation: Operation, result: Type | None, session: Session, api: CheckerPluginInterface) -> None:
    """Narrow the target to the result if it is another array, or to Any if an unknown operand decides that.

    The receiver has the canonical type of the target. An annotated variable keeps its declared type.
    """
    context, receiver = operation.context, operation.receiver
    target = context.lvalue if isinstance(context, OperatorAssignmentStmt) else None
    if isinstance(target, MemberExpr):
        _widen_attribute(target, result, checker(api))
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var) or not is_unannotated(target.node):
        return
    if result is not None and session.canonical(result) != receiver:
        refused_assignments.narrow_to_value(checker(api), target, result, is_hidden=True)
    elif result is None and any(map(may_be_anything, operation.others)):
        library = library_of(receiver)
        if library is not None and replaced_targets.may_be_replaced(
            library, checker(api).tree, [operation.operator.operation]
        ):
            refused_assignments.narrow_to_value(checker(api), target, None, is_hidden=True)


def keeps_tensor(operation: Operation) -> bool:
    """Whether a tensor keeps its dtype, as PyTorch writes into it: the operand on the right is another tensor."""
    operands = [members(operand) for operand in operation.operands]
    return all(len(items) == 1 and library_of(items[0]) is Library.TORCH for items in operands)


def _widen_attribute(target: MemberExpr, result: Type | None, current: TypeChecker) -> None:
    """Narrow an attribute to Any if the result of the operation is Any: it may be a NumPy scalar that is replaced."""
    attribute = assigned_values.variable_of(target, current)
    anything = get_proper_type(result)
    if attribute is None or attribute.type is None or not is_unannotated(attribute):
        return
    if isinstance(anything, AnyType):
        declare_anything(current, target, attribute.type, anything, anything)
