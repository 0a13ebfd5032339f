"""Insert a call after a statement that binds something: mypy calls a hook for the call, and none for the statement."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeGuard

from mypy.nodes import (
    AssignmentStmt,
    Block,
    FakeInfo,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
    StrExpr,
    Var,
)
from mypy.plugin import FunctionContext

from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.first_calls import FIRST_CALL
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.trees.syntax_trees import statements

Assignment = AssignmentStmt | OperatorAssignmentStmt


def insert_after(
    bound: Iterable[tuple[Site, Var | MemberExpr]], tree: MypyFile, modules: Mapping[str, MypyFile]
) -> bool:
    """Insert such a call after each of these statements, with the variable or attribute that the statement binds.

    `modules`: all modules by their names. Return whether they have the function that is called.
    """
    function = called_function(modules)
    if function is None:
        return False
    blocks: dict[FuncDef | None, Mapping[Node, list[Statement]]] = {}
    for site, target in bound:
        if isinstance(site.node, Statement):
            if site.function not in blocks:
                blocks[site.function] = _blocks(site.function.body.body if site.function is not None else tree.defs)
            call_after(blocks[site.function][site.node], site.node, target, function)
    return True


def bound_before(ctx: FunctionContext) -> Iterator[tuple[Assignment, NameExpr | MemberExpr]]:
    """The assignments in the line of an inserted call that bind the variable, or an attribute of the name, in it."""
    name = ctx.args[0][0]
    for site in definitions(checker(ctx.api).tree).statements_at(ctx.context.line) if is_inserted(ctx.context) else ():
        if not isinstance(site.node, Assignment):
            continue
        for target in (each.target for each in site.definitions):
            if isinstance(name, NameExpr) and isinstance(target, NameExpr) and target.node is name.node:
                yield site.node, target
            if isinstance(name, StrExpr) and is_attribute(target) and target.name == name.value:
                yield site.node, target


def is_attribute(target: Node) -> TypeGuard[NameExpr | MemberExpr]:
    """Whether a target is an attribute, or a name in the body of a class."""
    variable = target.node if isinstance(target, NameExpr) else None
    return isinstance(target, MemberExpr) or (isinstance(variable, Var) and not isinstance(variable.info, FakeInfo))


def called_function(modules: Mapping[str, MypyFile]) -> FuncDef | None:
    """The function that inserted calls are of; None if the modules do not have it."""
    module, _, name = FIRST_CALL.partition(".")
    symbol = modules[module].names.get(name) if module in modules else None
    return symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None


def insert_after_values(
    tree: MypyFile,
    variable: Var,
    modules: Mapping[str, MypyFile],
    is_checked: Callable[[Node], bool] = lambda _: False,
) -> None:
    """Insert such calls after the assignments to a variable, or to attributes of its name.

    `is_checked`: whether mypy has checked the assignment to a target. None is inserted there: it would move the
    statement that mypy checks now one place down, and mypy would check that once more.
    """
    assignments = (site for site in definitions(tree).statements if isinstance(site.node, Assignment))
    bound = ((site, _target(site, variable, is_checked)) for site in assignments)
    insert_after([(site, target) for site, target in bound if target is not None], tree, modules)


def _target(site: Site, variable: Var, is_checked: Callable[[Node], bool]) -> Var | MemberExpr | None:
    """The variable, or an attribute of its name, if a statement binds one."""
    if isinstance(variable.info, FakeInfo):
        bound = [each.target for each in site.definitions if each.variable is variable]
        return variable if bound and not any(map(is_checked, bound)) else None
    targets = (each.target for each in site.definitions)
    return next((each for each in targets if isinstance(each, MemberExpr) and each.name == variable.name), None)


def _blocks(whole: list[Statement]) -> Mapping[Node, list[Statement]]:
    """Each statement in a function or file, with the statements beside it."""
    inner = (node.body for node in statements(whole) if isinstance(node, Block))
    return {statement: body for body in (whole, *inner) for statement in body}
