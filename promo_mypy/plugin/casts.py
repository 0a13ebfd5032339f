"""Casts (`x.astype(d)`, `x.to(d)`, `x.float()`, `x.view(d)`) to the dtype that they give."""

from typing import Final

from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, NoneType, Type, UnionType, get_proper_type

from promo_mypy.plugin import forbidden, names, numpy_scalars
from promo_mypy.plugin.arguments import Argument, arguments, arguments_of, by_keyword, for_parameter, positional
from promo_mypy.plugin.array_types import library_of, numpy_array, read
from promo_mypy.plugin.dtype_arguments import dtypes_named
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.results import Receiver, argument_for, declared_type, filled, receiver_of, unknown
from promo_mypy.plugin.same_dtype import rank_after
from promo_mypy.plugin.session import Session
from promo_mypy.plugin.sizes import is_bool, is_int
from promo_mypy.rules import dtype_names
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.methods import DtypeEffect, MethodRule

DTypeSet = frozenset[type[dt.Shaped]]

EFFECTS: Final = frozenset(
    {
        DtypeEffect.FIXED,
        DtypeEffect.CAST,
        DtypeEffect.CAST_OR_SAME,
        DtypeEffect.LIKE_OTHER,
        DtypeEffect.VIEW,
    }
)
_DEVICES: Final = frozenset({names.TORCH_DEVICE, "builtins.str", "builtins.int"})


def infer(ctx: MethodContext, rule: MethodRule, name: str, session: Session) -> Type:
    """The result of a cast of an array; NumPy's stubs know most of theirs."""
    session.watch.follow(ctx.api)
    receiver = receiver_of(ctx.type)
    if receiver is None:
        return ctx.default_return_type
    given = positional(ctx)
    rank = rank_after(rule, receiver.rank, given)
    if rule.dtype is DtypeEffect.FIXED:
        assert rule.target is not None
        argument = argument_for(frozenset({rule.target}), session)
        if session.has_policies:
            dialect = session.system(receiver.library, ctx.api).dialect
            forbidden.report_request(frozenset({rule.target}), ctx.context, dialect, session, ctx.api)
    elif rule.dtype is DtypeEffect.LIKE_OTHER:
        argument = _of_array(given[0] if given else None)
    elif receiver.library is not Library.TORCH:
        argument = _by_parameter(ctx, rule, receiver, session)
    elif rule.dtype is DtypeEffect.VIEW:
        argument, is_cast = _torch_view(ctx, receiver, given, session)
        rank = receiver.rank if is_cast else rank
    elif name == "to":
        argument = _torch_to(ctx, receiver, given, session)
    else:
        argument = _torch_keyword(ctx, rule, receiver, session)
    declared = declared_type(ctx.default_return_type, rule, receiver, session)
    return filled(declared, argument, rank, session)


def infer_function(ctx: FunctionContext, session: Session) -> Type:
    """`tf.cast(x, d)`, `paddle.cast(x, d)`, `xp.astype(x, d)`: a cast that is a function."""
    given = [arguments_of(ctx, position) for position in (0, 1)]
    receiver = receiver_of(given[0][0].type) if all(given) else None
    if receiver is None:
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    argument = argument_for(_named(given[1][0], receiver.library, session, ctx.api), session)
    return filled(ctx.default_return_type, argument, receiver.rank, session)


def infer_numpy(ctx: MethodContext, rule: MethodRule, session: Session) -> Type:
    """The result of a cast of an ndarray or a NumPy scalar whose dtype NumPy's stubs do not say."""
    argument = for_parameter(ctx, "dtype")
    if argument is None or (rule.dtype is DtypeEffect.VIEW and len(list(arguments(ctx))) > 1):
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    found = dtypes_named(argument.expression, argument.type, Library.NUMPY, session, ctx.api)
    if found is None:
        return ctx.default_return_type
    declared = get_proper_type(ctx.default_return_type)
    if isinstance(declared, Instance) and library_of(declared) is Library.NUMPY:
        values = read(declared, session.platform)
        if values is None or found < values[0].dtypes:
            return numpy_array(declared, found, session.symbols, keep_shape=True) or declared
    elif isinstance(declared, AnyType) and isinstance(ctx.type, Instance) and library_of(ctx.type) is None:
        return numpy_scalars.scalar_of(found, session.symbols) or declared
    return declared


def _by_parameter(ctx: MethodContext, rule: MethodRule, receiver: Receiver, session: Session) -> Type:
    """`x.astype(d)` is strong. `x.view(d)` stays what it is if d is its dtype already."""
    argument = for_parameter(ctx, "dtype")
    if rule.dtype is DtypeEffect.VIEW and (argument is None or _is_none(argument.type)):
        return receiver.argument
    found = _named(argument, receiver.library, session, ctx.api)
    dtypes = receiver.dtypes
    if rule.dtype is DtypeEffect.VIEW and found is not None and dtypes is not None:
        found = frozenset(dtype if dtype.strong is target else target for dtype in dtypes for target in found)
    return argument_for(found, session)


def _torch_to(ctx: MethodContext, receiver: Receiver, given: list[Argument] | None, session: Session) -> Type:
    """`to(dtype)`, `to(device, dtype)`, `to(other)`, and dtype as a keyword; without a dtype it stays."""
    dtype = by_keyword(ctx, "dtype")
    if dtype is None and given is None:
        return unknown()
    if dtype is None and given:
        first = given[0]
        if library_of(first.type) is Library.TORCH:
            return _of_array(first)
        if _is_device(first.type):
            dtype = given[1] if len(given) > 1 and not is_bool(given[1].type) else None
        else:
            dtype = first
    elif dtype is None and by_keyword(ctx, "other") is not None:
        return _of_array(by_keyword(ctx, "other"))
    if dtype is None or _is_none(dtype.type):
        return receiver.argument
    return argument_for(_named(dtype, Library.TORCH, session, ctx.api), session)


def _torch_view(
    ctx: MethodContext, receiver: Receiver, given: list[Argument] | None, session: Session
) -> tuple[Type, bool]:
    """The dtype argument of `view(dtype)` or `view(*sizes)`, and whether it is the former."""
    dtype = by_keyword(ctx, "dtype")
    if dtype is None and given is not None and len(given) == 1:
        typ = get_proper_type(given[0].type)
        if isinstance(typ, AnyType) or (isinstance(typ, Instance) and typ.type.fullname == names.TORCH_DTYPE):
            dtype = given[0]
    if dtype is None:
        return receiver.argument, False
    found = _named(dtype, Library.TORCH, session, ctx.api)
    # Of type Any and no dtype that we can see: it may be a size.
    is_cast = found is not None or not isinstance(get_proper_type(dtype.type), AnyType)
    return argument_for(found, session), is_cast


def _torch_keyword(ctx: MethodContext, rule: MethodRule, receiver: Receiver, session: Session) -> Type:
    """`x.type(d)`, and methods with an optional keyword `dtype`, such as `x.new_zeros(3, dtype=d)`."""
    dtype = for_parameter(ctx, "dtype") or by_keyword(ctx, "dtype")
    if dtype is None or _is_none(dtype.type):
        starred = any(argument.is_star for argument in arguments(ctx))
        return unknown() if rule.dtype is DtypeEffect.CAST or starred else receiver.argument
    found = _named(dtype, Library.TORCH, session, ctx.api)
    if found is None and rule.dtype is DtypeEffect.CAST:
        found = _type_string(dtype.type)
    return argument_for(found, session)


def _named(
    argument: Argument | None, library: Library, session: Session, api: CheckerPluginInterface
) -> DTypeSet | None:
    if argument is None or argument.is_star:
        return None
    return dtypes_named(argument.expression, argument.type, library, session, api)


def _of_array(argument: Argument | None) -> Type:
    other = receiver_of(argument.type) if argument is not None else None
    return other.argument if other is not None else unknown()


def _type_string(typ: Type) -> DTypeSet | None:
    proper = get_proper_type(typ)
    literal = proper.last_known_value if isinstance(proper, Instance) else None
    text = literal.value if literal is not None else None
    dtype = dtype_names.TORCH_TYPE_STRINGS.get(text) if isinstance(text, str) else None
    return frozenset({dtype}) if dtype is not None else None


def _is_none(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), NoneType)


def _is_device(typ: Type) -> bool:
    """Whether this can only be a device, or None for the current one."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return all(_is_device(item) for item in proper.items)
    if isinstance(proper, Instance):
        return proper.type.fullname in _DEVICES
    return isinstance(proper, NoneType) or is_int(proper)
