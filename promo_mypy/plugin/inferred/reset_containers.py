"""Let a variable that is bound to several containers keep unknown dtypes, as functions may fill them unseen.

mypy narrows a variable to the type of each value. After `xs = [a]` an inserted call, for which mypy calls a hook, drops
the dtypes again.
"""

from collections.abc import Mapping

from mypy.nodes import AssignmentStmt, Block, FuncDef, MypyFile, Statement, Var
from mypy.plugin import FunctionContext

from promo_mypy.plugin.inferred.bound_values import may_be_container
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.nodes.first_calls import FIRST_CALL
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.types import mutable_types
from promo_mypy.plugin.types.container_types import without_dtypes


def keep_open(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> bool:
    """Insert such a call after each later statement that may bind a variable to a container.

    Return whether that was possible.
    """
    function, file = called_function(modules), definitions(tree)
    if function is None:
        return False
    if any(each.variable is variable for site in file.expressions for each in site.definitions):
        return False
    bound = [site for site in file.statements if any(each.variable is variable for each in site.definitions)]
    for site in bound[1:]:
        statement = site.node
        if isinstance(statement, AssignmentStmt) and may_be_container(statement.rvalue):
            call_after(block_of(statement, site, tree), statement, variable, function)
    return bool(bound)


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
    """The inserted call: if the variable is narrowed to a container of arrays, their dtypes become unknown."""
    if not is_inserted(ctx.context):
        return
    (name,), (typ,) = ctx.args[0], ctx.arg_types[0]
    if mutable_types.depth(typ) > 0:
        narrow(ctx.api, name, without_dtypes(typ))
