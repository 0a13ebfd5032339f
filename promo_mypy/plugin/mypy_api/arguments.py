"""Read the arguments of a call from a hook's context, whichever overload mypy is trying.

The same call can match several overloads of `Tensor.to` or `Tensor.view` (an argument of type Any matches all), and
mypy falls back to Any if the hook returns different types for them. The results of these functions depend only on the
call.
"""

from collections.abc import Iterator

from mypy.nodes import ARG_POS, ArgKind, CallExpr, Expression, RefExpr, TypeAlias, TypeInfo
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import CallableType, Type

from promo_mypy.rules.records import record

CallContext = FunctionContext | MethodContext


@record
class Argument:
    """One argument as written: its keyword (None if positional), expression and type.

    `is_spread`: it is an item of `*args`, of which there may be any number; `spread` is that `args`.
    """

    keyword: str | None
    kind: ArgKind
    expression: Expression
    type: Type
    is_spread: bool = False
    spread: Expression | None = None

    @property
    def is_star(self) -> bool:
        """Whether this is `*args` or `**kwargs`, which stands for an unknown number of arguments."""
        return self.kind.is_star()


def arguments(ctx: CallContext) -> Iterator[Argument]:
    """All arguments in the order of their parameters."""
    # Most parameters get no argument.
    given = (row for row in zip(ctx.arg_names, ctx.arg_kinds, ctx.args, ctx.arg_types, strict=True) if row[2])
    for names, kinds, expressions, types in given:
        for name, kind, expression, typ in zip(names, kinds, expressions, types, strict=True):
            yield Argument(name if kind.is_named() else None, kind, expression, typ)


def positional(ctx: CallContext) -> list[Argument] | None:
    """The positional arguments; None if their number is unknown."""
    given = list(arguments(ctx))
    return None if any(argument.is_star for argument in given) else [a for a in given if a.keyword is None]


def for_parameter(ctx: CallContext, parameter: str) -> Argument | None:
    """The argument for that parameter, by position or by name; None if there is no such argument."""
    for name, row in zip(ctx.callee_arg_names, _rows(ctx), strict=True):
        if name == parameter and row:
            return row[0]
    return None


def names_numpy_dtype(call: CallExpr) -> bool:
    """Whether a call names the dtype by one of NumPy's classes: `dtype=np.uint8`, or `x.astype(np.uint8)`."""
    given = zip(call.arg_names, call.args, strict=True)
    nodes = (value.node for name, value in given if name in ("dtype", None) and isinstance(value, RefExpr))
    return any(isinstance(node, TypeInfo | TypeAlias) and node.fullname.startswith("numpy.") for node in nodes)


def _rows(ctx: CallContext) -> Iterator[list[Argument]]:
    rows = zip(ctx.arg_names, ctx.arg_kinds, ctx.args, ctx.arg_types, strict=True)
    for names, kinds, expressions, types in rows:
        cells = zip(names, kinds, expressions, types, strict=True)
        yield [Argument(name if kind.is_named() else None, kind, e, typ) for name, kind, e, typ in cells]


def by_position(expression: Expression, typ: Type) -> Argument:
    """A positional argument."""
    return Argument(None, ARG_POS, expression, typ)


def formals(function: CallableType, call: CallExpr, place: int) -> Iterator[Type]:
    """The type of the parameter for an argument, or those of all parameters it may be for."""
    name = call.arg_names[place]
    is_after_star = any(kind.is_star() for kind in call.arg_kinds[: place + 1])
    if name is not None:
        found = function.argument_by_name(name)
    else:
        found = None if is_after_star else function.argument_by_position(place)
    yield from [found.typ] if found is not None else function.arg_types
