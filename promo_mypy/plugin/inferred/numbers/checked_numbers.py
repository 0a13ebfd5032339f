"""Report values that stock mypy rejects for a number variable, although the plugin has added Any to its type.

A variable that may be bound to a value of type Any (see `number_variables`) gets the type `float | Any`, which would
accept a tensor, too. After each assignment an inserted call, for which mypy calls a hook, asks whether stock mypy
rejects the value: see `rejected_numbers`.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    FloatExpr,
    IntExpr,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    Var,
)

from promo_mypy.plugin.inferred import reset_containers
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after
from promo_mypy.plugin.trees.definitions import definitions

_Assignment = AssignmentStmt | OperatorAssignmentStmt
#: Values that are numbers in any case.
_NUMBERS: Final = (IntExpr, FloatExpr)


def check_after(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> None:
    """Insert such calls after the assignments to a variable that is not an attribute."""
    function = reset_containers.called_function(modules)
    for site in definitions(tree).statements if function is not None else ():
        statement = site.node
        if not isinstance(statement, _Assignment) or isinstance(statement.rvalue, _NUMBERS):
            continue
        targets = statement.lvalues if isinstance(statement, AssignmentStmt) else [statement.lvalue]
        if function is not None and any(isinstance(each, NameExpr) and each.node is variable for each in targets):
            call_after(reset_containers.block_of(statement, site, tree), statement, variable, function)
