"""Statements to the names that they bind to lengths of axes, `x.shape[0]`, and operators to the lengths in them."""

from collections.abc import Iterator

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    FloatExpr,
    ForStmt,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)

from promo_mypy.plugin.trees.syntax_trees import nodes, statements
from promo_mypy.rules.records import record


@record
class Binding:
    """What a name is bound to: `value`, or an item of it."""

    name: NameExpr | MemberExpr
    value: Expression
    is_item: bool

    @property
    def defines(self) -> bool:
        """Whether the name has its type from there."""
        # A parameter that is bound again was not defined there.
        return self.name.is_inferred_def

    @property
    def variable(self) -> Var | None:
        """The variable or attribute of that name."""
        node = self.name.node if isinstance(self.name, NameExpr) else self.name.def_var
        return node if isinstance(node, Var) else None


def bindings(tree: MypyFile) -> Iterator[Binding]:
    """What the assignments and loops of a file bind, in the order of the text."""
    for statement in statements(tree.defs):
        match statement:
            case AssignmentStmt():
                for lvalue in statement.lvalues:
                    yield from _names(lvalue, statement.rvalue, is_item=False)
            case ForStmt():
                yield from _names(statement.index, statement.expr, is_item=True)


def _names(target: Expression, value: Expression, *, is_item: bool) -> Iterator[Binding]:
    if isinstance(target, NameExpr | MemberExpr):
        yield Binding(target, value, is_item)
    elif isinstance(target, TupleExpr | ListExpr) and not is_item and not _has_star(target.items):
        if isinstance(value, TupleExpr | ListExpr) and len(value.items) == len(target.items):
            for item, part in zip(target.items, value.items, strict=True):
                yield from _names(item, part, is_item=False)
        else:
            yield from (Binding(item, value, True) for item in target.items if isinstance(item, NameExpr | MemberExpr))


def _has_star(items: list[Expression]) -> bool:
    return any(isinstance(item, StarExpr) for item in items)


def bound_shape(binding: Binding) -> MemberExpr | None:
    """The `x.shape` in `h, w = x.shape[:2]` and `n = x.shape[0]`."""
    value = binding.value
    if not binding.is_item:
        return _indexed_shape(value)
    while isinstance(value, IndexExpr) and isinstance(value.index, SliceExpr):
        value = value.base
    return value if isinstance(value, MemberExpr) and value.name == "shape" else None


def _indexed_shape(value: Expression) -> MemberExpr | None:
    """The `x.shape` in `x.shape[0]` and `x.shape[-1]`."""
    if not isinstance(value, IndexExpr) or not isinstance(value.base, MemberExpr) or value.base.name != "shape":
        return None
    return value.base if isinstance(value.index, IntExpr | NameExpr | UnaryExpr) else None


def shapes_in_operands(tree: MypyFile) -> Iterator[MemberExpr]:
    """The `x.shape` in what is computed of lengths, where it is an operand beside something else."""
    for node in nodes(tree.defs):
        if isinstance(node, OpExpr):
            for operand, other in ((node.left, node.right), (node.right, node.left)):
                if _is_of_lengths(operand) and not _is_of_lengths(other):
                    yield from filter(None, map(_indexed_shape, _expressions(operand)))


def _is_of_lengths(expression: Expression) -> bool:
    return all(isinstance(part, IntExpr | FloatExpr) or _indexed_shape(part) for part in _expressions(expression))


def _expressions(expression: Expression) -> Iterator[Expression]:
    """The operands of the operators in an expression, or the expression itself."""
    match expression:
        case OpExpr():
            yield from _expressions(expression.left)
            yield from _expressions(expression.right)
        case UnaryExpr():
            yield from _expressions(expression.expr)
        case _:
            yield expression
