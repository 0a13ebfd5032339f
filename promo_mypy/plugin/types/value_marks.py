"""Mark the types of values whose dtype the plugin infers where NumPy's stubs return Any, and remove the marks.

A mark is a class of `promo_mypy.rules.value_marks`. mypy carries it through variables, tuples, generics and modules.
A marked value fits wherever no dtype is declared. (tests/plugin/inferred/provenance)
"""

from collections.abc import Iterable
from typing import Final

from mypy.maptype import map_instance_to_supertype
from mypy.nodes import TypeInfo
from mypy.plugin import ClassDefContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_CLASS
from promo_mypy.plugin.mypy_api.nodes.private_attributes import promote_to, promoted_to
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.walks import items_of, members, opened, with_items, with_parts

#: Like the Any of a stub: with an Any of a special form, mypy takes the first of several overloads that match.
_ANY: Final = AnyType(TypeOfAny.implementation_artifact)
#: A class that is accepted for an int, a float and a complex, too.
_NUMBER: Final = "builtins.bool"
_NUMPY_CLASSES: Final = {
    f"{names.INFERRED}Float64": (names.NUMPY_FLOAT64,),
    f"{names.INFERRED}Complex128": (names.NUMPY_COMPLEX128,),
}
_OF_DTYPES: Final = {dtypes: name for name, dtypes in numpy_scalars.MARKS.items()}
_PREFIX: Final = f"{names.VALUE_MARKS}."

#: The full names of all marker classes, and of those that mypy joins them to.
CLASSES: Final = (
    *(names.INFERRED + name for name in numpy_scalars.MARKS),
    names.INFERRED_FIELDS,
    *names.NUMPY_ARRAYS - {names.NUMPY_ARRAY},
    *(_PREFIX + name for name in ("_Real", "_OfAnyShape", "_Unknown")),
)


def promote(ctx: ClassDefContext) -> None:
    """Let a marker class fit where a Python number is declared, and where a scalar is that it may be.

    To the stubs a float64 is a float. A marked one is not: mypy would simplify a union of both to the float, which
    promotes differently. So it is promoted to NumPy's class, too.
    """
    scalar = ctx.cls.fullname.replace(names.ARRAY_OR, names.INFERRED)
    own = [*([scalar] if scalar != ctx.cls.fullname else []), *_NUMPY_CLASSES.get(scalar, ())]
    dtypes = numpy_scalars.MARKS.get(scalar.removeprefix(names.INFERRED), frozenset())
    others = [_NUMBER, *numpy_scalars.classes_of(dtypes)]
    promote_to(ctx.cls.info, [*map(_joined_to_any, _instances(others, ctx)), *_instances(own, ctx)])


def _instances(classes: Iterable[str], ctx: ClassDefContext) -> list[Instance]:
    symbols = map(ctx.api.lookup_fully_qualified_or_none, classes)
    infos = [symbol.node for symbol in symbols if symbol is not None]
    return [Instance(info, [_ANY for _ in info.type_vars]) for info in infos if isinstance(info, TypeInfo)]


def _joined_to_any(cls: Instance) -> TypeVarType:
    """A type that fits where a class does, and that mypy joins to Any with what it fits, as stock mypy joins Any."""
    variable = TypeVarId(-1, namespace=names.VALUE_MARKS)
    default = AnyType(TypeOfAny.from_omitted_generics)
    return TypeVarType("Joined", f"{_PREFIX}Joined", variable, [cls], NoneType(), default)


def is_marked(typ: Type | None) -> bool:
    """Whether a value, or one of several that it may be, has a mark."""
    proper = opened(typ)
    if isinstance(proper, Instance):  # most of them
        return proper.type.module_name == names.VALUE_MARKS
    return isinstance(proper, UnionType) and any(map(is_marked, proper.items))


def is_any_marked(types: Iterable[Type | None]) -> bool:
    """Whether one of some values has a mark."""
    return any(map(is_marked, types))


def marked(typ: Type, symbols: Symbols, platform: str) -> Type:
    """The type with a mark on each NumPy array and scalar in it. Other types stay as they are."""
    proper = opened(typ)
    match proper:
        case Instance() if proper.type.fullname in (names.NUMPY_ARRAY, names.ARRAY_OR_SCALAR):
            scalar = numpy_scalars.scalar_of_array(proper)
            name = _name(scalar, names.ARRAY_OR, platform) or names.ARRAY_OR_SCALAR
            array = get_proper_type(with_marked_dtypes(proper, symbols, platform))
            return symbols.instance(name, array.args if isinstance(array, Instance) else proper.args) or typ
        case Instance() if numpy_scalars.is_scalar(proper) and not is_marked(proper):
            scalar_name = _name(proper, names.INFERRED, platform) or _widest_name(proper, platform)
            return (scalar_name and symbols.instance(scalar_name)) or typ
        case Instance() if proper.type.fullname != "builtins.tuple":
            return typ
        case _:
            return with_parts(typ, lambda part: marked(part, symbols, platform))


def _name(scalar: Type | None, prefix: str, platform: str) -> str | None:
    """The marker class with that prefix for the dtypes of a scalar, or None."""
    dtypes = None if scalar is None else numpy_scalars.dtypes_of_scalar(scalar, platform)
    name = _OF_DTYPES.get(dtypes) if dtypes is not None else None
    return None if name is None else prefix + name


def _widest_name(scalar: Type, platform: str) -> str | None:
    """The marker class of the narrowest category that has all dtypes of a scalar; None if they are unknown."""
    dtypes = numpy_scalars.dtypes_of_scalar(scalar, platform)
    wider = [known for known in _OF_DTYPES if dtypes is not None and dtypes <= known]
    return names.INFERRED + _OF_DTYPES[min(wider, key=len)] if wider else None


def has_marked_dtype(typ: Type) -> bool:
    """Whether this is a NumPy array of inferred dtype, or a union or tuple with one."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):  # most of them
        return is_marked(numpy_scalars.scalar_of_array(proper))
    return any(map(has_marked_dtype, items_of(typ)))


def with_marked_dtypes(typ: Type, symbols: Symbols, platform: str) -> Type:
    """The type with a mark on the dtype of each NumPy array in it: the stubs give the class, and no dtype."""
    proper = opened(typ)
    match proper:
        case Instance() if proper.type.fullname in names.NUMPY_ARRAYS:
            dtype = get_proper_type(proper.args[1])
            if not isinstance(dtype, Instance) or not dtype.args:
                return typ
            # A class of several dtypes stays as in NumPy's stubs.
            scalars = members(dtype.args[0])
            is_exact = all(len(numpy_scalars.dtypes_of_scalar(each, platform) or ()) == 1 for each in scalars)
            scalar = marked(dtype.args[0], symbols, platform) if is_exact else dtype.args[0]
            return proper.copy_modified(args=[proper.args[0], dtype.copy_modified(args=[scalar])])
        case _:
            return with_items(typ, lambda item: with_marked_dtypes(item, symbols, platform))


def unmarked(typ: Type) -> Type:
    """NumPy's type for a marked one; any other type as it is."""
    proper = opened(typ)
    if isinstance(proper, Instance) and is_marked(proper):
        return with_parts(_numpy_class(proper) or map_instance_to_supertype(proper, _base(proper)), unmarked)
    return typ if isinstance(proper, TupleType) else with_parts(typ, unmarked)


def scalar_without_mark(typ: Type) -> Type:
    """NumPy's scalar for a marked value, which may be an array or a scalar; any other type without its marks."""
    scalar = numpy_scalars.scalar_of_array(typ) if is_marked(typ) else None
    return unmarked(typ if scalar is None else scalar)


def _numpy_class(mark: Instance) -> Instance | None:
    """NumPy's class of float64 or complex128, to which those marks are promoted."""
    if mark.type.fullname not in _NUMPY_CLASSES:
        return None
    return next((cls for cls in promoted_to(mark.type) if numpy_scalars.is_scalar(cls)), None)


def _base(mark: Instance) -> TypeInfo:
    return next(cls for cls in mark.type.mro if not cls.fullname.startswith(_PREFIX))


#: The arrays of other libraries than NumPy.
_WITHOUT_MARKS: Final = frozenset(BY_CLASS) - {names.NUMPY_ARRAY}


def never_marked(typ: Type) -> bool:
    """Whether this is an array that never has a mark: one of another library than NumPy."""
    proper = typ if type(typ) is Instance else get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in _WITHOUT_MARKS


#: The arrays of any library.
_ARRAYS: Final = names.NUMPY_ARRAYS | frozenset(BY_CLASS)


def array_and_mark(typ: Type) -> tuple[bool, bool]:
    """Whether this is an array of any library, and whether it has a mark itself. Marks inside an array do not count."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.type.fullname not in _ARRAYS:
        return False, False
    return True, proper.type.module_name == names.VALUE_MARKS


#: Arrays of any library, tuples and iterators.
_WITHOUT_MARKED_ITEMS: Final = _ARRAYS | names.ITERATORS | {"builtins.tuple"}


def without_inner_marks(typ: Type) -> Type:
    """The type with Any in place of each marked type argument, so that any value fits in the container.

    An array of inferred dtype in it counts as declared, because a list of arrays is invariant.
    """
    proper = opened(typ)
    if not isinstance(proper, Instance):
        return with_items(typ, without_inner_marks)
    if proper.type.fullname in _WITHOUT_MARKED_ITEMS or proper.type.module_name == "numpy":
        return typ  # covariant in the dtype, or never filled
    return with_parts(typ, _argument)


def _argument(argument: Type) -> Type:
    if is_marked(argument):
        return _ANY
    if has_marked_dtype(argument):
        return unmarked(argument)
    function = opened(argument)
    if isinstance(function, CallableType):
        # Another function in the container may return another dtype.
        result = (
            without_dtypes(function.ret_type) if has_marked_dtype(function.ret_type) else _argument(function.ret_type)
        )
        return argument if result is function.ret_type else function.copy_modified(ret_type=result)
    return without_inner_marks(argument)
