"""Let a container take a value that is Any to stock mypy, or any value if one of its items is Any there.

From then on the items of an unannotated container have unknown dtypes.
"""

import itertools
from collections.abc import Iterator

from mypy.errorcodes import OPERATOR
from mypy.nodes import DictionaryComprehension, Expression, ListComprehension, MemberExpr, NameExpr, Var
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin.inferred.aliasing.expressions import Key
from promo_mypy.plugin.inferred.aside.decisions import OF_VALUES
from promo_mypy.plugin.inferred.aside.stock_errors import StockChecks
from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.narrowing import widen, widen_aliases
from promo_mypy.plugin.mypy_api.checker.nested_checks import repeat
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import items_of_display, root
from promo_mypy.plugin.types.array_types import is_number, is_python_number, library_of
from promo_mypy.plugin.types.container_types import holds_array, or_anything, without_dtypes
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.value_marks import is_marked
from promo_mypy.plugin.types.walks import members, opened, with_parts

_COMPREHENSIONS = ListComprehension | DictionaryComprehension


def accepting_signature(ctx: MethodSigContext, filled: Expression, session: Session) -> FunctionLike | None:
    """The signature for a value of another class than the items, if stock mypy accepts it; else None.

    From then on the items are unknown. If they are already, and stock mypy rejects the value, its error is reported.
    """
    held, container = ctx.type, root(filled)
    is_open = isinstance(held, Instance) and any(map(_is_opened, held.args[-1:]))
    variable = variable_of(container, ctx) if is_open or _holds_numbers_or_arrays(held) else None
    if variable is None or variable.type is None or not is_unannotated(variable):
        return None
    if not _is_accepted(ctx, is_open=is_open) or is_open:
        return None
    anything = AnyType(TypeOfAny.special_form)
    widen(ctx.api, container, variable, with_any_items(variable.type))
    widen_aliases(ctx.api, aliases_of(filled, ctx, session), with_any_items, filled.line)
    return ctx.default_signature.copy_modified(arg_types=[anything for _ in ctx.default_signature.arg_types])


def _holds_numbers_or_arrays(container: ProperType) -> bool:
    return isinstance(container, Instance) and (holds_array(container) or any(map(_holds_number, container.args)))


def _is_accepted(ctx: MethodSigContext, *, is_open: bool) -> bool:
    """Whether stock mypy accepts a value that does not have the class of the items. Its error is reported otherwise.

    `is_open`: whether the items are unknown already.
    """
    stock, pairs = stock_checks(ctx.api), list(_pairs(ctx))
    if stock is None or not pairs or (_is_any(pairs[-1][0]) if is_open else _fits(*pairs[-1])):
        return False
    if not all(is_subtype(*pair) for pair in pairs[:-1]):
        return False  # the index may belong to another overload
    rejection = _rejection(stock, ctx)
    if rejection is not None:
        repeat(type_checker.checker(ctx.api), [rejection] if is_subtype(*pairs[-1]) else [])
    return rejection is None


def _rejection(stock: StockChecks, ctx: MethodSigContext) -> ErrorInfo | None:
    """The first error about a value that stock mypy makes where a container is filled."""
    filled = ctx.context
    last = max(each.end_line or each.line for each in (filled, *itertools.chain.from_iterable(ctx.args)))
    lines = range(filled.line, last + 1)
    return next(iter(stock.at(filled.line).found(lines, {*OF_VALUES, OPERATOR})), None)


def _is_opened(item: Type) -> bool:
    """Whether the items of a container are Any because the plugin has widened its type: see `with_any_items`."""
    proper = get_proper_type(item)
    return isinstance(proper, AnyType) and proper.type_of_any == TypeOfAny.special_form


def _is_any(given: Type) -> bool:
    """Whether stock mypy infers Any for a value."""
    return is_marked(given) or isinstance(opened(given), AnyType)


def _fits(given: Type, formal: Type) -> bool:
    """Whether a value has the class of the items: stock mypy accepts it, too. A mark is no number."""
    return is_subtype(given, _required(formal), ignore_promotions=True)


def _pairs(ctx: MethodSigContext) -> Iterator[tuple[Type, Type]]:
    """The types of the arguments, each with that of its parameter: the value is the last one."""
    for expressions, formal in zip(ctx.args, ctx.default_signature.arg_types, strict=True):
        for each in expressions:
            yield type_checker.quiet_type(ctx.api, each), formal


def _required(item: Type) -> Type:
    """What stock mypy requires of an item: without the Any beside its numbers and arrays, and the dtypes of arrays."""
    known = [each for each in members(item) if not isinstance(each, AnyType)]
    if known and all(map(_is_number_or_array, known)):
        return UnionType.make_union([without_dtypes(each) if library_of(each) is not None else each for each in known])
    return with_parts(item, _required) if isinstance(opened(item), Instance | TupleType) else item


def _is_number_or_array(item: Type) -> bool:
    return is_python_number(item) or library_of(item) is not None


def _holds_number(item: Type) -> bool:
    """Whether an item of a container is a number, or a tuple with one."""
    tuples = opened(item)
    is_open = any(map(is_python_number, members(item)))
    return is_open or is_number(item) or (isinstance(tuples, TupleType) and any(map(_holds_number, tuples.items)))


def with_any_items(container: Type) -> Type:
    """The type of a container, with Any in place of the scalars in it, and beside arrays and Python's numbers.

    The keys of a mapping stay as they are.
    """
    proper = opened(container)
    if not isinstance(proper, Instance | TupleType):
        return container
    if is_marked(proper) or is_scalar_type(proper):
        return AnyType(TypeOfAny.special_form)
    if isinstance(proper, Instance) and proper.type.has_base("typing.Mapping") and len(proper.args) > 1:
        return proper.copy_modified(args=[*proper.args[:-1], with_any_items(proper.args[-1])])
    is_open = library_of(proper) is not None or is_number(proper)
    return or_anything(without_dtypes(proper)) if is_open else with_parts(container, with_any_items)


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
