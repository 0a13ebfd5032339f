"""Let a variable keep unknown dtypes, as functions may fill its containers unseen, or bind it to another array.

mypy narrows a variable to the type of each value. After `xs = [a]` an inserted call, for which mypy calls a hook, drops
the dtypes again.
"""

from collections.abc import Mapping, Sequence

from mypy.nodes import (
    AssignmentStmt,
    Block,
    Expression,
    FuncDef,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    Statement,
    Var,
)
from mypy.plugin import FunctionContext

from promo_mypy.plugin.inferred.bound_values import may_be_container
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.nodes.first_calls import FIRST_CALL
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.types import mutable_types
from promo_mypy.plugin.types.container_types import is_array, without_dtypes


def keep_open(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> bool:
    """Insert such a call after each later statement that may bind a variable to a container.

    Return whether that was possible.
    """
    function, bound = called_function(modules), _bound(tree, variable)
    if function is None:
        return False
    for site in bound[1:]:
        statement = site.node
        if isinstance(statement, AssignmentStmt) and may_be_container(statement.rvalue):
            call_after(block_of(statement, site, tree), statement, variable, function)
    return bool(bound)


def keep_shared(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> bool:
    """Insert such a call after each assignment to a variable that several functions bind to an array.

    Return whether nothing else binds the variable.
    """
    function, bound = called_function(modules), _bound(tree, variable)
    kinds = AssignmentStmt | OperatorAssignmentStmt
    if function is None or not all(isinstance(site.node, kinds) for site in bound):
        return False
    for site in bound:
        if isinstance(site.node, kinds):
            call_after(block_of(site.node, site, tree), site.node, variable, function)
    return bool(bound)


def _bound(tree: MypyFile, variable: Var) -> Sequence[Site]:
    """The statements that bind a variable; none if an expression binds it, too."""
    file = definitions(tree)
    if any(each.variable is variable for site in file.expressions for each in site.definitions):
        return ()
    return [site for site in file.statements if any(each.variable is variable for each in site.definitions)]


def called_function(modules: Mapping[str, MypyFile]) -> FuncDef | None:
    """The function that inserted calls call."""
    module, _, name = FIRST_CALL.partition(".")
    symbol = modules[module].names.get(name) if module in modules else None
    return symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None


def block_of(statement: Statement, site: Site, tree: MypyFile) -> list[Statement]:
    """The statements beside one."""
    whole = site.function.body.body if site.function is not None else tree.defs
    blocks = (node.body for node in statements(whole) if isinstance(node, Block))
    return next(body for body in (whole, *blocks) if any(each is statement for each in body))


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
