"""Find out from mypy's types which values have no unknown dtype."""

import ast
from typing import Final

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin.interface.arrays import Endless, opened, parts_of
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.decided.sample_calls import is_of_shape

_CONTAINERS: Final = frozenset(
    (
        "builtins.list",
        "builtins.tuple",
        "builtins.dict",
        "builtins.set",
        "typing.Sequence",
        "typing.Iterable",
        "typing.Mapping",
    )
)
_DTYPES: Final = frozenset({"numpy.dtype", "torch._C.dtype"})
_PLAIN: Final = frozenset((
    *(f"builtins.{name}" for name in ("int", "float", "complex", "bool", "str", "bytes", "slice", "ellipsis")),
    "torch._C.device", "numpy.random.mtrand.RandomState", "numpy.random._generator.Generator",
)) | _DTYPES  # fmt: skip


class KnownValues:
    """The values of one module with mypy's types."""

    def __init__(self, module: Module, typed: TypedExpressions) -> None:
        self._typed = typed
        self._platform = module.platform

    def may_lack_dtype(self, name: ast.Name) -> bool:
        """Whether a parameter is an array of unknown dtype, a container of such arrays, a function, or Any."""
        known = self._typed.known(name)
        if known is None:
            return False
        is_array = known.arrays is not None and known.arrays.dtypes is None
        return self._typed.is_any(name) or is_array or any(map(self._lacks_dtype, known.types))

    def _lacks_dtype(self, typ: Type) -> bool:
        """Whether this is an array of unknown dtype, a function, Any, or a container of one of these."""
        proper = get_proper_type(typ)
        arrays = arrays_of(proper, self._platform)
        if arrays is not None:
            return arrays.dtypes is None
        match opened(typ):
            case UnionType(items=inner) | TupleType(items=inner):
                return any(map(self._lacks_dtype, inner))
            case Instance(type=info, args=[*_, last]) if info.fullname in _CONTAINERS:
                return self._lacks_dtype(last)
        return isinstance(proper, CallableType | Overloaded | AnyType)

    def is_known(self, expression: ast.expr) -> bool:
        """Whether a value has no unknown dtype, by its type."""
        if is_of_shape(expression):
            return True
        known = self._typed.known(expression)
        if known is None:
            return isinstance(expression, ast.Constant | ast.JoinedStr)
        if known.arrays is not None:
            dtypes = known.arrays.dtypes
            return dtypes is not None and not (known.is_bounded and len(dtypes) > 1)
        return all(map(self._has_known_dtypes, known.types))

    def is_bounded(self, expression: ast.expr) -> bool:
        """Whether only a bound of the dtypes of a value is known: see `Known`."""
        known = self._typed.known(expression)
        return known is not None and known.is_bounded

    def _has_known_dtypes(self, typ: Type) -> bool:
        """Whether a type has no unknown dtype: not Any, not a function, and not a container of one of these."""
        proper = get_proper_type(typ)
        arrays = arrays_of(proper, self._platform)
        if arrays is not None:
            return arrays.dtypes is not None
        if isinstance(proper, CallableType):
            return proper.is_type_obj()
        return not isinstance(proper, AnyType | Overloaded) and all(map(self._has_known_dtypes, parts_of(typ)))

    def may_name_dtype(self, expression: ast.expr) -> bool:
        """Whether a value may be an object that stands for a dtype, or a container of such."""
        known = self._typed.known(expression)
        return known is not None and any(map(_may_name_dtype, known.types))

    def is_plain(self, expression: ast.expr) -> bool:
        """Whether a value is an array of known dtype, a Python number, a string or None: its type tells all of it."""
        known = self._typed.known(expression)
        if known is None or known.is_bounded or (known.arrays is not None and known.arrays.dtypes is None):
            return False
        return known.arrays is not None or all(map(_is_plain, known.types))


def _may_name_dtype(typ: Type) -> bool:
    proper = opened(typ)
    if isinstance(proper, Instance):
        name = proper.type.fullname
        return name in _DTYPES or (name in _CONTAINERS and any(map(_may_name_dtype, proper.args)))
    if isinstance(proper, UnionType):
        return any(map(_may_name_dtype, proper.items))
    return isinstance(proper, AnyType | Endless)


def _is_plain(typ: Type) -> bool:
    proper = opened(typ)
    if isinstance(proper, TupleType):
        return all(map(_is_plain, proper.items))
    if isinstance(proper, CallableType):
        return proper.is_type_obj()
    return isinstance(proper, NoneType) or (isinstance(proper, Instance) and proper.type.fullname in _PLAIN)
