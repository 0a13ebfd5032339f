"""Infer the items of an iteration over arrays, in a loop or through a built-in.

JAX and PyTorch declare items as Any. They stay Any if the dtype of the array is unknown, or if an item is an integer
that may be used as a Python int: mypy rejects an array for the `i` of a Dataset's `__getitem__(self, i: int)`.
NumPy declares Any, too, for an array of unknown rank. Its items are scalars or arrays, and have a mark.
"""

from mypy.nodes import CallExpr, Context, Expression
from mypy.plugin import FunctionContext, MethodContext
from mypy.subtypes import is_same_type
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.fill import receiver_of
from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.arguments import Argument, positional
from promo_mypy.plugin.mypy_api.checker import call_checking
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_ranks import rank_argument, rank_of_shape
from promo_mypy.plugin.types.array_types import numpy_array, read, shaped_dtypes
from promo_mypy.plugin.types.walks import opened, with_parts

with late():
    from promo_mypy.plugin.calls import data_loaders, stored_modules


def infer_items(ctx: MethodContext, session: Session) -> Type:
    """`x.__iter__()`, which mypy looks up in loops, comprehensions and unpacking."""
    item = items_of(ctx.type, session)
    if item is None:
        return ctx.default_return_type
    declared = get_proper_type(ctx.default_return_type)
    session.watch.follow(ctx.api)
    declares_any = isinstance(declared, Instance) and isinstance(get_proper_type(declared.args[0]), AnyType)
    if not declares_any and not _has_any_rank(ctx.context, ctx):
        item = value_marks.unmarked(item) if _has_dtype(ctx.context, ctx) else _as_declared(item, ctx.type, session)
    return ctx.api.named_generic_type("typing.Iterator", [item])


def infer_iterable(ctx: FunctionContext, session: Session) -> Type:
    """`enumerate(x)`, `zip(x, y)`, `list(x)` and other calls that iterate an array."""
    given = positional(ctx) or []
    items = [items_of(each.type, session) or _stored_item(each, ctx, session) for each in given]
    if not any(items) and given:
        items[0] = data_loaders.enumerated_batch(ctx.context, given[0].expression, given[0].type, ctx.api, session)
    declared = get_proper_type(ctx.default_return_type)
    if not any(items) or not isinstance(declared, Instance) or len(declared.args) != 1:
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    held = get_proper_type(declared.args[0])
    are_any = [_has_any_rank(each.expression, ctx) or _stores_items(each.type) for each in given]
    if isinstance(held, TupleType) and len(held.items) == len(items):
        slots = [
            _filled(slot, item, array.expression, ctx, has_any_rank=has_any)
            for slot, item, array, has_any in zip(held.items, items, given, are_any, strict=True)
        ]
        return declared.copy_modified(args=[held.copy_modified(items=slots)])
    return declared.copy_modified(args=[_filled(held, items[0], given[0].expression, ctx, has_any_rank=are_any[0])])


def _stored_item(container: Argument, ctx: FunctionContext, session: Session) -> Type | None:
    """The type of the modules that a list of PyTorch stores, if mypy knows their calls."""
    item = stored_modules.common_item(container.type) if _stores_items(container.type) else None
    is_followed = item is not None and stored_modules.is_followed(item, ctx.context, session, ctx.api)
    return item if is_followed else None


def _stores_items(container: Type) -> bool:
    proper = get_proper_type(container)
    return isinstance(proper, Instance) and proper.extra_attrs is not None


def infer_overloaded(ctx: FunctionContext, session: Session) -> Type:
    """`reversed(x)` or `itertools.product(x, y)`. To stock mypy the items are Any if it knows no dtype of an array."""
    declared = get_proper_type(ctx.default_return_type)
    session.watch.follow(ctx.api)
    if not isinstance(declared, Instance) or len(declared.args) != 1:
        return ctx.default_return_type
    stock = stock_checks(ctx.api)
    whole = stock.type_of(ctx.context) if stock is not None and isinstance(ctx.context, CallExpr) else None
    if whole is None:
        return ctx.default_return_type
    item = _beside(declared.args[0], _item(whole), session)
    if call_checking.expected_type(ctx.api) is not None and not is_same_type(item, declared.args[0]):
        item = AnyType(TypeOfAny.special_form)  # mypy solves type variables of both calls at once
    return declared.copy_modified(args=[item])


def _item(iterable: Type) -> Type:
    """The item of an iterable; Any for any other type."""
    proper = get_proper_type(iterable)
    return proper.args[0] if isinstance(proper, Instance) and len(proper.args) == 1 else AnyType(TypeOfAny.special_form)


def _beside(item: Type, stock: Type, session: Session) -> Type:
    """An item, given what stock mypy infers for it: where that is Any an array has a mark, and others are Any."""
    one, other = opened(item), opened(stock)
    if isinstance(one, TupleType) and isinstance(other, TupleType) and len(one.items) == len(other.items):
        return one.copy_modified(items=[_beside(*pair, session) for pair in zip(one.items, other.items, strict=True)])
    if not isinstance(other, AnyType):
        return item
    if isinstance(one, TupleType):
        return with_parts(item, lambda part: _beside(part, other, session))
    marked = session.marked(item, value_marks.marked)
    return marked if value_marks.is_marked(marked) else AnyType(TypeOfAny.special_form)


def _filled(
    slot: Type, item: Type | None, array: Expression, ctx: FunctionContext | MethodContext, *, has_any_rank: bool
) -> Type:
    if item is not None and (has_any_rank or isinstance(get_proper_type(slot), AnyType)):
        return item
    return value_marks.unmarked(slot) if value_marks.is_marked(slot) and _has_dtype(array, ctx) else slot


def _has_any_rank(array: Context, ctx: FunctionContext | MethodContext) -> bool:
    """Whether only the plugin knows the rank of an array, so that its items are Any to stock mypy."""
    stock = stock_checks(ctx.api)
    return stock is not None and isinstance(array, Expression) and stock.has_unknown_rank(array)


def _has_dtype(array: Context, ctx: FunctionContext | MethodContext) -> bool:
    """Whether stock mypy, too, knows the dtype of an array."""
    stock = stock_checks(ctx.api)
    return stock is not None and isinstance(array, Expression) and stock.has_dtype(array)


def items_of(typ: Type, session: Session) -> Type | None:
    """The type of the items of an array; None for other types, and for an unknown dtype."""
    array = get_proper_type(typ)
    if isinstance(array, Instance) and array.type.fullname in names.NUMPY_ARRAYS:
        return _numpy_item(array, session)
    receiver = receiver_of(typ)
    if receiver is None or receiver.dtypes is None:
        return None
    rank = receiver.rank.shifted(-1)
    if not rank.positive and any(dtype.kind in "ui" for dtype in receiver.dtypes):
        return None
    ranks = [rank_argument(rank, session.symbols)] if receiver.row.ranked else []
    return session.symbols.instance(receiver.row.array, [receiver.argument, *ranks])


def _as_declared(item: Type, array: Type, session: Session) -> Type:
    """An item that NumPy's stubs declare, for an array of known rank: only its dtype may be unknown to stock mypy."""
    if not value_marks.has_marked_dtype(array):
        return value_marks.unmarked(item)
    return (
        item
        if numpy_scalars.is_scalar_type(item)
        else value_marks.with_marked_dtypes(value_marks.unmarked(item), session.symbols, session.platform)
    )


def _numpy_item(array: Instance, session: Session) -> Type | None:
    values = read(array, session.platform)
    if values is None:
        return None
    dtypes = shaped_dtypes(values)
    if rank_of_shape(array).shifted(-1).zero:
        item = numpy_scalars.scalar_of(dtypes, session.symbols)
    else:
        item = numpy_array(array, dtypes, session.symbols, keep_shape=False)
    return None if item is None else value_marks.marked(item, session.symbols, session.platform)
