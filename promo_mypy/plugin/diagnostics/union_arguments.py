"""Find out whether mypy checks a call for one member of a union, where an error is not certain."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, Context, Expression, IndexExpr, MemberExpr, NameExpr, Var
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Type, UnionType, get_proper_type

from promo_mypy.plugin.diagnostics import dtype_tests
from promo_mypy.plugin.mypy_api.arguments import Argument, CallContext
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read


def is_of_one_member(ctx: CallContext, arguments: Sequence[Argument], session: Session) -> bool:
    """Whether mypy checks one member of a union without an annotation, or with members of unknown dtype.

    The union may be the type of an argument, or that of the array whose method is called. Also whether the code tests
    which of several dtypes one of them has.
    """
    several = []
    given = [(argument.expression, argument.type) for argument in arguments]
    if isinstance(ctx, MethodContext) and (array := _receiver(ctx.context)) is not None:
        given.append((array, ctx.type))
    for expression, member in given:
        typ = expression_type(checker(ctx.api), expression)
        if typ is None or not _is_union(typ):
            continue
        values = read(typ, session.platform)
        is_certain = _is_declared(expression) and values is not None
        if not is_certain and not _is_union(member):
            return True
        if values is not None and len(frozenset().union(*(value.dtypes for value in values))) > 1:
            several.append(expression)
    return dtype_tests.are_tested(several, ctx.api)


def _receiver(call: Context) -> Expression | None:
    """The array whose method is called: `x` in `x.sum()` and in `x.at[i].set(y)`."""
    if not isinstance(call, CallExpr) or not isinstance(call.callee, MemberExpr):
        return None
    match call.callee.expr:
        case IndexExpr(base=MemberExpr(expr=array, name="at")):
            return array
        case array:
            return array


def is_of_unknown_union(arguments: Sequence[Argument], session: Session, api: CheckerPluginInterface) -> bool:
    """Whether mypy checks one member of a union of which the rules do not know all members, such as `ArrayLike`."""
    for argument in arguments:
        typ = expression_type(checker(api), argument.expression)
        if typ is not None and _is_union(typ) and not _is_union(argument.type) and read(typ, session.platform) is None:
            return True
    return False


def _is_declared(expression: Expression) -> bool:
    """Whether this is a variable with an annotation."""
    return isinstance(expression, NameExpr) and isinstance(expression.node, Var) and not is_unannotated(expression.node)


def _is_union(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), UnionType)
