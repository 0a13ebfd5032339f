"""Infer the fields of users' dataclasses and NamedTuples that declare no dtype, where the call of the class knows them.

The type of a dataclass's object remembers the types of the arguments (`remembered_fields`). They count if nothing in
the file binds the field again. A tuple keeps the items that its class, or `_replace`, was called with, so the result of
the call has their types. Any other method that returns its own class may have made a tuple of other arrays.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Decorator, FuncBase, MemberExpr, TypeInfo, Var
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.calls.followed.open_types import is_unknown
from promo_mypy.plugin.calls.followed.remembered_fields import is_made, remembered, with_field
from promo_mypy.plugin.calls.named_tuples import METADATA, is_named_tuple, of_any_call
from promo_mypy.plugin.mypy_api.arguments import CallContext, arguments, for_parameter
from promo_mypy.plugin.mypy_api.checker.type_checker import tree
from promo_mypy.plugin.mypy_api.symbols import Symbols, attribute_of, is_foreign
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.file_texts import may_have

#: With these, a file may bind an attribute that it does not name.
DYNAMIC: Final = ("setattr(", "__dict__", "vars(")


class MadeObjects:
    """The calls of dataclasses."""

    def __init__(self, bodies: CalledBodies) -> None:
        self._bodies = bodies

    def concern(self, fullname: str, symbols: Symbols) -> bool:
        """Whether this is a dataclass whose objects have the arguments of its call as fields."""
        info = symbols.info(fullname)
        if info is None or "dataclass" not in info.metadata or info.get("__post_init__") is not None:
            return False
        made = info.get("__init__")
        return made is not None and made.plugin_generated

    def infer(self, ctx: FunctionContext, session: Session) -> Type:
        """The object, whose type remembers the types of the arguments."""
        session.watch.follow(ctx.api)
        made = get_proper_type(ctx.default_return_type)
        if not isinstance(made, Instance) or any(each.is_star for each in arguments(ctx)):
            return ctx.default_return_type
        for name in filter(None, ctx.callee_arg_names):
            given, field = for_parameter(ctx, name), made.type.get(name)
            declared = field.node.type if field is not None and isinstance(field.node, Var) else None
            if given is None or declared is None or not is_unknown(declared, session.platform):
                continue
            found = self._bodies.refined(declared, given.type)
            made = with_field(made, name, found) if found is not None else made
        return made


def remembered_field(ctx: AttributeContext) -> Type | None:
    """The type that the call has passed for a field; None if it is unknown, or may be another one by now."""
    target, owner = ctx.context, ctx.type
    if not isinstance(target, MemberExpr) or not isinstance(owner, Instance):
        return None
    found, file = remembered(owner, target.name), tree(ctx.api)
    field = attribute_of(owner, target.name)
    if found is None or field is None or ctx.is_lvalue or is_foreign(field, file.fullname) or _converts(field.info):
        return None
    known = definitions(file)
    is_frozen = owner.type.metadata["dataclass"]["frozen"]
    is_kept = is_frozen or not (known.of_attributes(target.name) or may_have(file, DYNAMIC))
    return found if is_kept and is_made(target.expr, file) else None


def _converts(info: TypeInfo) -> bool:
    """Whether fields are other objects than the arguments: `x: jax.Array = eqx.field(converter=jnp.asarray)`."""
    return any(
        isinstance(each, AssignmentStmt) and isinstance(each.rvalue, CallExpr) and "converter" in each.rvalue.arg_names
        for each in info.defn.defs.body
    )


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
