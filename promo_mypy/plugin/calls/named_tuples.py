"""Infer results that are named tuples: the class if the library does not declare it, and the types of the fields."""

from collections.abc import Sequence
from typing import Final

from mypy.expandtype import expand_type_by_instance
from mypy.plugin import AttributeContext
from mypy.typeops import make_simplified_union
from mypy.types import TupleType, Type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.walks import members, opened, with_parts
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.records import record

#: What mypy calls its facts about a NamedTuple.
METADATA: Final = "namedtuple"


@record
class Field:
    """A field of a library's named tuple: the class, and the index of the item."""

    cls: str
    place: int


def undeclared_tuple(row: Row, symbols: Symbols) -> TupleType | None:
    """The named tuple that a function returns if its library does not declare it; None otherwise."""
    cls = names.UNDECLARED_TUPLES.get(row.full_name)
    instance = symbols.instance(cls) if cls is not None else None
    if instance is None or instance.type.tuple_type is None:
        return None
    return instance.type.tuple_type.copy_modified(fallback=instance)


def field(fullname: str, symbols: Symbols) -> Field | None:
    """The field for the name of an attribute; None for an attribute that is not a field."""
    cls, _, name = fullname.rpartition(".")
    fields = names.RESULT_FIELDS.get(cls) or _declared(cls, symbols)
    return Field(cls, fields.index(name)) if name in fields else None


def _declared(cls: str, symbols: Symbols) -> Sequence[str]:
    info = symbols.info(cls)
    fields: Sequence[str] = info.metadata.get(METADATA, {}).get("fields", ()) if info is not None else ()
    return fields


def infer_field(ctx: AttributeContext, session: Session, *, of: Field) -> Type:
    """The type of the item. For a union mypy asks once for each member, without naming it: the class selects them."""
    session.watch.follow(ctx.api)
    tuples = [each for each in members(ctx.type) if isinstance(each, TupleType)]
    tuples = [each for each in tuples if each.partial_fallback.type.has_base(of.cls)]
    if ctx.is_lvalue or not tuples or any(len(each.items) <= of.place for each in tuples):
        return ctx.default_attr_type
    return make_simplified_union([each.items[of.place] for each in tuples])


def is_named_tuple(fullname: str, symbols: Symbols) -> bool:
    """Whether this is the name of a class that is a NamedTuple."""
    info = symbols.info(fullname)
    return info is not None and METADATA in info.metadata


def infer_property(ctx: AttributeContext, session: Session) -> Type:
    """An attribute that is no field: a property may return its own class."""
    session.watch.follow(ctx.api)
    made = ctx.type
    return of_any_call(ctx.default_attr_type, made) if isinstance(made, TupleType) else ctx.default_attr_type


def of_any_call(typ: Type, made: TupleType) -> Type:
    """A type in which tuples like the one that was made have no dtypes but those that their class declares."""
    declared = made.partial_fallback.type.tuple_type
    if opened(typ) == made and declared is not None:
        own = declared.copy_modified(fallback=made.partial_fallback)
        return expand_type_by_instance(own, made.partial_fallback)
    return with_parts(typ, lambda part: of_any_call(part, made))
