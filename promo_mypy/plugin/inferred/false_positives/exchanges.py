"""Find false positives in `x, y = y, x`, which mypy checks in the order of Python only with the plugin.

Stock mypy binds `x` before it reads it for `y`. Then `x` has the new type, which fits `y`. (See `evaluate_first`.)
"""

from mypy.nodes import AssignmentStmt, IndexExpr, NameExpr, TupleExpr, Var
from mypy.subtypes import is_subtype

from promo_mypy.plugin.inferred.false_positives.assigned_values import assignment_of
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Statements


def are_accepted_in_turn(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether stock mypy accepts the second half of an exchange, because it accepts the first."""
    statement = assignment_of(Statements(current.tree.defs), error)
    match statement:
        case AssignmentStmt(
            lvalues=[TupleExpr(items=[NameExpr(node=Var() as one), NameExpr(node=Var() as other)])],
            rvalue=IndexExpr(base=TupleExpr(items=[NameExpr() as first, NameExpr() as second])),
        ) if first.node is other and second.node is one and one.type is not None and other.type is not None:
            new = current.lookup_type_or_none(first)
            return new is not None and is_subtype(new, one.type) and is_subtype(new, other.type)
        case _:
            return False
