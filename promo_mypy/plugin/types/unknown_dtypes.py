"""Make the dtypes unknown in the results that NumPy's stubs declare for operands of unknown dtype.

For an unknown dtype mypy takes the first overload that fits: for `NDArray[Any] * 2.5` it returns float64. Shapes, and
types that are not arrays, stay as declared.
"""

from collections.abc import Sequence
from typing import Final

from mypy.type_visitor import TypeTranslator
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeVarLikeType,
    TypeVarType,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.types.numpy_scalars import DTypeSet, dtypes_of_scalar, is_scalar
from promo_mypy.plugin.types.walks import Endless, opened, with_parts
from promo_mypy.rules.records import record

#: Scalar classes that include dtypes of the rules and dtypes outside them.
_WIDEST: Final = frozenset({names.NUMPY_GENERIC, "numpy.flexible", "numpy.character"})


def has_unknown_dtype(typ: Type, platform: str) -> bool:
    """Whether this may be or hold a NumPy array or scalar of several possible dtypes.

    A dtype that the rules do not cover (datetime64, str, object) counts as known.
    """
    proper = opened(typ)
    if isinstance(proper, Instance):  # most of them
        return _is_of_unknown_dtype(proper, platform)
    match proper:
        case AnyType() | TypeVarType() | Endless():
            return True
        case TupleType() if proper.partial_fallback.type.fullname != "builtins.tuple":
            return True  # overloads see the declared class
        case UnionType() | TupleType():
            return any(has_unknown_dtype(item, platform) for item in proper.items)
        case _:
            return False


def _is_of_unknown_dtype(instance: Instance, platform: str) -> bool:
    name = instance.type.fullname
    if name in names.NUMPY_ARRAYS:
        return has_unknown_dtype(instance.args[1], platform)
    if name == names.NUMPY_DTYPE:
        scalar = instance.args[0]
        return isinstance(get_proper_type(scalar), UnionType) or has_unknown_dtype(scalar, platform)
    if name in names.SEQUENCES:
        return any(has_unknown_dtype(arg, platform) for arg in instance.args)
    if is_scalar(instance):
        return len(dtypes_of_scalar(instance, platform) or ()) != 1
    return name in _WIDEST


def with_unknown_dtypes(declared: Type) -> Type:
    """The declared type with an unknown dtype in every array, and Any in place of a scalar."""
    return _Erasure().erased(declared)


def with_bounds(typ: Type) -> Type:
    """The type with every type variable replaced by all types that it may stand for."""
    return typ.accept(_Bounds())


def returning_unknown_dtypes(signature: FunctionLike, possible: DTypeSet | None, platform: str) -> FunctionLike:
    """The signature with unknown dtypes in the result of every overload.

    `possible`: every dtype that the result may have; None: any. A declared type that covers all of them stays. An
    overload that rejects some dtypes, as `-` does for two bools, is left out: mypy would infer Never for any dtype.
    """
    items = []
    for item in [each for each in signature.items if not _is_never(each.ret_type)] or signature.items:
        erasure = _Erasure(possible or frozenset(), platform, item.variables)
        items.append(item.copy_modified(ret_type=erasure.erased(item.ret_type)))
    return of_signatures(items)


def _is_never(result: Type) -> bool:
    return isinstance(get_proper_type(result), UninhabitedType)


@record
class _Erasure:
    """Replaces dtypes in a type. `variables`: the type variables of the signature, which mypy would solve."""

    possible: DTypeSet = frozenset()
    platform: str = ""
    variables: Sequence[TypeVarLikeType] = ()

    def erased(self, typ: Type) -> Type:
        proper = opened(typ)
        match proper:
            case UnionType() | TupleType():
                return with_parts(typ, self.erased)
            case Instance() if proper.type.fullname in names.NUMPY_ARRAYS:
                return proper.copy_modified(args=[proper.args[0], self.erased(proper.args[1])])
            case Instance() if proper.type.fullname in (names.NUMPY_DTYPE, *names.SEQUENCES):
                return with_parts(typ, self.erased)
            case Instance() if is_scalar(proper) or proper.type.fullname in _WIDEST:
                holds = self.possible and self.possible <= (dtypes_of_scalar(proper, self.platform) or frozenset())
                return typ if holds else AnyType(TypeOfAny.special_form)
            case TypeVarType() if proper in self.variables:
                return AnyType(TypeOfAny.special_form)
            case _:
                return typ


class _Bounds(TypeTranslator):
    def visit_type_var(self, t: TypeVarType, /) -> Type:
        return UnionType.make_union(t.values) if t.values else t.upper_bound

    def visit_type_alias_type(self, t: TypeAliasType, /) -> Type:
        return t.copy_modified(args=[arg.accept(self) for arg in t.args])
