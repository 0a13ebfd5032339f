"""Tell which errors may exist because of the plugin: those that depend on an answer of a hook, or on its types."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from mypy import errorcodes as codes
from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FakeInfo,
    ForStmt,
    FuncItem,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    Var,
    WithStmt,
)

from promo_mypy.plugin.inferred.aside.stock_plugin import StockPlugin
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, is_enabled
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated, module_of
from promo_mypy.plugin.trees.dependent_statements import DependentStatements
from promo_mypy.plugin.trees.file_parts import Part, part_at
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes
from promo_mypy.plugin.types import untyped_functions
from promo_mypy.plugin.types.walks import members

#: The codes of errors about one expression, whatever mypy expects in its place, and the kind of the expression.
_OF_EXPRESSIONS: Final[Mapping[ErrorCode, type[Expression]]] = {
    codes.UNION_ATTR: MemberExpr,
    codes.ATTR_DEFINED: MemberExpr,
    codes.CALL_ARG: CallExpr,
    codes.INDEX: IndexExpr,
}

#: What an error with a type is about. mypy reports the target of a loop where the loop begins.
_WITH_TYPES: Final = (Expression, ForStmt, WithStmt)


def may_be_ours(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy shows an error that depends on something for which the plugin has another type than stock mypy."""
    record = current.var_decl_frames
    # Where the plugin returns Any, stock mypy may know the type, and report another error.
    if error.code not in (None, codes.NO_ANY_RETURN) and not is_enabled(current, error.code):
        return False
    if not isinstance(record, RecordedChanges):
        return True
    statements, last = _statements_at(current, error.line), max(error.line, error.end_line)
    around = statements.around(error.line, last)
    if not any(error.line <= each.line <= last and isinstance(each, _WITH_TYPES) for each in around):
        return False  # an import, or a definition
    return _is_changed(current, record, statements.with_dependencies(_deciding(around, error)))


def depends_on_changes(current: TypeChecker, variable: Var) -> bool:
    """Whether the first value of a variable depends on something for which the plugin has another type."""
    record, line = current.var_decl_frames, variable.line
    if not isinstance(record, RecordedChanges):
        return True
    statements = _statements_at(current, line)
    return _is_changed(current, record, statements.with_dependencies(statements.around(line, line)))


def _is_changed(current: TypeChecker, record: RecordedChanges, every: Iterable[Sequence[Node]]) -> bool:
    deciding: list[Sequence[Node]] = []
    for found in every:
        if not record.answers.isdisjoint(found):  # quick, and so of most of what may be ours
            return True
        deciding.append(found)
    types = _ChangedTypes(current, record)
    return any(map(types.has, chain.from_iterable(deciding)))


def _statements_at(current: TypeChecker, line: int) -> DependentStatements:
    return _statements(checked_statements(current.tree), part_at(current.tree, line))


@lru_cache(maxsize=1)  # mypy checks one function after the other
def _statements(_parsed: Statements, part: Part) -> DependentStatements:
    return DependentStatements(part)


def _deciding(around: Sequence[Node], error: ErrorInfo) -> Sequence[Node]:
    """The nodes that decide about an error: those of its expression, or of the statement around it."""
    kind = _OF_EXPRESSIONS.get(error.code) if error.code is not None else None
    if kind is None:
        return around
    place = (error.line, error.column, error.end_line, error.end_column)
    found = next((each for each in around if isinstance(each, kind) and place in _places(each)), None)
    if found is None:
        return around
    is_counted = isinstance(found, CallExpr) and not any(each.is_star() for each in found.arg_kinds)
    return list(nodes(found.callee if isinstance(found, CallExpr) and is_counted else found))


def _places(node: Node) -> Sequence[tuple[int, int, int | None, int | None]]:
    """Where mypy reports an error about an expression: at an item also in the place of its index."""
    several = (node, node.index) if isinstance(node, IndexExpr) else (node,)
    return [(each.line, each.column, each.end_line, each.end_column) for each in several]


class _ChangedTypes:
    """Where the plugin has other types than stock mypy, in the file that mypy checks, apart from its hooks' answers."""

    def __init__(self, current: TypeChecker, record: RecordedChanges) -> None:
        self._current = current
        self._record = record
        self._stock = StockPlugin(current)
        self._known: dict[Var, bool] = {}

    def has(self, node: Node) -> bool:
        """Whether an expression may have another type than stock mypy gives it, apart from what is in it."""
        match node:
            case FuncItem(expanded=copies):
                return bool(copies) and copies[-1] is not node
            case NameExpr(node=Var() as variable):
                return any(map(self._is_changed, _with_inherited(variable)))
            case MemberExpr(name=name):
                return name in self._record.changed or any(
                    self._is_changed(each) for found in self._attributes(node) for each in _with_inherited(found)
                )
            case RefExpr(node=Decorator() as function):
                return self._stock.of_decorated(function) is not function.var.type
            case _:
                return False

    def _is_changed(self, variable: Var) -> bool:
        if variable not in self._known:
            self._known[variable] = self._has_other_type(variable)
        return self._known[variable]

    def _has_other_type(self, variable: Var) -> bool:
        typ = variable.type
        if variable in self._record.changed or untyped_functions.is_among([typ]):
            return True
        if typ is None or not is_unannotated(variable) or not module_of(variable):
            return False
        return self._stock.type_of(variable, typ) != typ

    def _attributes(self, member: MemberExpr) -> Sequence[Var]:
        if isinstance(member.node, Var):
            return [member.node]
        owner = self._current.lookup_type_or_none(member.expr)
        if owner is None and isinstance(member.expr, NameExpr) and isinstance(member.expr.node, Var):
            owner = member.expr.node.type  # mypy is still checking the expression around it
        found = [attribute_of(each, member.name) for each in members(owner)] if owner is not None else []
        return [each for each in found if each is not None]


def _with_inherited(variable: Var) -> Sequence[Var]:
    """A variable and, for an attribute, those of the base classes with which mypy compares it."""
    if isinstance(variable.info, FakeInfo):
        return [variable]
    symbols = (base.names.get(variable.name) for base in variable.info.mro)
    return [variable, *(each.node for each in symbols if each is not None and isinstance(each.node, Var))]
