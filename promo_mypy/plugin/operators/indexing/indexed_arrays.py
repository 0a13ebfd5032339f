"""Infer the dtype and rank of an indexed array."""

from mypy.nodes import ListExpr, StrExpr
from mypy.plugin import MethodContext, MethodSigContext
from mypy.types import AnyType, FunctionLike, Instance, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.fill import array_behind, declared_type, filled, receiver_of
from promo_mypy.plugin.calls.reports import index_dtypes
from promo_mypy.plugin.late import late
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, structured_types
from promo_mypy.plugin.types.accepted_indices import taking_index
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.array_types import numpy_array, read, shaped_dtypes
from promo_mypy.plugin.types.literal_values import literal_value
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts

with late():
    from promo_mypy.plugin.operators.indexing import index_items


def infer_item(ctx: MethodContext, session: Session) -> Type:
    """`x[i]` of an array, and `x.at[i]`."""
    session.watch.follow(ctx.api)
    receiver = receiver_of(ctx.type)
    if receiver is None or len(ctx.args) != 1 or len(ctx.args[0]) != 1:
        return ctx.default_return_type
    index_dtypes.report(
        array_behind(ctx.type, session) or ctx.type, ctx.args[0][0], ctx.arg_types[0][0], ctx.context, session, ctx.api
    )
    rank = UNKNOWN_RANK
    if receiver.row.ranked:
        parts = index_items.parts_of(ctx.args[0][0], ctx.arg_types[0][0], session.platform)
        rank = index_items.rank_after(receiver.rank, parts)
    declared = ctx.default_return_type
    if receiver.dtypes is not None:
        declared = declared_type(declared, receiver.library, session)
    return filled(declared, receiver.argument, rank, session)


def infer_numpy_item(ctx: MethodContext, session: Session) -> Type:
    """`x[i]` of an ndarray where NumPy's stubs return Any: lists of indices, and shapes of known length."""
    array = ctx.type
    if len(ctx.args) == 1 and len(ctx.args[0]) == 1:
        index_dtypes.report(array, ctx.args[0][0], ctx.arg_types[0][0], ctx.context, session, ctx.api)
    if isinstance(array, Instance) and structured_types.text_of(numpy_scalars.scalar_of_array(array)) is not None:
        return infer_field(ctx, session)
    if not isinstance(get_proper_type(ctx.default_return_type), AnyType) or not isinstance(array, Instance):
        return ctx.default_return_type
    values = read(array, session.platform)
    if values is None or len(ctx.args) != 1 or len(ctx.args[0]) != 1:
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    dtypes = shaped_dtypes(values)
    parts = index_items.parts_of(ctx.args[0][0], ctx.arg_types[0][0], session.platform)
    rank = index_items.rank_after(rank_of_shape(array), parts)
    if rank.positive:
        item = numpy_array(array, dtypes, session.symbols, keep_shape=False)
        return _with_rank(item, rank, session) if item is not None else ctx.default_return_type
    if rank.zero and all(part.advanced is None and part.put == 0 and part.taken == 1 for part in parts):
        return numpy_scalars.scalar_of(dtypes, session.symbols) or ctx.default_return_type
    if all(part.advanced is None for part in parts):
        # A scalar, or an array of fewer dimensions: `call_marks` marks it as either.
        return numpy_array(array, dtypes, session.symbols, keep_shape=False) or ctx.default_return_type
    return ctx.default_return_type


def infer_field(ctx: MethodContext, session: Session) -> Type:
    """`a["x"]`, `a[["x", "n"]]` and `a[0]` of a structured array, or of an item of one."""
    owner = ctx.type
    if not isinstance(owner, Instance) or len(ctx.args) != 1 or len(ctx.args[0]) != 1:
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    index, text = ctx.args[0][0], literal_value(ctx.arg_types[0][0])
    if isinstance(text, str):
        return structured_types.value_of(owner, text, session.symbols) or ctx.default_return_type
    texts = [each.value for each in index.items if isinstance(each, StrExpr)] if isinstance(index, ListExpr) else []
    if texts:
        return structured_types.value_of(owner, texts, session.symbols) or ctx.default_return_type
    item = numpy_scalars.scalar_of_array(owner)
    if item is None or not isinstance(get_proper_type(ctx.default_return_type), AnyType):
        return ctx.default_return_type
    parts = index_items.parts_of(index, ctx.arg_types[0][0], session.platform)
    if any(part.advanced is not None for part in parts):
        return ctx.default_return_type
    is_item = index_items.rank_after(rank_of_shape(owner), parts).zero
    array = structured_types.with_scalar(owner, item, session.symbols, keeps_shape=False)
    return item if is_item else array or ctx.default_return_type


def infer_scalar_item(ctx: MethodContext, session: Session) -> Type:
    """`x[()]`, `x[...]` and `x[None]` of a marked scalar: the scalar, or an array of its dtype."""
    dtypes = numpy_scalars.dtypes_of_scalar(ctx.type, session.platform)
    array = session.symbols.instance(names.NUMPY_ARRAY)
    if dtypes is None or array is None or len(ctx.arg_types) != 1 or len(ctx.arg_types[0]) != 1:
        return ctx.default_return_type
    index = get_proper_type(ctx.arg_types[0][0])
    items = index.items if isinstance(index, TupleType) else [index]
    if not items:
        return ctx.type
    if not all(map(_adds_an_axis_or_none, items)):
        return ctx.default_return_type
    return numpy_array(array, dtypes, session.symbols, keep_shape=False) or ctx.default_return_type


def _adds_an_axis_or_none(item: Type) -> bool:
    """Whether an item of an index is None or `...`."""
    proper = get_proper_type(item)
    is_ellipsis = isinstance(proper, Instance) and proper.type.name in ("ellipsis", "EllipsisType")
    return is_ellipsis or isinstance(proper, NoneType)


def _with_rank(item: Type, rank: RankFacts, session: Session) -> Type:
    """The ndarray with one `int` in its shape for each dimension, if the rank is known."""
    proper = get_proper_type(item)
    integer = session.symbols.instance("builtins.int")
    fallback = session.symbols.instance("builtins.tuple", [AnyType(TypeOfAny.special_form)])
    if not isinstance(proper, Instance) or rank.exact is None or integer is None or fallback is None:
        return item
    shape = TupleType([integer] * rank.exact, fallback)
    return proper.copy_modified(args=[shape, proper.args[1]])


def take_index(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """The signature of an item of a tensor, which takes an index unseen that a tensor accepts."""
    return ctx.default_signature if session.watch.leaves_alone(ctx.api) else taking_index(ctx)
