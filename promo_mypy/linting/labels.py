"""The dtypes of the operands of an expression, for the line beneath it."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, ConditionalExpr, Expression, MemberExpr, MypyFile, OpExpr, RefExpr, UnaryExpr

from promo_mypy.linting.findings import Label
from promo_mypy.linting.values import FileValues
from promo_mypy.plugin.trees.expressions import operands_of


def labels_of(node: Expression, values: FileValues) -> tuple[Label, ...]:
    """The operands of an operation with their dtypes, down to those that are no operation; or the expression itself."""
    operands = list(dict.fromkeys(leaves_of(node)))
    if not any(map(values.is_array, operands)):
        operands = [node]
    labelled = [(operand, dtype) for operand in operands if (dtype := values.dtype_text(operand))]
    return tuple(sorted(Label(values.text.span(values.place(operand)), dtype) for operand, dtype in labelled))


def leaves_of(node: Expression) -> Iterator[Expression]:
    """The operands from which an expression is computed; of a call, its arguments."""
    if isinstance(node, CallExpr):
        parts = [*([node.callee.expr] if isinstance(node.callee, MemberExpr) else []), *node.args]
        yield from (part for part in parts if not _is_module(part))
    else:
        yield from _operands(node)


def _operands(node: Expression) -> Iterator[Expression]:
    """The operands of operators. A call among them is one: its dtype counts, not that of its arguments."""
    match node:
        case OpExpr() | UnaryExpr() if operands_of(node):
            for operand in operands_of(node):
                yield from _operands(operand)
        case ConditionalExpr():
            yield from _operands(node.if_expr)
            yield from _operands(node.else_expr)
        case _:
            yield from operands_of(node) or [node]


def _is_module(node: Expression) -> bool:
    """Whether this is a module: np in `np.sqrt(x)`."""
    return isinstance(node, RefExpr) and isinstance(node.node, MypyFile)
