"""Find false positives about an operator, a method or an attribute of a value that is Any to stock mypy.

Whatever the program does with such a value, stock mypy reports nothing. The plugin knows a tensor or a named tuple, and
mypy then checks the other operand and the arguments.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, Instance, NoneType, Type, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.false_positives.uses import nodes_around, place_of, reads_missing
from promo_mypy.plugin.inferred.stock.any_to_stock import (
    has_no_mark,
    is_any_alone,
    is_any_to_stock,
    is_of_array,
    may_be_none,
)
from promo_mypy.plugin.inferred.stock.parts import Scope
from promo_mypy.plugin.mypy_api.call_checking import checked_type
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.union_members import members

CODES: Final = (
    codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_ARG, codes.CALL_OVERLOAD, codes.INDEX, codes.OPERATOR,
    codes.UNION_ATTR,
)  # fmt: skip

#: An operation on None, as one of the types of a value.
_ON_NONE: Final = (
    r'"None" and | and "None"|left operand type|"None" has no attribute|Item "None"|None" is not'
    r'|for unary \S+ \("[^"]*\bNone"'
)
_OF_DIVMOD: Final = "Unsupported operand types for divmod "
#: An arithmetic operation.
_OPERATION: Final = r"^Unsupported (?:left )?operand types? for (?:unary )?([-+*/%@&|^~]+|<<|>>) \("


def are_accepted(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about such an operation. Stock mypy, too, knows where a value may be None."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    type_of = partial(checked_type, current, error)
    is_on_none = re.search(_ON_NONE, error.message) is not None
    if error.code is codes.UNION_ATTR and not is_on_none:
        return any(_meets_any(owner, declared, type_of) for owner in owners(current, error))
    for owner in owners(current, error):
        typ = type_of(owner)
        if is_on_none and typ is not None and _is_any_item(owner, error, current, declared, type_of):
            return True
        if typ is None or (is_on_none and _may_be_none(owner, typ, declared, type_of)):
            continue
        if error.code in _OF_CALLS and value_marks.are_all_marked(typ):
            return True
        if _is_length(owner, typ, declared):
            return True
        may_be_any = has_no_mark(typ) or is_of_array(owner, declared.variables, type_of)
        if may_be_any and is_any_to_stock(owner, declared.variables, type_of, _around(owner, current)):
            return True
        if _holds_arrays(typ) and _has_any_items(owner, declared, type_of):
            return True
    return False


def _meets_any(owner: Expression, declared: Declarations, type_of: TypeOf) -> bool:
    """Whether a variable is Any to stock mypy at a join. Stock mypy knows the members of any other union, too."""
    variable = owner.node if isinstance(owner, NameExpr) else None
    rounds = declared.variables.reaching(variable, owner.line) if isinstance(variable, Var) else ()
    is_known = bool(rounds) and not any(_is_choice(value) for values in rounds for value in values)
    return is_known and is_any_to_stock(owner, declared.variables, type_of)


def _is_choice(value: Expression) -> bool:
    return isinstance(value, ConditionalExpr) or (isinstance(value, OpExpr) and value.op in ("and", "or"))


def _is_any_item(
    owner: Expression, error: ErrorInfo, current: TypeChecker, declared: Declarations, type_of: TypeOf
) -> bool:
    """Whether this is an item of a display with another item of type Any, which stock mypy joins with None to Any."""
    if "None" not in error.message:
        return False
    variable = owner.node if isinstance(owner, NameExpr) else None
    if not isinstance(owner, IndexExpr) and (not isinstance(variable, Var) or declared.variables.values_of(variable)):
        return False
    return is_any_alone(owner, declared.variables, type_of, _around(owner, current))


def _around(value: Expression, current: TypeChecker) -> Sequence[Scope]:
    """The comprehensions and calls of lambdas around a value, from the outermost."""
    every = _scopes(Region.around(current.tree.defs, value.line))
    return [each for each in every if _is_around(each, value)]


@lru_cache(maxsize=1)  # mypy reports the errors of one function after the other
def _scopes(region: Region) -> Sequence[Scope]:
    found = (node for node in nodes_in(region) if isinstance(node, Scope) and not _runs_nothing(node))
    return sorted(found, key=_start)


def _runs_nothing(scope: Scope) -> bool:
    """Whether this is a call without a lambda."""
    return isinstance(scope, CallExpr) and not any(isinstance(each, LambdaExpr) for each in (scope.callee, *scope.args))


def _is_around(node: Node, value: Expression) -> bool:
    end = (node.end_line or node.line, node.end_column or 0)
    return _start(node) <= _start(value) and (value.end_line or value.line, value.end_column or 0) <= end


def _start(node: Node) -> tuple[int, int]:
    return node.line, node.column


def _may_be_none(owner: Expression, typ: Type, declared: Declarations, type_of: TypeOf) -> bool:
    """Whether stock mypy, too, knows that a value may be None."""
    if not any(isinstance(each, NoneType) for each in members(typ)):
        return False
    variable = owner.node if isinstance(owner, RefExpr) else None
    return not isinstance(variable, Var) or may_be_none(variable, declared.variables, type_of)


def _is_length(owner: Expression, typ: Type, declared: Declarations) -> bool:
    """Whether this is the length of an axis, here or in another module: stock mypy accepts whatever happens to it."""
    if not all(isinstance(each, AnyType) or is_python_number(each) for each in members(typ)):
        return False
    variables, variable = declared.variables, owner.node if isinstance(owner, RefExpr) else None
    if variables.lengths.shapes and variables.lengths.is_any(owner):
        return True
    return isinstance(variable, Var) and not variables.values_of(variable) and variables.is_noted(variable)


def _holds_arrays(typ: Type) -> bool:
    """Whether this is a list or dict of such values."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and bool(proper.args) and has_no_mark(proper.args[-1])


def _has_any_items(container: Expression, declared: Declarations, type_of: TypeOf) -> bool:
    """Whether stock mypy infers Any for the items of a comprehension: it accepts any other item."""
    variable = container.node if isinstance(container, NameExpr) else None
    values = declared.variables.values_of(variable) if isinstance(variable, Var) and is_unannotated(variable) else ()
    match values[0] if values else None:
        case ListComprehension(generator=GeneratorExpr(left_expr=item)):
            return is_any_to_stock(item, declared.variables, type_of)
        case DictionaryComprehension(value=item):
            return is_any_to_stock(item, declared.variables, type_of)
        case _:
            return False


def _may_be_operator(node: Node, error: ErrorInfo) -> bool:
    """Whether a node may be the operation that an error names. The operand `x + 1` of `y < x + 1` is another one."""
    named = re.search(_OPERATION, error.message)
    if named is None:
        return True
    if isinstance(node, ComparisonExpr):
        return False
    return not isinstance(node, OpExpr | UnaryExpr | OperatorAssignmentStmt) or node.op == named[1]


def owners(current: TypeChecker, error: ErrorInfo) -> Iterator[Expression]:
    """The operands of the operator that an error is about, or the owner of the method or attribute."""
    if error.message.startswith(_OF_DIVMOD):
        yield from _of_divmod(current, error)
    for node in nodes_around(current, error):
        if error.code is codes.OPERATOR:
            operands = operands_of(node) if _may_be_operator(node, error) else ()
            # mypy takes a union of operands apart. Its error about a member has no end position.
            if any((each.line, each.column) == (error.line, error.column) for each in (node, *operands)):
                yield from operands
        elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and _is_about_call(node, error):
            yield node.callee.expr
        elif error.code in _OF_ATTRIBUTES and _begins(node, error):
            yield from reads_missing(node, error)
        elif isinstance(node, IndexExpr) and error.code in _OF_ITEMS and place_of(error) in _places(node, error):
            yield node.base


def _of_divmod(current: TypeChecker, error: ErrorInfo) -> Iterator[Expression]:
    """The operands of the calls of `divmod` in the line of an error: mypy gives the error no column."""
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        match node:
            case CallExpr(line=error.line, callee=RefExpr(fullname="builtins.divmod"), args=operands):
                yield from operands
            case _:
                pass


#: Whatever arguments a method of a marked value gets, stock mypy accepts them.
_OF_CALLS: Final = frozenset({codes.ARG_TYPE, codes.CALL_ARG, codes.CALL_OVERLOAD})
_OF_ATTRIBUTES: Final = frozenset({codes.ATTR_DEFINED, codes.UNION_ATTR})
_OF_ITEMS: Final = frozenset({codes.CALL_OVERLOAD, codes.INDEX})


def _begins(node: Node, error: ErrorInfo) -> bool:
    """Whether an error is about a node. The error about one member of a union has no end position."""
    count = 2 if error.code is codes.UNION_ATTR else 4
    return place_of(node)[:count] == place_of(error)[:count]


def _is_about_call(call: CallExpr, error: ErrorInfo) -> bool:
    nodes = call.args if error.code is codes.ARG_TYPE else [call]
    return error.code is not codes.INDEX and place_of(error) in map(place_of, nodes)


def _places(item: IndexExpr, error: ErrorInfo) -> Iterator[tuple[int, int, int | None, int | None]]:
    """The places of errors about an item. In `x[y[0]]` one about what is not indexable is about y."""
    yield place_of(item)
    if not error.message.endswith("not indexable"):
        yield place_of(item.index)
