"""The dtypes of the operands of an expression, for the line beneath it."""

from collections.abc import Iterator

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    MypyFile,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    UnaryExpr,
)

from promo_mypy.linting.values import FileValues, Operation
from promo_mypy.plugin.interface.trees import operands_of
from promo_mypy.rules.findings import Label


def labels_of(node: Operation, values: FileValues) -> tuple[Label, ...]:
    """The operands of an operation with their dtypes, down to those that are no operation; or the expression itself."""
    operands = list(dict.fromkeys(leaves_of(node, values)))
    if isinstance(node, Expression) and not any(map(values.is_array, operands)):
        operands = [node]
    labelled = [(operand, dtype) for operand in operands if (dtype := values.dtype_text(operand))]
    return tuple(sorted(Label(values.text.span(values.place(operand)), dtype) for operand, dtype in labelled))


def leaves_of(node: Operation, values: FileValues) -> Iterator[Expression]:
    """The operands of an operation.

    Those of a call are the object of a method, the positional arguments, and the named arguments that are arrays.
    """
    if isinstance(node, CallExpr):
        if isinstance(node.callee, MemberExpr) and not _is_module(node.callee.expr):
            yield node.callee.expr
        for name, argument in zip(node.arg_names, node.args, strict=True):
            if (name is None or values.is_array(argument)) and not _is_module(argument):
                yield argument
    elif isinstance(node, IndexExpr):
        yield from (part for part in (node.base, node.index) if values.is_array(part))
    else:
        yield from _operands(node)


def _operands(node: Operation) -> Iterator[Expression]:
    """The operands of operators. A call among them is one: its dtype counts, not that of its arguments."""
    match node:
        case OpExpr() | UnaryExpr() | OperatorAssignmentStmt() if operands_of(node):
            for operand in operands_of(node):
                yield from _operands(operand)
        case ConditionalExpr():
            yield from _operands(node.if_expr)
            yield from _operands(node.else_expr)
        case _:
            yield from operands_of(node) or ([node] if isinstance(node, Expression) else [])


def _is_module(node: Expression) -> bool:
    """Whether this is a module: np in `np.sqrt(x)`."""
    return isinstance(node, RefExpr) and isinstance(node.node, MypyFile)
