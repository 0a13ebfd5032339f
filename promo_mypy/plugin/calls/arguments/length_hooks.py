"""Give shapes and arguments of functions the types of axis lengths that `axis_lengths` has inferred."""

from collections.abc import Iterator, Set
from functools import partial
from itertools import chain
from typing import Final

from mypy.nodes import Expression, MemberExpr, MypyFile, NameExpr, Node, OpExpr, Var
from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type, quiet_type, tree
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.operators import Operator

_INT: Final = "builtins.int"
_TUPLE: Final = "builtins.tuple"


def infer_shape(ctx: AttributeContext, session: Session) -> Type:
    """The shape of an array: a tuple of ints if its items are operands or are bound to names."""
    session.watch.follow(ctx.api)
    lengths, shape = session.watch.file.lengths, ctx.context
    if lengths is None or not isinstance(shape, MemberExpr) or not isinstance(ctx.type, Instance):
        return ctx.default_attr_type
    declared, stock = ctx.default_attr_type, session.watch.stock(ctx.api)
    if not _is_tuple_of_anything(declared):
        is_unknown = stock is not None and stock.has_unknown_rank(shape.expr)
        if not value_marks.is_marked(ctx.type) and not is_unknown:
            return declared
        # Only the plugin knows the number of axes.
        declared = session.symbols.instance(_TUPLE, [AnyType(TypeOfAny.special_form)]) or declared
    lengths.shapes.add(shape)
    return declared if not lengths.is_taken(shape) else _instance(_TUPLE, session) or declared


def with_lengths(expression: Expression, declared: Type, session: Session, api: CheckerPluginInterface) -> Type:
    """The type of an argument for the promotion rules: int if it is a length that mypy infers as Any."""
    lengths, known = session.watch.file.lengths, None
    if lengths is None or not lengths.shapes:
        return declared
    if isinstance(get_proper_type(declared), AnyType):
        number = lengths.number(expression, partial(expression_type, checker(api)))
        known = None if number is None else _instance(number, session)
    elif _is_tuple_of_anything(declared) and lengths.is_shape(expression):
        known = _instance(_TUPLE, session)
    return declared if known is None else known


def has_length_operand(ctx: MethodSigContext, operator: Operator, session: Session) -> bool:
    """Whether an operand is a number that is Any to stock mypy: a power of a length, or what contains a length."""
    lengths, powers = session.watch.file.lengths, session.watch.file.length_powers
    if powers and any(_is_power(each, powers, tree(ctx.api)) for each in written_operands(ctx, operator)):
        return True
    stock = session.watch.stock(ctx.api)
    if lengths is None or not lengths.shapes or stock is None:
        return False
    found = filter(lengths.has_length, written_operands(ctx, operator))
    return any(_may_be_number(quiet_type(ctx.api, each)) and stock.is_any(each) for each in found)


def _may_be_number(operand: Type) -> bool:
    """Whether an operand is a number of Python, perhaps beside Any: the product of a length and an opened number."""
    known = [each for each in members(operand) if not isinstance(each, AnyType)]
    return bool(known) and all(map(is_python_number, known))


def _is_power(operand: Expression, powers: Set[Node], file: MypyFile) -> bool:
    """Whether an operand, or the only value of a variable, is one of these powers."""
    if isinstance(operand, NameExpr) and isinstance(operand.node, Var):
        values = definitions(file).values(operand.node) or ()
        return len(values) == 1 and values[0] in powers
    return operand in powers


def written_operands(ctx: MethodContext | MethodSigContext, operator: Operator) -> Iterator[Expression]:
    """The operands that an operator of an array gets. Of some mypy passes on only the type."""
    if isinstance(ctx.context, OpExpr):
        return iter([ctx.context.left if operator.kind == "reflected" else ctx.context.right])
    return chain(*ctx.args)


def _instance(fullname: str, session: Session) -> Instance | None:
    if fullname != _TUPLE:
        return session.symbols.instance(fullname)
    item = session.symbols.instance(_INT)
    return None if item is None else session.symbols.instance(_TUPLE, [item])


def _is_tuple_of_anything(declared: Type) -> bool:
    typ = get_proper_type(declared)
    if not isinstance(typ, Instance) or typ.type.fullname != _TUPLE:
        return False
    return isinstance(get_proper_type(typ.args[0]), AnyType)
