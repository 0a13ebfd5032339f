"""Infer `n ** 0.5` for a number n that cannot be negative: the length of an axis or a container.

For an int and a float typeshed returns Any, because a negative base gives a complex number. So `x / n**0.5` would have
an unknown dtype. Elsewhere the Any stays: it fits where an int is declared, and the float would not.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    Var,
)
from mypy.plugin import MethodContext
from mypy.types import AnyType, Type, get_proper_type

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types.array_types import library_of

_ATTRIBUTES: Final = frozenset({"size", "ndim"})
_METHODS: Final = frozenset({"dim", "ndimension", "nelement", "numel"})
#: These operators give no negative number for two numbers that are not negative.
_CLOSED: Final = frozenset({"+", "*", "//", "%", "**"})
_LONGEST: Final = 8


def infer(ctx: MethodContext, session: Session) -> Type:
    """A float for a base that is not negative; mypy's own type otherwise."""
    context = ctx.context
    if not isinstance(get_proper_type(ctx.default_return_type), AnyType) or not isinstance(context, OpExpr):
        return ctx.default_return_type
    tree = type_checker.tree(ctx.api)
    around = Region.around(tree, context.line)
    if context not in _computed_with(around, tree) or not _Bases(ctx).is_length(context.left, _LONGEST):
        return ctx.default_return_type
    session.watch.file.length_powers.add(context)
    return session.symbols.instance("builtins.float") or ctx.default_return_type


@lru_cache(maxsize=1)  # mypy checks one function after the other
def _computed_with(region: Region, tree: MypyFile) -> frozenset[Node]:
    """The powers in a region that are operands, arguments of array libraries, or the only value of a variable."""
    uses = (use for node in nodes_in(region) for use in _uses(node, tree))
    return frozenset(use for use in uses if isinstance(use, OpExpr) and use.op == "**")


def _uses(node: Node, tree: MypyFile) -> Iterator[Expression | None]:
    match node:
        case OpExpr(left=left, right=right):
            yield from (left, right)
        case CallExpr(callee=NameExpr(name="reveal_type"), args=arguments):
            yield from arguments
        case CallExpr(callee=RefExpr(fullname=name), args=arguments) if is_own(name):
            yield from arguments
        case AssignmentStmt(lvalues=[NameExpr(node=Var() as variable)], rvalue=value, unanalyzed_type=None):
            if definitions(tree).values(variable) == [value]:
                yield value


class _Bases:
    """Finds out whether expressions of one file are lengths."""

    def __init__(self, ctx: MethodContext) -> None:
        self._api = ctx.api

    def is_length(self, base: Expression, steps: int) -> bool:
        """Whether an expression is a number that cannot be negative."""
        match base:
            case IntExpr():
                return True
            case CallExpr(callee=RefExpr(fullname="builtins.len")):
                return True
            case CallExpr(callee=MemberExpr(name=name, expr=array)) if name in _METHODS or name == "size":
                return self._is_array(array)
            case MemberExpr(name=name, expr=array) if name in _ATTRIBUTES:
                return self._is_array(array)
            case IndexExpr(base=shape):
                return self._is_shape(shape)
            case OpExpr(op=op) if op in _CLOSED and steps:
                return self.is_length(base.left, steps - 1) and self.is_length(base.right, steps - 1)
            case NameExpr(node=Var() as variable) if steps:
                found = definitions(type_checker.tree(self._api)).of_variable(variable)
                return bool(found) and all(self._gives_length(each, steps - 1) for each in found)
            case _:
                return False

    def _gives_length(self, definition: Definition, steps: int) -> bool:
        if definition.way is not Way.VALUE or definition.value is None or isinstance(definition.target, MemberExpr):
            return False
        if definition.path:
            return self._is_shape(definition.value)
        return self.is_length(definition.value, steps)

    def _is_shape(self, expression: Expression) -> bool:
        return isinstance(expression, MemberExpr) and expression.name == "shape" and self._is_array(expression.expr)

    def _is_array(self, expression: Expression) -> bool:
        return library_of(type_checker.quiet_type(self._api, expression)) is not None
