"""Let a container take a value that is Any to stock mypy, or any value if one of its items is Any there.

From then on the items of an unannotated container have unknown dtypes.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from mypy.nodes import (
    CallExpr,
    Decorator,
    DictionaryComprehension,
    Expression,
    FakeInfo,
    FuncDef,
    ListComprehension,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, FunctionLike, Instance, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred.aliasing.expressions import Key
from promo_mypy.plugin.inferred.declared_variables import declarations, stock_checks
from promo_mypy.plugin.libraries import Library, is_own
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.narrowing import widen, widen_aliases
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import items_of_display, root
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.container_types import holds_array, or_anything, without_dtypes
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.walks import opened, with_parts

_COMPREHENSIONS = ListComprehension | DictionaryComprehension
_FUNCTIONS = FuncDef | OverloadedFuncDef | Decorator


def accepting_signature(ctx: MethodSigContext, filled: Expression, session: Session) -> FunctionLike | None:
    """The signature for a value of another class than the items, if it or an item is Any to stock mypy; else None.

    From then on the items are unknown.
    """
    held, container = ctx.type, root(filled)
    if not isinstance(held, Instance) or not (holds_array(held) or any(map(_holds_number, held.args))):
        return None
    variable = variable_of(container, ctx)
    if variable is None or variable.type is None or not is_unannotated(variable) or _is_returned(variable, ctx):
        return None
    given = [item for each in chain(*ctx.args) for item in items_of_display(each)]
    if any(_is_of_other_length(each, held.args[-1]) for each in chain(*ctx.args)):
        return None
    if isinstance(filled, NameExpr) and any(_is_no_tuple(each, held.args[-1], ctx) for each in ctx.args[-1]):
        return None
    types = [typ for each in chain(*ctx.args) for typ in item_types(each, ctx.api)]
    if not _is_any_beside(filled, variable, given, types, ctx):
        return None
    anything = AnyType(TypeOfAny.special_form)
    widen(ctx.api, container, variable, with_any_items(variable.type))
    widen_aliases(ctx.api, aliases_of(filled, ctx, session), with_any_items, filled.line)
    return ctx.default_signature.copy_modified(arg_types=[anything for _ in ctx.default_signature.arg_types])


def _holds_number(item: Type) -> bool:
    """Whether an item of a container is a number, or a tuple with one."""
    tuples = opened(item)
    return is_number(item) or (isinstance(tuples, TupleType) and any(map(_holds_number, tuples.items)))


def _is_of_other_length(value: Expression, item: Type) -> bool:
    """Whether a tuple is written where the items are tuples of another length."""
    tuples = get_proper_type(item)
    return isinstance(value, TupleExpr) and isinstance(tuples, TupleType) and len(value.items) != len(tuples.items)


def _is_no_tuple(value: Expression, item: Type, ctx: MethodSigContext) -> bool:
    """Whether the items are tuples, and a value is a text or a number: stock mypy knows both."""
    typ = get_proper_type(type_checker.quiet_type(ctx.api, value))
    is_plain = isinstance(typ, Instance) and not typ.args and not value_marks.is_marked(typ)
    return is_plain and isinstance(get_proper_type(item), TupleType) and library_of(typ) is None


def _is_any_beside(
    filled: Expression,
    variable: Var,
    given: Sequence[Expression],
    types: Sequence[Type],
    ctx: MethodSigContext,
) -> bool:
    """Whether one of the values does not fit, and it or an item of the container is Any to stock mypy."""
    held = ctx.type
    assert isinstance(held, Instance)
    if any(value_marks.is_marked(typ) and not _is_of(typ, places) for typ, places in _with_places(held, ctx)):
        return True
    item, stock = held.args[-1], stock_checks(ctx.api)
    # NumPy's values are marked. A variable has no mark, which only matters beside another library.
    has_marks = library_of(item) is Library.NUMPY and library_of(types[-1] if types else item) in (None, Library.NUMPY)
    if not types or has_marks or not isinstance(variable.info, FakeInfo) or stock is None:
        return False  # other modules may read an attribute
    if is_scalar_type(item):
        pairs = zip(given, types, strict=True)
        return any(not _is_of(typ, held.args) and stock.is_any(each) for each, typ in pairs)
    if is_number(item):
        return False
    whole = [type_checker.quiet_type(ctx.api, each) for each in ctx.args[-1]]
    fits = any(_is_of(each, [without_dtypes(item)]) for each in (types[-1], *whole))
    return not fits and _has_any_items(stock.type_of(filled))


def _has_any_items(container: Type | None) -> bool:
    proper = get_proper_type(container)
    return isinstance(proper, Instance) and bool(proper.args) and isinstance(get_proper_type(proper.args[-1]), AnyType)


def _with_places(held: Instance, ctx: MethodSigContext) -> Iterator[tuple[Type, Sequence[Type]]]:
    """The types of the values, and of their items, with the types that the container has where they go."""
    item = held.args[-1]
    for each in chain(*ctx.args):
        given = [type_checker.quiet_type(ctx.api, each)] if isinstance(each, TupleExpr) else item_types(each, ctx.api)
        for typ in given:
            if len(parts := list(_placed(typ, item))) > 1:
                yield from ((part, (place,)) for part, place in parts)
            else:
                yield typ, held.args


def _placed(given: Type, expected: Type) -> Iterator[tuple[Type, Type]]:
    """The items of a tuple, each with the type that is expected for it; any other type with the whole one."""
    one, other = opened(given), opened(expected)
    if isinstance(one, TupleType) and isinstance(other, TupleType) and len(one.items) == len(other.items):
        for pair in zip(one.items, other.items, strict=True):
            yield from _placed(*pair)
    else:
        yield given, expected


def _is_returned(variable: Var, ctx: MethodSigContext) -> bool:
    """Whether a user's function returns the container: it may declare the items."""
    declared = declarations(ctx.api)
    values = declared.variables.values_of(variable) if declared is not None else ()
    callees = [value.callee for value in values if isinstance(value, CallExpr)]
    functions = [each for each in callees if isinstance(each, RefExpr) and isinstance(each.node, _FUNCTIONS)]
    return any(not is_own(each.fullname) and not each.fullname.startswith("builtins.") for each in functions)


def _is_of(typ: Type, classes: Iterable[Type]) -> bool:
    return any(is_subtype(typ, each, ignore_promotions=True) for each in classes)


def with_any_items(container: Type) -> Type:
    """The type of a container, with Any in place of the arrays and scalars in it, and beside Python's numbers."""
    proper = opened(container)
    if not isinstance(proper, Instance | TupleType):
        return container
    if library_of(proper) is not None or is_scalar_type(proper):
        return AnyType(TypeOfAny.special_form)
    return or_anything(proper) if is_number(proper) else with_parts(container, with_any_items)


def item_types(expression: Expression, api: CheckerPluginInterface) -> list[Type]:
    """The types of the items of a display or comprehension, or of another expression alone."""
    if isinstance(expression, _COMPREHENSIONS):  # its variables have no type before
        type_checker.quiet_type(api, expression)
    return [type_checker.quiet_type(api, each) for each in items_of_display(expression)]


def aliases_of(filled: Expression, ctx: MethodSigContext, session: Session) -> set[Key]:
    """The variables and attributes whose container changes with the one that is filled."""
    session.watch.follow(ctx.api)
    known = session.watch.file.aliases
    return known.filled_with(filled, [0]) if known is not None else set()


def variable_of(container: Expression, ctx: MethodSigContext) -> Var | None:
    """The variable or attribute that holds a container; None for any other expression."""
    if isinstance(container, NameExpr):
        return container.node if isinstance(container.node, Var) else None
    if not isinstance(container, MemberExpr):
        return None
    return attribute_of(ctx.api.get_expression_type(container.expr), container.name)
