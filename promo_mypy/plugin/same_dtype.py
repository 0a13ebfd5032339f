"""Methods and attributes that keep an array's dtype, or take its real part."""

from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext
from mypy.typeops import make_simplified_union
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import array_types
from promo_mypy.plugin.arguments import Argument, positional
from promo_mypy.plugin.array_types import numpy_array
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.results import Receiver, argument_for, declared_type, filled, receiver_of, receivers_of
from promo_mypy.plugin.session import Session
from promo_mypy.plugin.sizes import rank_from_sizes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.methods import DtypeEffect, MethodRule, RankEffect, real_part
from promo_mypy.rules.promotion import Operand, Refusal
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts

DTypeSet = frozenset[type[dt.Shaped]]


def infer_method(ctx: MethodContext, rule: MethodRule, session: Session) -> Type:
    """The result of a method that keeps the dtype."""
    session.watch.follow(ctx.api)
    receiver = receiver_of(ctx.type)
    if receiver is None:
        return ctx.default_return_type
    rank = rank_after(rule, receiver.rank, positional(ctx))
    declared = declared_type(ctx.default_return_type, rule, receiver, session)
    return filled(declared, _argument(rule, receiver, session, ctx.api), rank, session)


def infer_attribute(ctx: AttributeContext, rule: MethodRule, session: Session) -> Type:
    """An attribute of an array that has its dtype, or that of its real part."""
    itself = receiver_of(ctx.type)
    declared = ctx.default_attr_type
    if itself is not None:
        declared = declared_type(declared, rule, itself, session)
    receivers = receivers_of(ctx.type, receiver_of(declared))
    if not receivers or ctx.is_lvalue:
        return ctx.default_attr_type
    session.watch.follow(ctx.api)
    results = [
        filled(declared, _argument(rule, one, session, ctx.api), rule.rank_of(one.rank), session) for one in receivers
    ]
    return results[0] if len(results) == 1 else make_simplified_union(results)


def infer_numpy_part(ctx: AttributeContext, session: Session) -> Type:
    """`x.real` and `x.imag` of an ndarray for which NumPy's stubs do not say: unions and `np.number`."""
    session.watch.follow(ctx.api)
    array, declared = ctx.type, get_proper_type(ctx.default_attr_type)
    if ctx.is_lvalue or not isinstance(array, Instance) or array_types.library_of(declared) is not Library.NUMPY:
        return ctx.default_attr_type
    values = array_types.read(array, session.platform)
    if values is None or array_types.read(declared, session.platform) is not None:
        return ctx.default_attr_type
    parts = frozenset(real_part(dtype) for value in values for dtype in value.dtypes if issubclass(dtype, dt.Shaped))
    return numpy_array(array, parts, session.symbols, keep_shape=True) or ctx.default_attr_type


def rank_after(rule: MethodRule, rank: RankFacts, given: list[Argument] | None) -> RankFacts:
    """The rank of a method's result for these positional arguments (None: not known)."""
    if rule.rank is RankEffect.SIZES:
        return rank_from_sizes(given)
    if rule.rank is RankEffect.FLATTEN:
        return RankFacts.of(1) if given == [] else AT_LEAST_ONE
    if rule.rank is RankEffect.LIKE_OTHER:
        other = receiver_of(given[0].type) if given else None
        return other.rank if other is not None else UNKNOWN_RANK
    return rule.rank_of(rank)


def _argument(rule: MethodRule, receiver: Receiver, session: Session, api: CheckerPluginInterface) -> Type:
    if rule.dtype is DtypeEffect.SAME:
        return receiver.argument
    dtypes = receiver.dtypes
    if dtypes is None:
        return argument_for(None, session)
    match rule.dtype:
        case DtypeEffect.STRONG:
            return argument_for(frozenset(dtype.strong for dtype in dtypes), session)
        case DtypeEffect.SAME_IF_STRONG:
            return argument_for(None if any(dtype.weak for dtype in dtypes) else dtypes, session)
        case DtypeEffect.REAL_PART:
            return argument_for(frozenset(real_part(dtype) for dtype in dtypes), session)
        case DtypeEffect.QUOTIENT:
            return argument_for(_with_itself("truediv", dtypes, session, api), session)
        case DtypeEffect.POWER:
            return argument_for(_with_itself("pow", dtypes, session, api), session)
        case _:
            raise AssertionError(f"{rule.dtype} needs the arguments of the call")


def _with_itself(operation: str, dtypes: DTypeSet, session: Session, api: CheckerPluginInterface) -> DTypeSet | None:
    system = session.system(Library.JAX, api)
    results = [system.resolve(operation, Operand(dtype), Operand(dtype)) for dtype in dtypes]
    known = frozenset(result for result in results if not isinstance(result, Refusal))
    return known or None
