"""Find a variable that is both operands of an operator: in `x >> x` both are the same member of a union.

mypy takes the members of the two operands in every combination.
"""

from mypy.nodes import Expression, IndexExpr, IntExpr, MemberExpr, NameExpr, StrExpr, Var
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import operands_of


def with_one_member(asked: Operation, session: Session, api: CheckerPluginInterface) -> Operation:
    """The operation with the receiver as both operands, if the source has one variable, attribute or item for both.

    Only where all members have known dtypes: stock mypy's errors about others, such as None, stay.
    """
    if len(asked.others) != 1 or asked.others[0] == asked.receiver or session.values(asked.others[0]) is None:
        return asked
    written = operands_of(asked.context)
    if len(written) != 2 or not _are_same(written[0], written[1], api):
        return asked
    return Operation(asked.operator, asked.receiver, [asked.receiver], asked.context)


def _are_same(one: Expression, other: Expression, api: CheckerPluginInterface) -> bool:
    """Whether two expressions certainly have the same value. A property may return another one."""
    match one, other:
        case NameExpr(node=Var() as variable), NameExpr(node=node):
            return node is variable
        case MemberExpr(expr=owner, name=name), MemberExpr(expr=other_owner, name=other_name):
            if name != other_name or not _are_same(owner, other_owner, api):
                return False
            attribute = attribute_of(expression_type(checker(api), owner), name)
            return attribute is not None and not attribute.is_property
        case IndexExpr(base=base, index=index), IndexExpr(base=other_base, index=other_index):
            return _is_same_key(index, other_index) and _are_same(base, other_base, api)
        case _:
            return False


def _is_same_key(one: Expression, other: Expression) -> bool:
    match one, other:
        case (IntExpr(value=key), IntExpr(value=other_key)) | (StrExpr(value=key), StrExpr(value=other_key)):
            return key == other_key
        case _:
            return False
