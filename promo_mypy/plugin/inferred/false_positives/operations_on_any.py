"""Find false positives about an operator, a method or an attribute of a value that is Any to stock mypy.

Whatever the program does with such a value, stock mypy reports nothing. The plugin knows a tensor or a named tuple, and
mypy then checks the other operand and the arguments.
"""

import re
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, NoneType, TupleType, Type, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.any_values import is_any_to_stock
from promo_mypy.plugin.inferred.false_positives.uses import place_of, reads_missing
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types.union_members import members
from promo_mypy.plugin.types.value_marks import takes_none

CODES: Final = (codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_ARG, codes.CALL_OVERLOAD, codes.INDEX, codes.OPERATOR)

#: An operation on None, as one of the types of a value.
_ON_NONE: Final = r'\("None" and |left operand type|"None" has no attribute|Item "None"'


def are_accepted(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about such an operation. Stock mypy, too, knows where a value may be None."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    is_on_none = re.search(_ON_NONE, error.message) is not None
    for owner in _owners(current, error):
        typ = current.lookup_type_or_none(owner)
        if typ is None or (is_on_none and any(isinstance(each, NoneType) for each in members(typ))):
            continue
        if _has_no_mark(typ) and is_any_to_stock(owner, declared, current):
            return True
        if _holds_arrays(typ) and _has_any_items(owner, declared, current):
            return True
    return False


def _holds_arrays(typ: Type) -> bool:
    """Whether this is a list or dict of such values."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and bool(proper.args) and _has_no_mark(proper.args[-1])


def _has_any_items(container: Expression, declared: Declarations, current: TypeChecker) -> bool:
    """Whether stock mypy infers Any for the items of a comprehension: it accepts any other item."""
    variable = container.node if isinstance(container, NameExpr) else None
    values = declared.variables.values_of(variable) if isinstance(variable, Var) and is_unannotated(variable) else ()
    match values[0] if values else None:
        case ListComprehension(generator=GeneratorExpr(left_expr=item)):
            return is_any_to_stock(item, declared, current)
        case DictionaryComprehension(value=item):
            return is_any_to_stock(item, declared, current)
        case _:
            return False


def _has_no_mark(typ: Type) -> bool:
    """Whether this may be an array of PyTorch or JAX, or a tuple of arrays. NumPy's values have marks."""
    return any(isinstance(each, TupleType) or takes_none(each) for each in members(typ))


def _owners(current: TypeChecker, error: ErrorInfo) -> Iterator[Expression]:
    """The operands of the operator that an error is about, or the owner of the method or attribute."""
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        if error.code is codes.OPERATOR:
            operands = list(_operands(node))
            # mypy takes a union of operands apart. Its error about a member has no end position.
            if any((each.line, each.column) == (error.line, error.column) for each in (node, *operands)):
                yield from operands
        elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and _is_about_call(node, error):
            yield node.callee.expr
        elif error.code is codes.ATTR_DEFINED and place_of(node) == place_of(error):
            yield from reads_missing(node, error)
        elif isinstance(node, IndexExpr) and error.code in _OF_ITEMS and place_of(error) in _places(node):
            yield node.base


_OF_ITEMS: Final = frozenset({codes.CALL_OVERLOAD, codes.INDEX})


def _operands(node: Node) -> Iterator[Expression]:
    match node:
        case OpExpr(left=left, right=right) | OperatorAssignmentStmt(lvalue=left, rvalue=right):
            yield from (left, right)
        case ComparisonExpr(operands=operands):
            yield from operands
        case UnaryExpr(expr=operand):
            yield operand


def _is_about_call(call: CallExpr, error: ErrorInfo) -> bool:
    nodes = call.args if error.code is codes.ARG_TYPE else [call]
    return error.code is not codes.INDEX and place_of(error) in map(place_of, nodes)


def _places(item: IndexExpr) -> Iterator[tuple[int, int, int | None, int | None]]:
    yield from map(place_of, (item, item.index))
