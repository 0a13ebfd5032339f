"""Undo mypy's rewriting of an operator: find the operator in the source."""

from mypy.nodes import OperatorAssignmentStmt, OpExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type

from promo_mypy.plugin.mypy_api.checker.type_checker import tree
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.operators import OPERATORS


def as_written(asked: Operation, session: Session, api: CheckerPluginInterface) -> Operation:
    """The operation in the source.

    For `x += y` with a union `x`, mypy checks `x + y` for each member, or `y.__radd__(x)`, in a node of its own.
    """
    operator, context = asked.operator, asked.context
    if operator.kind not in ("binary", "reflected") or not isinstance(context, OpExpr):
        return asked
    memo = session.watch.memo
    if memo.targets is None:
        sites = definitions(tree(api)).statements
        memo.targets = {site.node.lvalue for site in sites if isinstance(site.node, OperatorAssignmentStmt)}
    if not is_rewritten(asked, session):
        return asked
    written = OPERATORS.get(f"__i{operator.operation}__")
    target, *added = asked.in_order
    return Operation(written, target, added, context) if written and _has(target, written.method) else asked


def is_rewritten(asked: Operation, session: Session) -> bool:
    """Whether mypy may have rewritten the operation, if `as_written` has read the file."""
    targets = session.watch.memo.targets
    if not targets:  # most files
        return False
    return getattr(asked.context, "left", None) in targets


def _has(target: Type, method: str) -> bool:
    """Whether the target, or a member of its union, has the method of an augmented assignment."""
    return any(isinstance(typ, Instance) and typ.type.has_readable_member(method) for typ in members(target))
