"""Let a variable keep unknown dtypes, as functions may fill its containers unseen, or bind it to another array.

mypy narrows a variable to the type of each value. After `xs = [a]` an inserted call, for which mypy calls a hook, drops
the dtypes again.
"""

from collections.abc import Mapping, Sequence

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Var,
)
from mypy.plugin import FunctionContext

from promo_mypy.plugin.inferred.bound_values import may_be_container
from promo_mypy.plugin.inferred.inserted_calls import insert_after
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.nodes.tree_changes import is_inserted
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.types import mutable_types
from promo_mypy.plugin.types.container_types import is_array, without_dtypes


def keep_open(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> bool:
    """Insert such a call after each later assignment that may bind a variable to a container.

    Return whether that was possible.
    """
    bound = _bound(tree, variable)
    kept = [(site, variable) for site in bound[1:] if _may_be_container(site.node)]
    return insert_after(kept, tree, modules) and bool(bound)


def keep_shared(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> bool:
    """Insert such a call after each assignment to a variable that several functions bind to an array.

    Return whether nothing else binds the variable.
    """
    bound = _bound(tree, variable)
    if not bound or not all(isinstance(site.node, AssignmentStmt | OperatorAssignmentStmt) for site in bound):
        return False
    return insert_after([(site, variable) for site in bound], tree, modules)


def _may_be_container(statement: Node) -> bool:
    return isinstance(statement, AssignmentStmt) and may_be_container(statement.rvalue)


def _bound(tree: MypyFile, variable: Var) -> Sequence[Site]:
    """The statements that bind a variable; none if an expression binds it, too."""
    file = definitions(tree)
    if any(each.variable is variable for site in file.expressions for each in site.definitions):
        return ()
    return file.statements_of(variable)


def drop_dtypes(ctx: FunctionContext) -> None:
    """The inserted call: the dtypes of a container of arrays, and of an array that functions share, become unknown."""
    if not is_inserted(ctx.context):
        return
    (name,), (typ,) = ctx.args[0], ctx.arg_types[0]
    if mutable_types.depth(typ) > 0 or _is_opened_array(name):
        narrow(ctx.api, name, without_dtypes(typ))


def _is_opened_array(name: Expression) -> bool:
    variable = name.node if isinstance(name, NameExpr) else None
    if not isinstance(variable, Var) or variable.type is None:
        return False
    return is_unannotated(variable) and is_array(variable.type)
