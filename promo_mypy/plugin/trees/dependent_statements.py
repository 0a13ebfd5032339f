"""The statements of a part of a file on which a statement depends: those that bind, fill or test its variables."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from mypy.nodes import (
    Argument,
    AssertStmt,
    CallExpr,
    Decorator,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    IndexExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    StarExpr,
    SymbolNode,
    TupleExpr,
    WhileStmt,
)

from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.file_parts import Part
from promo_mypy.plugin.trees.syntax_trees import expressions_in, nodes, placed_statements
from promo_mypy.rules.records import record

#: A variable, or the name of an attribute.
Name = SymbolNode | str


@record
class Unit:
    """A statement without the statements in it.

    Attributes:
        nodes: the statement and all expressions in it.
        names: what they read.
        first: the first line of the expressions.
        last: the last one.
    """

    nodes: Sequence[Node]
    names: Collection[Name]
    first: int
    last: int


class DependentStatements:
    """The statements of one part."""

    def __init__(self, part: Part) -> None:
        self._units = list(_units(part))
        self._changing: defaultdict[Name, list[Unit]] = defaultdict(list)
        for unit in self._units:
            for name in set(_changed(unit)):
                self._changing[name].append(unit)

    def around(self, first: int, last: int) -> Sequence[Node]:
        """The nodes of the statements in some lines."""
        return [node for unit in self._units if unit.first <= last and first <= unit.last for node in unit.nodes]

    def with_dependencies(self, start: Sequence[Node]) -> Iterator[Sequence[Node]]:
        """Some nodes, and then those of each statement on which they depend."""
        yield start
        known, found, waiting = set[Name](), set[int](), list(_read(start))
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            for unit in self._changing.get(name, ()):
                if id(unit) not in found:
                    found.add(id(unit))
                    yield unit.nodes
                    waiting += unit.names


def _units(part: Part) -> Iterator[Unit]:
    for statement, function, _ in placed_statements(part.node):
        if part.is_top and (function is not None or isinstance(statement, FuncDef)):
            continue
        inside = [node for each in _beside_blocks(statement) for node in nodes(each)]
        lines = [each.line for each in (statement, *inside) if each.line > 0]
        if lines:
            last = max([*lines, *(each.end_line or 0 for each in inside)])
            yield Unit((statement, *inside), frozenset(_read((statement, *inside))), min(lines), last)


def _beside_blocks(statement: Node) -> Iterator[Node]:
    if isinstance(statement, Decorator):
        return iter(statement.original_decorators)
    return expressions_in(statement) if not isinstance(statement, OverloadedFuncDef) else iter(())


def _changed(unit: Unit) -> Iterator[Name]:
    """The variables that a statement binds, fills or tests."""
    for node in unit.nodes:
        for target in targets(node):
            yield from _names(target)
        match node:
            case IfStmt() | WhileStmt() | AssertStmt() | MatchStmt():
                yield from unit.names
            case ExpressionStmt(expr=CallExpr(callee=MemberExpr(expr=owner))):
                yield from _names(owner)


def _names(target: Node) -> Iterator[Name]:
    while isinstance(target, IndexExpr | StarExpr):
        target = target.base if isinstance(target, IndexExpr) else target.expr
    match target:
        case NameExpr(node=SymbolNode() as node) | Argument(variable=node):
            yield node
        case MemberExpr(name=name):
            yield name
        case TupleExpr(items=items) | ListExpr(items=items):
            for each in items:
                yield from _names(each)


def _read(found: Sequence[Node]) -> Iterator[Name]:
    for node in found:
        if isinstance(node, NameExpr) and node.node is not None:
            yield node.node
        elif isinstance(node, MemberExpr):
            yield node.name
