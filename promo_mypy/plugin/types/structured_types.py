"""The types of structured dtypes: a marker class of numpy.void, whose argument has a tuple for each field.

The tuple has the name and the scalar class of the field, and Any behind them if each item of the field is an array.
mypy joins two of them field by field, and loses what differs.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from mypy.types import AnyType, Instance, LiteralType, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.rules.records import record

_ANY: Final = AnyType(TypeOfAny.special_form)


@record
class Field:
    """A field: its name, the class of its values (Any if unknown), and whether each item is an array."""

    name: str
    scalar: Type
    has_shape: bool = False


def structure(fields: Iterable[Field], symbols: Symbols) -> Instance | None:
    """The scalar class of a structured dtype; None if NumPy is not part of the build."""
    text, base = symbols.instance("builtins.str"), symbols.instance("builtins.tuple", [_ANY])
    if text is None or base is None:
        return None
    items: list[Type] = [
        TupleType([LiteralType(each.name, text), each.scalar, *([_ANY] if each.has_shape else [])], base)
        for each in fields
    ]
    return symbols.instance(names.INFERRED_FIELDS, [TupleType(items, base)])


def fields_of(scalar: Type | None) -> Sequence[Field]:
    """The fields of a structured dtype, without those whose names mypy has lost; none for any other type."""
    proper = get_proper_type(scalar)
    if not isinstance(proper, Instance) or proper.type.fullname != names.INFERRED_FIELDS:
        return ()
    rows = get_proper_type(proper.args[0])
    found = map(_field, rows.items if isinstance(rows, TupleType) else ())
    return [each for each in found if each is not None]


def has_fields(array: Instance) -> bool:
    """Whether this is an array with known fields."""
    return bool(fields_of(numpy_scalars.scalar_of_array(array)))


def _field(row: Type) -> Field | None:
    proper = get_proper_type(row)
    if not isinstance(proper, TupleType) or len(proper.items) < 2:
        return None
    name = get_proper_type(proper.items[0])
    text = name.value if isinstance(name, LiteralType) else None
    return Field(text, proper.items[1], len(proper.items) > 2) if isinstance(text, str) else None


def with_scalar(array: Instance, scalar: Type, symbols: Symbols, *, keeps_shape: bool = True) -> Type | None:
    """The same array class with that class of values."""
    dtype, any_shape = symbols.instance(names.NUMPY_DTYPE, [scalar]), symbols.instance("builtins.tuple", [_ANY])
    if dtype is None or any_shape is None:
        return None
    return array.copy_modified(args=[array.args[0] if keeps_shape else any_shape, dtype])


def value_of(owner: Instance, key: Sequence[str] | str, symbols: Symbols) -> Type | None:
    """`a["x"]` or `a[["x", "y"]]` of an array or an item of it; None if a field is unknown."""
    held = numpy_scalars.scalar_of_array(owner)
    is_array, fields = held is not None, {each.name: each for each in fields_of(held or owner)}
    if not isinstance(key, str):
        chosen = [fields[name] for name in key if name in fields]
        part = structure(chosen, symbols) if len(chosen) == len(key) else None
        return with_scalar(owner, part, symbols) if part is not None and is_array else part
    found = fields.get(key)
    if found is None or isinstance(get_proper_type(found.scalar), AnyType):
        return None
    if is_array:
        return with_scalar(owner, found.scalar, symbols, keeps_shape=not found.has_shape)
    array = symbols.instance(names.NUMPY_ARRAY)
    return found.scalar if not found.has_shape else array and with_scalar(array, found.scalar, symbols)
