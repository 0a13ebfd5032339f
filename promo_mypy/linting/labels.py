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
    """The operands from which an expression is computed."""
    match node:
        case OpExpr() | UnaryExpr() if operands_of(node):
            for operand in operands_of(node):
                yield from leaves_of(operand)
        case CallExpr():
            parts = [*([node.callee.expr] if isinstance(node.callee, MemberExpr) else []), *node.args]
            yield from (part for part in parts if not _is_module(part))
        case ConditionalExpr():
            yield from leaves_of(node.if_expr)
            yield from leaves_of(node.else_expr)
        case _:
            operands = operands_of(node)
            yield from operands or [node]


def _is_module(node: Expression) -> bool:
    """Whether this is a module: np in `np.sqrt(x)`."""
    return isinstance(node, RefExpr) and isinstance(node.node, MypyFile)
