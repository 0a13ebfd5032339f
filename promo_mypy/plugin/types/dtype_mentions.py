"""Find out whether a type names a dtype, in itself or in an annotated field of a class that it names."""

from collections.abc import Callable, Iterable, Sequence

from mypy.nodes import FakeInfo, FuncDef, TypeInfo, Var
from mypy.types import (
    CallableType,
    Instance,
    Overloaded,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeType,
    TypeVarType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import PACKAGES
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import has_open_array
from promo_mypy.plugin.types.walks import contains_itself

# Classes of these packages have no fields with user types. (Their arrays are recognised by their type arguments.)
_OPAQUE = PACKAGES | {"builtins", "typing", "typing_extensions", "collections"}


def mentions_dtype(typ: Type, platform: str, read_fields: Callable[[TypeInfo], None]) -> bool:
    """Whether a type names a dtype or a category anywhere.

    A function whose type names no dtype keeps the type of its library's stubs: code without dtypes gets no new errors.
    `read_fields` is called for each class whose fields take part in the answer.
    """
    return _Search(platform, read_fields).in_type(typ)


class _Search:
    def __init__(self, platform: str, read_fields: Callable[[TypeInfo], None]) -> None:
        self._platform = platform
        self._read_fields = read_fields
        self._seen: set[TypeInfo | TypeAliasType] = set()

    def in_type(self, typ: Type) -> bool:
        if contains_itself(typ):
            if typ in self._seen:
                return False
            self._seen.add(typ)
        proper = get_proper_type(typ)
        match proper:
            case CallableType():
                return self._in_any((*_given(proper), proper.ret_type))
            case Overloaded():
                return self._in_any(proper.items)
            case UnionType():
                items = flatten_nested_unions(proper.items)
                is_open = has_open_array(items, self._platform)
                return self._in_any(item for item in items if not (is_open and numpy_scalars.is_scalar_type(item)))
            case TupleType():
                return self._in_any((*proper.items, proper.partial_fallback))
            case TypedDictType():
                return self._in_any(proper.items.values())
            case TypeType():
                return self.in_type(proper.item)
            case TypeVarType():
                return self._in_any((*proper.values, proper.upper_bound))
            case Instance():
                return self._in_instance(proper)
            case _:
                return False

    def _in_any(self, types: Iterable[Type]) -> bool:
        return any(self.in_type(typ) for typ in types)

    def _in_instance(self, instance: Instance) -> bool:
        if instance.type.fullname == names.PROMOTE:
            return True
        if instance.type.module_name == names.DTYPES or numpy_scalars.is_scalar(instance):
            return True
        return self._in_any(instance.args) or any(self._in_fields(info) for info in instance.type.mro)

    def _in_fields(self, info: TypeInfo) -> bool:
        if info in self._seen or info.module_name.partition(".")[0] in _OPAQUE:
            return False
        self._seen.add(info)
        self._read_fields(info)
        # An unannotated field has the dtype that the plugin inferred, once mypy has checked the class.
        fields = (symbol.node for symbol in info.names.values())
        return self._in_any(
            node.type for node in fields if isinstance(node, Var) and node.type is not None and not is_unannotated(node)
        )


def _given(function: CallableType) -> Sequence[Type]:
    """The parameters for which a caller passes an argument: without the `self` of a bound method."""
    method = function.definition
    if not isinstance(method, FuncDef) or isinstance(method.info, FakeInfo) or not method.has_self_or_cls_argument:
        return function.arg_types
    is_unbound = function.arg_names[:1] == method.arg_names[:1]
    return function.arg_types[1:] if is_unbound else function.arg_types
