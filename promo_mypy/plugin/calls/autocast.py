"""Find regions in which PyTorch chooses the dtypes: `torch.autocast`, in a `with` statement or as a decorator.

A function that is called from such a region, and has none of its own, is not recognised.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    ReturnStmt,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface, ClassDefContext

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api import type_checker
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import Statements, nodes
from promo_mypy.plugin.types.generic_arrays import annotate
from promo_mypy.rules.records import record

_WORDS: Final = ("autocast",)


@record
class _Region:
    """Lines of a file. `on`: whether autocast is or may be on there."""

    first: int
    last: int
    on: bool


def has_autocast(context: Context, api: CheckerPluginInterface) -> bool:
    """Whether a place may be in a region of autocast. The innermost region decides."""
    tree = type_checker.tree(api)
    around = [region for region in _regions(_File(tree)) if region.first <= context.line <= region.last]
    return bool(around) and max(around, key=lambda region: region.first).on


def annotate_decorator(ctx: ClassDefContext) -> None:
    """Annotate `torch.autocast(...)(function)` with Any: PyTorch has no types there, and mypy would call no hook."""
    for statement in ctx.cls.defs.body:
        if isinstance(statement, FuncDef) and statement.name == "__call__" and statement.type is None:
            annotate(statement, ctx)


class _File(Statements):
    """A file, compared by the identity of its statements: the daemon reuses the file object."""

    def __init__(self, tree: MypyFile) -> None:
        super().__init__(tree.defs)
        self.tree = tree


@lru_cache(maxsize=1)  # mypy checks one file after another
def _regions(file: _File) -> Sequence[_Region]:
    if not file_texts.may_have(file.tree, _WORDS):
        return ()
    everything = list(nodes(file.statements))
    made = frozenset(_makers(everything))
    return [region for node in everything for region in _regions_of(node, made)]


def _regions_of(node: Node, made: frozenset[str]) -> Iterator[_Region]:
    body: WithStmt | FuncDef
    if isinstance(node, WithStmt):
        managers, body = node.expr, node
    elif isinstance(node, Decorator):
        managers, body = node.original_decorators, node.func
    else:
        return
    for manager in managers:
        if _mentions(manager, made):
            yield _Region(body.line, body.end_line or body.line, not _is_off(manager))


def _makers(everything: Sequence[Node]) -> Iterator[str]:
    """The variables and attributes of the file that hold an autocast object, and the functions that return one."""
    for node in everything:
        if isinstance(node, AssignmentStmt) and _mentions(node.rvalue):
            yield from (target.name for target in node.lvalues if isinstance(target, NameExpr | MemberExpr))
        elif isinstance(node, FuncDef) and any(map(_returns_autocast, nodes(node.body))):
            yield node.name


def _returns_autocast(node: Node) -> bool:
    return isinstance(node, ReturnStmt) and _mentions(node.expr)


def _mentions(expression: object, made: frozenset[str] = frozenset()) -> bool:
    return any(
        isinstance(node, NameExpr | MemberExpr) and (node.fullname in names.TORCH_AUTOCAST or node.name in made)
        for node in nodes(expression)
    )


def _is_off(manager: Expression) -> bool:
    """Whether a region has `enabled=False`."""
    given = zip(manager.arg_names, manager.args, strict=True) if isinstance(manager, CallExpr) else ()
    return any(
        name == "enabled" and isinstance(value, NameExpr) and value.fullname == "builtins.False"
        for name, value in given
    )
