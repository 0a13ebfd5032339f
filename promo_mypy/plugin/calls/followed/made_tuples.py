"""Infer the fields of a user's NamedTuple where the call that makes it knows their dtypes.

`x: jax.Array` declares no dtype. A tuple keeps the items that its class, or `_replace`, was called with, so the result
of the call has their types. Any other method that returns its own class may have made a tuple of other arrays.
"""

from collections.abc import Sequence

from mypy.nodes import Decorator, FuncBase
from mypy.plugin import MethodContext
from mypy.types import CallableType, TupleType, Type, get_proper_type

from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.calls.followed.open_types import is_unknown
from promo_mypy.plugin.calls.named_tuples import METADATA, is_named_tuple, of_any_call
from promo_mypy.plugin.mypy_api.arguments import CallContext, for_parameter
from promo_mypy.plugin.state.session import Session


class MadeTuples:
    """The calls that make tuples of users' classes, and their methods."""

    def __init__(self, bodies: CalledBodies, session: Session) -> None:
        self._bodies = bodies
        self._symbols, self._platform = session.symbols, session.platform

    def concern(self, fullname: str) -> bool:
        """Whether this is a NamedTuple, or a method that returns the class of its tuple."""
        owner, _, name = fullname.rpartition(".")
        info = self._symbols.info(owner)
        if info is None:
            return is_named_tuple(fullname, self._symbols)
        symbol = info.names.get(name) if METADATA in info.metadata else None
        node = symbol.node if symbol is not None else None
        typ = get_proper_type(node.type) if isinstance(node, FuncBase | Decorator) else None
        return isinstance(typ, CallableType) and bool(typ.variables)

    def infer(self, ctx: CallContext, session: Session) -> Type:
        """The tuple with the types of its items."""
        session.watch.follow(ctx.api)
        made = get_proper_type(ctx.type if isinstance(ctx, MethodContext) else ctx.default_return_type)
        if not isinstance(made, TupleType):
            return ctx.default_return_type
        result = get_proper_type(of_any_call(ctx.default_return_type, made))
        fields: Sequence[str] = made.partial_fallback.type.metadata.get(METADATA, {}).get("fields", ())
        is_kept = ctx.default_return_type == made and list(ctx.callee_arg_names) == list(fields)
        return self._with_arguments(ctx, result, made) if is_kept and isinstance(result, TupleType) else result

    def _with_arguments(self, ctx: CallContext, declared: TupleType, kept: TupleType) -> Type:
        """The tuple with an item for each argument, and otherwise with the one that it keeps."""
        items = list(kept.items)
        for place, (field, item) in enumerate(zip(ctx.callee_arg_names, declared.items, strict=True)):
            given = for_parameter(ctx, field) if field is not None else None
            if given is not None and given.is_star:
                return declared
            if given is not None:
                found = self._bodies.refined(item, given.type) if is_unknown(item, self._platform) else None
                items[place] = found or item
        return declared.copy_modified(items=items)
