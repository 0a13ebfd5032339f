"""Translate mypy types to array values (library, possible dtypes, rank), and back."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Final

from mypy.maptype import map_instance_to_supertype
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    Type,
    TypeOfAny,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_CLASS, BY_GENERIC_CLASS, ArrayLibrary, Library
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types import join_markers, numpy_scalars
from promo_mypy.plugin.types.array_ranks import rank_argument, rank_of, rank_of_shape
from promo_mypy.plugin.types.walks import opened, with_parts
from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts
from promo_mypy.rules.records import record


@record
class Value:
    """An array or scalar, as far as its type describes it.

    Attributes:
        library: the library that it belongs to.
        dtypes: every dtype that it may have.
        form: whether it is an array, a NumPy scalar or a Python number.
        source: the type that was read.
        rank: what is known about the rank of an array.
        literal: the value of a Python int.
        magnitude: of a Python float or complex number, where it decides dtypes: the larger of its parts, without sign.
        may_be_array: its type is a NumPy scalar, but it may come from an array with dimensions.
        may_be_scalar: its type is a NumPy array, but it may come from arrays without dimensions.
    """

    library: Library
    dtypes: frozenset[dt.OperandType]
    form: Form
    source: Instance
    rank: RankFacts = UNKNOWN_RANK
    literal: int | None = None
    magnitude: float | None = None
    may_be_array: bool = False
    may_be_scalar: bool = False

    @property
    def is_array(self) -> bool:
        """Whether this is an array of its library, not a scalar."""
        return self.form is Form.ARRAY


#: All that the rules read of a value: every field but its source.
FACTS: Final = attrgetter(*(found.name for found in fields(Value) if found.name != "source"))

_PYTHON_SCALARS: Final[dict[str, type[dt.PythonScalar]]] = {
    "builtins.bool": dt.py_bool,
    "builtins.int": dt.py_int,
    "builtins.float": dt.py_float,
    "builtins.complex": dt.py_complex,
}


#: Frequent classes that no array class is a subclass of.
_NO_ARRAYS: Final = frozenset(
    f"builtins.{name}" for name in ("int", "bool", "float", "str", "tuple", "list", "dict", "set", "function")
)

#: Array class -> the row of its library.
_ROWS: Final = {**BY_CLASS, **dict.fromkeys(names.NUMPY_ARRAYS, BY_CLASS[names.NUMPY_ARRAY])}


def is_number(typ: Type) -> bool:
    """Whether this is a Python number, or a numeric or boolean NumPy scalar."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and (proper.type.fullname in _PYTHON_SCALARS or numpy_scalars.is_scalar(proper))


def is_python_number(typ: Type) -> bool:
    """Whether this is a number of Python."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in _PYTHON_SCALARS


def library_of(typ: Type) -> Library | None:
    """The library whose array (not scalar) this type is, for any dtype."""
    proper = get_proper_type(typ)
    row = array_row(proper) if isinstance(proper, Instance) else None
    return row.library if row is not None else None


def has_open_array(members: Iterable[Type], platform: str) -> bool:
    """Whether a member of a union is an array of unknown dtype. Then a scalar beside it is one dtype of any.

    `ArrayLike` of jax.typing has `numpy.bool` beside arrays of any dtype: it means values of any dtype.
    """
    return any(library_of(each) is not None and read(each, platform) is None for each in members)


def is_array_or_scalar(typ: Type) -> bool:
    """Whether this is an array of any library, or a scalar of NumPy."""
    return library_of(typ) is not None or numpy_scalars.is_scalar_type(typ)


def array_row(instance: Instance) -> ArrayLibrary | None:
    """The row of the library whose array this is; None for a subclass of ndarray."""
    name = instance.type.fullname
    if name in _NO_ARRAYS:
        return None
    row = _ROWS.get(name)
    if row is not None:
        return row
    for base in instance.type.mro[1:]:
        row = BY_CLASS.get(base.fullname)
        if row is not None:
            return row if row.library is not Library.NUMPY else None
    return None


def written_out(typ: Type) -> Type:
    """An array type with its aliases expanded: to mypy `ndarray[_AnyShape, T]` differs from its expansion."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or array_row(proper) is None:
        return typ
    return proper.copy_modified(args=[_expanded(argument) for argument in proper.args])


def _expanded(typ: Type) -> Type:
    proper = get_proper_type(typ)
    return with_parts(proper, _expanded) if isinstance(opened(typ), Instance) else proper


def read(typ: Type, platform: str) -> tuple[Value, ...] | None:
    """The values that a type stands for, one for each member of a union; None if any of them is unknown."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        values: list[Value] = []
        for item in flatten_nested_unions(proper.items):
            read_item = read(item, platform)
            if read_item is None:
                return None
            values.extend(read_item)
        return tuple(values)
    if isinstance(proper, LiteralType):
        proper = proper.fallback.copy_modified(last_known_value=proper)
    if not isinstance(proper, Instance):
        return None
    value = _read_instance(proper, platform)
    return None if value is None else (value,)


def may_lack_dtype(typ: Type, platform: str) -> bool:
    """Whether a value of the type may be an array of unknown dtype."""
    return isinstance(get_proper_type(typ), AnyType) or (library_of(typ) is not None and read(typ, platform) is None)


def _read_instance(instance: Instance, platform: str) -> Value | None:
    name = instance.type.fullname
    scalar = _PYTHON_SCALARS.get(name)
    if scalar is not None:
        known = instance.last_known_value and instance.last_known_value.value
        literal = known if type(known) is int else None
        magnitude = abs(known) if type(known) is float else None
        return Value(Library.PYTHON, frozenset({scalar}), Form.PYTHON, instance, literal=literal, magnitude=magnitude)
    if name in names.NUMPY_ARRAYS:
        dtype = get_proper_type(instance.args[1])
        if not isinstance(dtype, Instance) or dtype.type.fullname != names.NUMPY_DTYPE:
            return None
        numpy_dtypes = numpy_scalars.dtypes_of_scalar(dtype.args[0], platform)
        rank = rank_of_shape(instance)
        return Value(Library.NUMPY, numpy_dtypes, Form.ARRAY, instance, rank) if numpy_dtypes else None
    if numpy_scalars.is_scalar(instance):
        numpy_dtypes = numpy_scalars.dtypes_of_scalar(instance, platform)
        if not numpy_dtypes:
            return None
        is_open = numpy_scalars.may_be_array(instance)
        return Value(Library.NUMPY, numpy_dtypes, Form.SCALAR, instance, may_be_array=is_open)
    row = array_row(instance)
    if row is None:
        return None
    array = as_array(instance, row.array)
    dtypes = dtypes_of_argument(array.args[0])
    return Value(row.library, dtypes, Form.ARRAY, array, rank_of(array)) if dtypes else None


def as_array(instance: Instance, base: str) -> Instance:
    """The instance seen as the library's own array class (a subclass of a tensor is a tensor)."""
    if instance.type.fullname == base:
        return instance
    info = next(info for info in instance.type.mro if info.fullname == base)
    return map_instance_to_supertype(instance, info)


def dtypes_of_argument(argument: Type) -> frozenset[type[dt.Shaped]] | None:
    """The dtypes that a dtype argument stands for; None if unknown."""
    proper = get_proper_type(argument)
    if isinstance(proper, UnionType):
        items = [item for item in proper.items if not _is_rare_marker(item)]
        parts = [dtypes_of_argument(item) for item in items]
        known = [part for part in parts if part is not None]
        # mypy has simplified dtypes that are not ordinary into a category.
        is_short = len(items) < len(proper.items) and any(len(part) > 1 for part in known)
        return frozenset().union(*known) if len(known) == len(parts) and not is_short else None
    if not isinstance(proper, Instance):
        return None
    return _dtypes_of_class(proper.type.fullname)


def _is_rare_marker(item: Type) -> bool:
    proper = get_proper_type(item)
    return isinstance(proper, Instance) and proper.type.fullname == join_markers.RARE_NAME


@cache
def _dtypes_of_class(fullname: str) -> frozenset[type[dt.Shaped]] | None:
    if fullname in join_markers.DTYPES:
        return frozenset({join_markers.DTYPES[fullname]})
    module, _, name = fullname.rpartition(".")
    cls = getattr(dt, name, None) if module == names.DTYPES else None
    if not (isinstance(cls, type) and issubclass(cls, dt.Shaped)):
        return None
    return categories.members(cls) or None


def argument_of(dtypes: frozenset[type[dt.Shaped]], symbols: Symbols) -> Type:
    """The dtype argument for exactly these dtypes: a class, a union, or the category that has them."""
    classes = [symbols.instance(name) for name in _spelling(dtypes)]
    found = [cls for cls in classes if cls is not None]
    return UnionType.make_union(found) if len(found) == len(classes) else AnyType(TypeOfAny.special_form)


@cache
def _spelling(dtypes: frozenset[type[dt.Shaped]]) -> tuple[str, ...]:
    category = categories.smallest_category(dtypes)
    ordered = sorted(dtypes, key=lambda dtype: (dtype.kind, dtype.bits, dtype.name))
    classes = [category] if not category.exact and dtypes == categories.members(category) else ordered
    return (
        # mypy would simplify a weak dtype and its strong one to the strong one.
        *(f"{names.DTYPES}.{cls.__name__}" for cls in classes if not (cls.weak and cls.strong in dtypes)),
        *join_markers.beside(classes),
    )


def takes_dtype(class_name: str) -> bool:
    """Whether the class has a dtype parameter from the plugin."""
    return class_name in BY_GENERIC_CLASS or class_name in names.TENSOR_SUBCLASSES


def as_made(written: Type, symbols: Symbols) -> Type:
    """The type that the plugin infers for such arrays: the type in the source, with the classes of `join_markers`."""
    typ = get_proper_type(written)
    if not isinstance(typ, Instance) or not takes_dtype(typ.type.fullname) or not typ.args:
        return written
    dtypes = dtypes_of_argument(typ.args[0])
    if dtypes is None or not any(join_markers.beside(dtypes)):
        return written
    return typ.copy_modified(args=[argument_of(dtypes, symbols), *typ.args[1:]])


def shaped_dtypes(values: Iterable[Value]) -> frozenset[type[dt.Shaped]]:
    """The dtypes of some values, without those of Python's numbers."""
    return frozenset(dtype for value in values for dtype in value.dtypes if issubclass(dtype, dt.Shaped))


def with_dtypes(array: Instance, dtypes: frozenset[type[dt.Shaped]], rank: RankFacts, symbols: Symbols) -> Type:
    """The same array class with these dtypes and that rank."""
    library = library_of(array)
    if library is Library.NUMPY:
        return numpy_array(array, dtypes, symbols, keep_shape=True) or array
    args: list[Type] = [argument_of(dtypes, symbols)]
    if len(array.args) > 1:
        args.append(rank_argument(rank, symbols))
    return array.copy_modified(args=args)


def numpy_array(
    array: Instance, dtypes: frozenset[type[dt.Shaped]], symbols: Symbols, *, keep_shape: bool
) -> Type | None:
    """An ndarray of these dtypes, with the shape of `array` or of any shape."""
    scalar = numpy_scalars.scalar_of(dtypes, symbols)
    dtype_info = symbols.info(names.NUMPY_DTYPE)
    if scalar is None or dtype_info is None:
        return None
    old = get_proper_type(array.args[1])
    same = isinstance(old, Instance) and old.args and numpy_scalars.dtypes_of_scalar(old.args[0], "linux") == dtypes
    dtype = old if same else Instance(dtype_info, [scalar])
    any_type = AnyType(TypeOfAny.special_form)
    any_shape = symbols.instance("builtins.tuple", [any_type])
    shape = array.args[0] if keep_shape or any_shape is None else any_shape
    return numpy_scalars.without_dtype_in_class(array.copy_modified(args=[shape, dtype]), dtypes)
