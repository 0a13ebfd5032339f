"""Find the value of a key in a dict that is written out and never changes: `d["w"]` after `d = {"w": x, "b": y}`."""

from collections import Counter
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    DelStmt,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StrExpr,
    Var,
    WithStmt,
)

from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes

#: Methods that change nothing, and pass on no dict.
_READING: Final = frozenset({"items", "keys", "values", "get"})
_BINDING: Final = (AssignmentStmt, OperatorAssignmentStmt, ForStmt, WithStmt, GeneratorExpr, DictionaryComprehension)


def value_at(index: IndexExpr, tree: MypyFile) -> Expression | None:
    """The expression that an item of such a dict is; None for other items."""
    variable = index.base.node if isinstance(index.base, NameExpr) else None
    key = _key(index.index)
    if not isinstance(variable, Var) or key is None:
        return None
    values = definitions(tree).values(variable)
    display = values[0] if values is not None and len(values) == 1 else None
    if not isinstance(display, DictExpr) or variable not in _only_read(checked_statements(tree), definitions(tree)):
        return None
    keys = [None if each is None else _key(each) for each, _ in display.items]
    found = [value for each, (_, value) in zip(keys, display.items, strict=True) if each == key]
    return found[0] if None not in keys and len(found) == 1 else None


def _key(expression: Expression) -> str | int | None:
    return expression.value if isinstance(expression, StrExpr | IntExpr) else None


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _only_read(file: Statements, _bound: FileDefinitions) -> frozenset[Var]:
    """The variables that the file binds once, and of which it otherwise only reads items.

    `_bound`: the definitions of the file, which are new when mypy's daemon has made new variables.
    """
    mentions: Counter[Node] = Counter()
    reads: Counter[Node] = Counter()
    for node in nodes(file.statements):
        match node:
            case NameExpr(node=Var() as variable):
                mentions[variable] += 1
            case IndexExpr(base=NameExpr(node=Var() as variable)):
                reads[variable] += 1
            case MemberExpr(expr=NameExpr(node=Var() as variable), name=name) if name in _READING:
                reads[variable] += 1
            case DelStmt(expr=target):
                reads.subtract(_indexed(target))
        if isinstance(node, _BINDING):
            for bound in targets(node):
                reads.subtract(_indexed(bound))
    return frozenset(each for each in mentions if isinstance(each, Var) and mentions[each] == reads[each] + 1)


def _indexed(target: Node) -> list[Node]:
    """The variable whose item is bound."""
    base = target.base if isinstance(target, IndexExpr) else None
    return [base.node] if isinstance(base, NameExpr) and base.node is not None else []
