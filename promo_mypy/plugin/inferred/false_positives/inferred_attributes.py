"""Find mypy's errors about unannotated attributes whose only reason is a dtype.

A base class in another module has `shift = np.zeros(1, np.int8)`, and a subclass `shift = np.zeros(1)`. mypy infers the
type of the attribute from the first value. If the file of that value binds the attribute again, it has no dtype, and
mypy makes no error: neither does it for any other file.
"""

import re
from typing import Final

from mypy.nodes import AssignmentStmt, MemberExpr, NameExpr, OperatorAssignmentStmt, TempNode, Var
from mypy.subtypes import is_subtype

from promo_mypy.plugin.inferred import rebound_attributes
from promo_mypy.plugin.inferred.false_positives.assigned_values import assignment_of, variable_of
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.syntax_trees import checked_statements
from promo_mypy.plugin.types.container_types import holds_array, may_be_anything, without_dtypes

_OVERRIDE: Final = r'base class "([^"]*)"'


def differ_in_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy rejects an assignment to an attribute only because of a dtype that is not declared."""
    statement = assignment_of(checked_statements(current.tree), error)
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return False
    if isinstance(statement.rvalue, TempNode):
        return False  # an annotation without a value
    target, given = statement.lvalues[0], current.lookup_type_or_none(statement.rvalue)
    override = re.search(_OVERRIDE, error.message)
    if override is not None:
        own = target.node if isinstance(target, NameExpr) else None
        attribute = overridden(own, override[1]) if isinstance(own, Var) else None
    else:
        attribute = variable_of(target, current) if isinstance(target, MemberExpr) else None
    if given is None or attribute is None or attribute.type is None or not is_unannotated(attribute):
        return False
    if not holds_array(given):
        return False
    # An attribute of type `int | Any` accepts any value: the error is about its int. (`rejected_values`)
    return not may_be_anything(attribute.type) and is_subtype(without_dtypes(given), without_dtypes(attribute.type))


def go_on(current: TypeChecker, error: ErrorInfo) -> None:
    """Drop the dtype of an unannotated attribute after an assignment that is accepted: mypy keeps its first type."""
    statement = assignment_of(checked_statements(current.tree), error)
    if not isinstance(statement, AssignmentStmt | OperatorAssignmentStmt):
        return
    match targets(statement):
        case [MemberExpr() as target]:
            attribute, known = variable_of(target, current), current.lookup_type_or_none(target)
            if attribute is None or known is None:
                return
            if rebound_attributes.has_inferred_dtype(attribute, known):
                rebound_attributes.drop_after(statement, target, current)


def overridden(attribute: Var, base_class: str = "") -> Var | None:
    """The attribute of a base class that an attribute overrides. `base_class`: empty for the next that has it."""
    bases = (base for base in attribute.info.mro[1:] if base_class in ("", base.name)) if attribute.info else ()
    symbols = (base.names.get(attribute.name) for base in bases)
    return next((symbol.node for symbol in symbols if symbol is not None and isinstance(symbol.node, Var)), None)
