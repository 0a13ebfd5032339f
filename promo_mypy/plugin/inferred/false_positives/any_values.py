"""Find false positives about values that are Any to stock mypy, and whose type has no mark.

These are numbers that are computed from the length of an axis, and what comes from functions of JAX and PyTorch without
types, as those that `jax.jit` returns.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.messages import format_type_bare
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    TupleExpr,
    Var,
    YieldFromExpr,
)
from mypy.types import AnyType, CallableType, FunctionLike, NoneType, TupleType, Type, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.assigned_values import assignment_of, variable_of
from promo_mypy.plugin.inferred.false_positives.uses import nodes_at, place_of, uses
from promo_mypy.plugin.inferred.stock.any_to_stock import is_any_to_stock, is_of_array, may_be_none
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import defined_member, is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.expressions import root
from promo_mypy.plugin.trees.syntax_trees import Region, Statements, nodes_in
from promo_mypy.plugin.types import marked_messages, value_marks
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.plugin.types.printed_types import ARGUMENTS, type_arguments, union_members
from promo_mypy.plugin.types.union_members import members

CODES: Final = (
    codes.ARG_TYPE, codes.ASSIGNMENT, codes.CALL_OVERLOAD, codes.DICT_ITEM, codes.INDEX, codes.LIST_ITEM, codes.MISC,
    codes.RETURN_VALUE, codes.TYPEDDICT_ITEM,
)  # fmt: skip

#: The codes of errors at the place of an expression that are about a part of it.
_OF_PARTS: Final = frozenset({codes.CALL_OVERLOAD, codes.INDEX, codes.MISC})

_BEFORE: Final = (
    r'incompatible (?:item )?type(?: "[^"]*":)?|Invalid index type|\(got|expression has type|\(actual type'
    '|matches argument types "int",'
)
_GIVEN: Final = rf'(?:{_BEFORE}) "([^"]*)"'
_UNMARKED: Final = r"\b(?:int|float|bool|object|Array\b|Tensor\b|list\[|linalg_|\w+Result\b|Size|dtype|device)"
#: A mark in the place of the type.
_MARK: Final = "InferredFloat64"
#: Arrays, tuples of them, and their join. JAX names its own `EighResult` and so on, PyTorch `linalg_eigh`.
_DTYPE: Final = r"\b(Array|Tensor)\[[^\]]*\]"
_NUMPY_DTYPE: Final = rf"\bdtype{ARGUMENTS}"
_ARRAY: Final = r"(?:tuple\[)?(?:Array|Tensor)\b|\w+Result\b|linalg_|object$"


def count_as_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about such a value, and no dtype is declared for it."""
    text = marked_messages.with_quotes(error.message)
    given = re.search(_GIVEN, text)
    declared = current.var_decl_frames
    if given is None or not re.search(_UNMARKED, given[1]) or not isinstance(declared, Declarations):
        return False
    start, end = given.span(1)
    if re.match(_ARRAY, given[1]) and (_is_unpacked(current, error) or _is_yielded(current, error)):
        return marked_messages.is_of_marks(f"{text[:start]}{_MARK}{text[end:]}")
    for node, value in uses(current, error).get(place_of(error), ()):
        is_whole = isinstance(node, CallExpr | ComparisonExpr | ListExpr | TupleExpr) and place_of(node) == place_of(
            error
        )
        if is_whole and error.code not in _OF_PARTS:
            continue  # an argument, operand or item of the value that the error is about
        if error.code is codes.CALL_OVERLOAD and place_of(value) == place_of(error):
            continue  # the result of the call, not an argument
        marked = _marked(value, given[1], current, declared)
        rest = _without_dtypes(text[end:]) if _fills_inferred(node, current) else text[end:]
        message = f"{text[:start]}{marked}{rest}"
        if marked != given[1] and marked_messages.is_of_marks(message):
            return True
    return False


def _without_dtypes(text: str) -> str:
    """A text with arrays of unknown dtype in it."""
    return re.sub(_NUMPY_DTYPE, "dtype[Any]", re.sub(_DTYPE, r"\1", text))


def _fills_inferred(node: Node, current: TypeChecker) -> bool:
    """Whether a call adds an item to an unannotated container: the dtype of its items is not declared."""
    match node:
        case CallExpr(callee=MemberExpr(expr=container, name=name)) if name in containers.FILLING:
            variable = variable_of(root(container), current)
            return variable is not None and is_unannotated(variable)
        case _:
            return False


def _is_unpacked(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about an item that an assignment unpacks: the items of an array are Any in the stubs."""
    statement = assignment_of(Statements(current.tree.defs), error) if error.code is codes.ASSIGNMENT else None
    match statement:
        case AssignmentStmt(lvalues=[*_, TupleExpr() | ListExpr()], rvalue=IndexExpr(base=TupleExpr())):
            return False  # see `evaluate_first`
        case AssignmentStmt(lvalues=[*_, TupleExpr() | ListExpr()], rvalue=value):
            return not isinstance(value, TupleExpr | ListExpr) and not _has_declared_items(value, current)
        case _:
            return False


def _is_yielded(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about the items of an array, which a generator yields one by one."""
    arrays = (node.expr for node in nodes_at(current, error) if isinstance(node, YieldFromExpr))
    types = map(current.lookup_type_or_none, arrays)
    return any(typ is not None and library_of(typ) is not None for typ in types)


def _has_declared_items(value: Expression, current: TypeChecker) -> bool:
    """Whether this calls a function or method that declares which items it returns."""
    function = _called(value, current)
    declared = function.type if function is not None else None
    result = get_proper_type(declared.ret_type) if isinstance(declared, CallableType) else None
    return isinstance(result, TupleType) and not any(map(may_be_anything, result.items))


def _called(value: Expression, current: TypeChecker) -> FuncDef | None:
    """The function or method that an expression calls; None if it is overloaded, or unknown."""
    match value:
        case CallExpr(callee=RefExpr(node=FuncDef() as function)):
            return function
        case CallExpr(callee=MemberExpr(expr=owner, name=name)):
            member = defined_member(current.lookup_type_or_none(owner), name)
            return member if isinstance(member, FuncDef) else None
        case _:
            return None


def _marked(value: Expression, text: str, current: TypeChecker, declared: Declarations) -> str:
    """The printed type of a value, with a mark on each part that is Any to stock mypy."""
    if isinstance(value, TupleExpr) and text.startswith("tuple["):
        parts = type_arguments(text)
        if len(value.items) == len(parts):
            pairs = zip(value.items, parts, strict=True)
            return f"tuple[{', '.join(_marked(*pair, current, declared) for pair in pairs)}]"
    if isinstance(value, LambdaExpr) and text.startswith("Callable["):
        result = type_arguments(text)[-1]
        return f"{text.removesuffix(f'{result}]')}{_marked(value.expr(), result, current, declared)}]"
    if isinstance(value, ConditionalExpr):
        return _marked_union((value.if_expr, value.else_expr), text, current, declared)
    if not _is_any(value, text, current, declared):
        return text
    variable = value.node if isinstance(value, RefExpr) else None
    if not isinstance(variable, Var) or "None" not in union_members(text):
        return _MARK
    return f"{_MARK} | None" if may_be_none(variable, declared.variables, current.lookup_type_or_none) else _MARK


def _marked_union(values: Sequence[Expression], text: str, current: TypeChecker, declared: Declarations) -> str:
    """The printed type of one of some values, with a mark in place of those that are Any to stock mypy."""
    types = [(value, current.lookup_type_or_none(value)) for value in values]
    printed = [(value, format_type_bare(typ, current.options)) for value, typ in types if typ is not None]
    parts = [_marked(value, each, current, declared) for value, each in printed]
    return " | ".join(parts) if parts != [each for _, each in printed] else text


def _is_any(value: Expression, text: str, current: TypeChecker, declared: Declarations) -> bool:
    if isinstance(value, TupleExpr | ListExpr) or (text.startswith("tuple[") and _is_declared_tuple(value)):
        return False
    variables, type_of = declared.variables, current.lookup_type_or_none
    if _has_array_type(value, declared, current):
        return False
    if _is_declared_any(value):
        return True
    if variables.lengths.shapes and variables.lengths.is_any(value):
        return True
    if variables.is_of_untyped(value, type_of):
        return True
    if re.match(_ARRAY, text) is None and not _is_item_list(value):
        return is_of_array(value, variables, type_of) and is_any_to_stock(value, variables, type_of)
    # `is_any_to_stock` decides about these alone. Of a comprehension each item counts.
    whole = () if isinstance(value, ConditionalExpr | NameExpr | IndexExpr) else (value,)
    every = (*whole, *_iterables(value, current))
    return is_any_to_stock(value, variables, type_of) or any(
        variables.stock(type_of).may_be_anything(each) for each in every
    )


def _has_array_type(value: Expression, declared: Declarations, current: TypeChecker) -> bool:
    """Whether stock mypy knows that a variable is an array, by its annotation or by its values."""
    variable = value.node if isinstance(value, NameExpr) else None
    if not isinstance(variable, Var) or variable.type is None:
        return False
    known = [each for each in members(variable.type) if not isinstance(each, AnyType | NoneType)]
    if not known or not all(map(value_marks.never_marked, known)):
        return False
    if not is_unannotated(variable):
        return True
    type_of, is_bound = current.lookup_type_or_none, bool(declared.variables.values_of(variable))
    return is_bound and not is_any_to_stock(value, declared.variables, type_of)


def _is_declared_any(value: Expression) -> bool:
    """Whether this is a variable that stock mypy declares as Any, because its first value is: no other narrows it."""
    variable = value.node if isinstance(value, NameExpr) else None
    if not isinstance(variable, Var) or variable.type is None or not is_unannotated(variable):
        return False
    return may_be_anything(variable.type) and value_marks.are_all_marked(variable.type)


def _is_declared_tuple(value: Expression) -> bool:
    """Whether this calls a function for which the stubs declare a tuple: one that `jax.value_and_grad` returned."""
    outer = value.callee if isinstance(value, CallExpr) else None
    function = outer.callee.node if isinstance(outer, CallExpr) and isinstance(outer.callee, RefExpr) else None
    made = getattr(function.var if isinstance(function, Decorator) else function, "type", None)
    declared = get_proper_type(made) if isinstance(made, Type) else None
    items = declared.items if isinstance(declared, FunctionLike) else []
    results = [get_proper_type(item.ret_type) for item in items]
    return bool(results) and all(
        isinstance(result, CallableType) and isinstance(get_proper_type(result.ret_type), TupleType)
        for result in results
    )


def _is_item_list(value: Expression) -> bool:
    """Whether this is the list of an array's items."""
    return isinstance(value, CallExpr) and isinstance(value.callee, MemberExpr) and value.callee.name == "tolist"


def _iterables(value: Expression, current: TypeChecker) -> Iterator[Expression]:
    """What a comprehension iterates over, if the value is its variable, or a part of that."""
    owner = value
    while not isinstance(owner, NameExpr):
        match owner:
            case MemberExpr(expr=inner) | IndexExpr(base=inner) | CallExpr(callee=MemberExpr(expr=inner)):
                owner = inner
            case _:
                return
    for node in nodes_in(Region.around(current.tree.defs, value.line)):
        if isinstance(node, GeneratorExpr):
            for index, iterable in zip(node.indices, node.sequences, strict=True):
                if isinstance(index, NameExpr) and index.node is owner.node:
                    yield iterable
