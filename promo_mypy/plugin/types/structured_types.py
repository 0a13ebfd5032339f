"""The types of structured dtypes: a marker class of numpy.void, with the fields as a literal text for its argument.

The types of two structures differ where their fields do, and mypy loses the fields where it joins them.
"""

from collections.abc import Sequence

from mypy.types import AnyType, Instance, LiteralType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import structured


def scalar_of(dtype: str, symbols: Symbols) -> Type | None:
    """The scalar class of the dtype of a field; None if it is unknown."""
    if dtype in dt.DTYPES:
        return numpy_scalars.scalar_of(frozenset({dt.DTYPES[dtype]}), symbols)
    text = symbols.instance("builtins.str")
    if structured.is_structure(dtype) and text is not None:
        return symbols.instance(names.INFERRED_FIELDS, [LiteralType(dtype, text)])
    return symbols.instance(f"numpy.{dtype}", [AnyType(TypeOfAny.special_form)]) if dtype else None


def text_of(scalar: Type | None) -> str | None:
    """The encoded fields of a structured dtype; None for any other type."""
    proper = get_proper_type(scalar)
    if not isinstance(proper, Instance) or proper.type.fullname != names.INFERRED_FIELDS:
        return None
    literal = get_proper_type(proper.args[0])
    return literal.value if isinstance(literal, LiteralType) and isinstance(literal.value, str) else None


def with_scalar(array: Instance, scalar: Type | None, symbols: Symbols, *, keeps_shape: bool = True) -> Type | None:
    """The same array class with that class of values."""
    dtype = symbols.instance(names.NUMPY_DTYPE, [scalar]) if scalar is not None else None
    any_shape = symbols.instance("builtins.tuple", [AnyType(TypeOfAny.special_form)])
    shape = array.args[0] if keeps_shape else any_shape
    return array.copy_modified(args=[shape, dtype]) if dtype is not None and shape is not None else None


def value_of(owner: Instance, key: Sequence[str] | str, symbols: Symbols) -> Type | None:
    """`a["x"]` or `a[["x", "y"]]` of an array or an item of it; None if a field is unknown."""
    held = numpy_scalars.scalar_of_array(owner)
    text = text_of(held or owner)
    found = structured.part_of(text, key) if text is not None else None
    if found is None:
        return None
    scalar = scalar_of(found.dtype, symbols)
    if held is not None:
        return with_scalar(owner, scalar, symbols, keeps_shape=not found.has_shape)
    array = symbols.instance(names.NUMPY_ARRAY)
    return scalar if not found.has_shape or array is None else with_scalar(array, scalar, symbols)
