"""Complete containers for which mypy finds no item type with the plugin, and does without it: they take any items.

mypy gives `xs = []` the type `list[Any]` at `xs.extend(v)` if `v` is Any. If `v` is an array of inferred dtype, mypy
asks for an annotation.
"""

from mypy.nodes import AssignmentStmt, MemberExpr, NameExpr

from promo_mypy.plugin.inferred.false_positives.assigned_values import assignment_of, variable_of
from promo_mypy.plugin.mypy_api.checker.partial_types import complete
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.syntax_trees import Region, checked_statements, nodes_in


def go_on(current: TypeChecker, error: ErrorInfo) -> None:
    """Complete the containers in the line of a suppressed error that asks for the annotation of one.

    mypy itself completes the target of `xs = xs + v` when it has the type of the value.
    """
    statement = assignment_of(checked_statements(current.tree), error)
    bound = targets(statement) if isinstance(statement, AssignmentStmt) else ()
    completed = [variable_of(target, current) for target in bound]
    for node in nodes_in(Region.around(current.tree, error.line)):
        if isinstance(node, NameExpr | MemberExpr) and node.line == error.line:
            variable = variable_of(node, current)
            if variable is not None and variable not in completed:
                complete(current, variable)
