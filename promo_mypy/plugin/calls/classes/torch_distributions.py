"""Infer members of PyTorch's distributions: `Normal(mean, std).sample()` has the dtype of the parameters.

The classes have no type for it, so the type of a distribution stores that of its parameters and samples.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.pytrees import tuple_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument, arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import is_python_number, read, shaped_dtypes, with_dtypes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch.distributions import CATEGORICAL, INDEPENDENT, OF_VALUES, OPTIONS, SAMPLES
from promo_mypy.rules.ranks import UNKNOWN_RANK

#: The attribute in which the type of a distribution stores the types of its parameters and of its samples.
_STORED: Final = "__promo_distribution"


def store(ctx: FunctionContext, session: Session) -> Type:
    """`Normal(mean, std)`: the distribution with the dtype of its parameters, if all have the same one."""
    made, given = get_proper_type(ctx.default_return_type), list(arguments(ctx))
    if not isinstance(made, Instance) or not given or any(argument.is_star for argument in given):
        return ctx.default_return_type
    if made.type.fullname == INDEPENDENT:
        types = _stored(given[0].type)
    else:
        types = _types_of(given, session, ctx) if made.type.fullname != CATEGORICAL else _of_categories(given, session)
    return made.copy_with_extra_attr(_STORED, tuple_of(list(types), ctx.api)) if types else made


def infer(ctx: MethodContext, session: Session) -> Type:
    """A method of a distribution. A value of another dtype is promoted with the parameters: that is not followed."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    types = _stored(ctx.type)
    if not types or not isinstance(callee, MemberExpr):
        return ctx.default_return_type
    parameters, samples = types
    if callee.name in OF_VALUES and not any(_is_alike(each, types, session) for each in arguments(ctx)):
        return ctx.default_return_type
    return samples if callee.name in SAMPLES else parameters


def infer_attribute(ctx: AttributeContext, session: Session) -> Type:  # noqa: ARG001 (as every feature)
    """A property of a distribution."""
    types = _stored(ctx.type)
    if not types or not isinstance(ctx.context, MemberExpr) or ctx.is_lvalue:
        return ctx.default_attr_type
    parameters, samples = types
    return samples if ctx.context.name in SAMPLES else parameters


def infer_divergence(ctx: FunctionContext, session: Session) -> Type:  # noqa: ARG001 (as every feature)
    """`kl_divergence(p, q)` of two distributions of the same dtype."""
    found = [_stored(argument.type) for argument in arguments(ctx)]
    is_same = len(found) == 2 and bool(found[0]) and found[0] == found[1]
    return found[0][0] if is_same else ctx.default_return_type


def _types_of(given: Sequence[Argument], session: Session, ctx: FunctionContext) -> Sequence[Type]:
    """The types of the parameters and samples; none if the parameters differ, or one is unknown. Numbers adapt."""
    dtypes: set[frozenset[type[dt.Shaped]]] = set()
    for each in given:
        if each.keyword in OPTIONS or is_python_number(each.type) or isinstance(get_proper_type(each.type), NoneType):
            continue
        values = read(each.type, session.platform)
        if values is None or len(values) != 1 or values[0].library is not Library.TORCH:
            return ()
        dtypes.add(shaped_dtypes(values))
    default = frozenset({dt.parse(session.options(ctx.api).torch_default_dtype)})
    typ = _tensor(next(iter(dtypes), default), session) if len(dtypes) <= 1 else None
    return () if typ is None else (typ, typ)


def _of_categories(given: Sequence[Argument], session: Session) -> Sequence[Type]:
    values = read(given[0].type, session.platform)
    parameters = _tensor(shaped_dtypes(values), session) if values is not None else None
    samples = _tensor(frozenset({dt.int64}), session, is_float=False)
    return (parameters, samples) if parameters is not None and samples is not None else ()


def _tensor(dtypes: frozenset[type[dt.Shaped]], session: Session, *, is_float: bool = True) -> Type | None:
    """A tensor of these dtypes. No distribution has integers as parameters."""
    array = session.symbols.instance(names.TORCH_TENSOR)
    if array is None or not dtypes or (is_float and any(dtype.kind != "f" for dtype in dtypes)):
        return None
    return with_dtypes(array, dtypes, UNKNOWN_RANK, session.symbols)


def _is_alike(value: Argument, types: Sequence[Type], session: Session) -> bool:
    """Whether a value has the dtype of the parameters, or of the samples."""
    values, known = read(value.type, session.platform), [read(each, session.platform) for each in types]
    if values is None or isinstance(get_proper_type(value.type), AnyType):
        return False
    return any(shaped_dtypes(values) == shaped_dtypes(each) for each in known if each is not None)


def _stored(distribution: Type) -> Sequence[Type]:
    proper = get_proper_type(distribution)
    noted = proper.extra_attrs.attrs.get(_STORED) if isinstance(proper, Instance) and proper.extra_attrs else None
    items = get_proper_type(noted) if noted is not None else None
    return items.items if isinstance(items, TupleType) else ()
