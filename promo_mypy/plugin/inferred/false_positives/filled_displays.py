"""Find false positives about what is added to a container whose items only the plugin knows.

Stock mypy joins arrays of several dtypes to objects, so that `xs = [np.ones(3), np.ones(3, int)]` accepts anything. For
the plugin its items are arrays of unknown dtype.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Expression,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    Var,
)
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred import displays
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import place_of, target_of
from promo_mypy.plugin.inferred.stock.any_to_stock import first_lambdas, is_any_to_stock
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.expressions import items_of_display
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types import marked_messages

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.CALL_OVERLOAD, codes.LIST_ITEM)
OF_FUNCTIONS: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.DICT_ITEM, codes.LIST_ITEM, codes.RETURN_VALUE)


def accept_more(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about such a container."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    filled = [each for each in _filled(current, error) if is_unannotated(each)]
    firsts = (value for each in filled for value in declared.variables.values_of(each)[:1])
    return any(_joins_to_objects(each, current) for each in firsts)


def accept_functions(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a lambda in such a container, and it, or the first one, returns Any to stock mypy."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations) or not marked_messages.may_be_of_result(error.message):
        return False
    gives_any = marked_messages.gives_function_of_any(error.message)
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        variable = _filled_at(node)
        if variable is not None and is_unannotated(variable) and node.line <= error.line:
            given = chain.from_iterable(map(items_of_display, _given(node)))
            lambdas = (each for each in given if isinstance(each, LambdaExpr))
            about = [each for each in lambdas if _is_about(each, error)]
            if about and (gives_any or _begins_with_any(variable, declared, current)):
                return True
            if any(_returns_any(each, declared, current) for each in about):
                return True
    return False


def _returns_any(function: LambdaExpr, declared: Declarations, current: TypeChecker) -> bool:
    """Whether a lambda returns Any to stock mypy."""
    return is_any_to_stock(function.expr(), declared.variables, current.lookup_type_or_none)


def _begins_with_any(variable: Var, declared: Declarations, current: TypeChecker) -> bool:
    """Whether a lambda in the first display of a variable returns Any to stock mypy: then any other may be added."""
    return any(_returns_any(each, declared, current) for each in first_lambdas(variable, declared.variables))


def _given(node: Node) -> Sequence[Expression]:
    """What a container gets at this node."""
    match node:
        case CallExpr(args=given):
            return given
        case AssignmentStmt(rvalue=value):
            return [value]
        case _:
            return []


def _is_about(function: LambdaExpr, error: ErrorInfo) -> bool:
    """Whether an error is about a function, or its result. The error about a value of a dict begins at the key."""
    if error.code is codes.DICT_ITEM:
        return (function.end_line, function.end_column) == (error.end_line, error.end_column)
    return place_of(error) in (place_of(function), place_of(function.expr()))


def _joins_to_objects(display: Expression, current: TypeChecker) -> bool:
    typ = get_proper_type(current.lookup_type_or_none(display))
    return isinstance(typ, Instance) and bool(typ.args) and displays.hides(typ.args[-1])


def _filled(current: TypeChecker, error: ErrorInfo) -> Iterator[Var]:
    """The variables whose container gets the item that an error is about."""
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        variable = _filled_at(node)
        if variable is not None and place_of(error) in map(place_of, _parts(node, error)):
            yield variable


def _parts(node: Node, error: ErrorInfo) -> Iterator[Context]:
    """The node that fills a container, its target and the added values: at a value, overloads are those of a call."""
    yield from (node, target_of(node))
    if error.code is not codes.CALL_OVERLOAD:
        for value in _given(node):
            yield value
            yield from items_of_display(value)


def _filled_at(node: Node) -> Var | None:
    """The variable whose container gets an item at this node."""
    match node:
        case CallExpr(callee=MemberExpr(expr=NameExpr(node=Var() as variable), name=name)):
            return variable if name in containers.FILLING else None
        case AssignmentStmt(lvalues=[IndexExpr(base=NameExpr(node=Var() as variable))]):
            return variable
        case _:
            return None
