"""Find out from mypy's types which values have no unknown dtype."""

import ast
from typing import Final

from mypy.types import CallableType, Instance, NoneType, TupleType, Type, UnionType

from promo_mypy.plugin.interface.arrays import opened
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.definitions.reader import Reader

_CONTAINERS: Final = frozenset((
    *(f"builtins.{name}" for name in ("list", "tuple", "dict", "set")),
    *(f"typing.{name}" for name in ("Sequence", "Iterable", "Mapping")),
))  # fmt: skip
_PLAIN: Final = frozenset((
    *(f"builtins.{name}" for name in ("int", "float", "complex", "bool", "str", "bytes", "slice", "ellipsis", "range")),
    "torch._C.device", "numpy.random.mtrand.RandomState", "numpy.random._generator.Generator",
))  # fmt: skip
#: Attributes of arrays that are not arrays: they decide no dtype.
_OF_SHAPE: Final = frozenset({"shape", "ndim", "size", "device", "itemsize", "nbytes"})
_NUMBERS: Final = frozenset({"ndim", "size", "itemsize", "nbytes"})


def is_doubtful(expression: ast.expr, reader: Reader) -> bool:
    """Whether a value may have, or hold, an unknown dtype."""
    known = reader.typed.known(expression)
    if known is None:
        return not isinstance(expression, ast.Constant | ast.JoinedStr)
    if known.arrays is not None:
        dtypes = known.arrays.dtypes
        return dtypes is None or (known.is_bounded and len(dtypes) > 1)
    return not all(_is_plain(each, reader.module.platform) for each in known.types)


def may_be_array(expression: ast.expr, reader: Reader) -> bool:
    """Whether mypy infers an array or Any for it."""
    return reader.typed.is_array(expression) or reader.typed.is_any(expression)


def array_of_shape(expression: ast.expr) -> ast.expr | None:
    """The array of which an expression is the shape, the device or the like, or an item of it."""
    inner = expression.value if isinstance(expression, ast.Subscript) else expression
    return inner.value if isinstance(inner, ast.Attribute) and inner.attr in _OF_SHAPE else None


def is_number_of_shape(expression: ast.expr) -> bool:
    """Whether such an expression is a number."""
    return not isinstance(expression, ast.Attribute) or expression.attr in _NUMBERS


def _is_plain(typ: Type, platform: str) -> bool:
    """Whether the type of a value that is no array tells all of it: a Python number, a string, None, a class."""
    match opened(typ):
        case UnionType(items=items):
            return all(_is_plain(each, platform) for each in items)
        case TupleType(items=items):
            return all(_is_told(each, platform) for each in items)
        case CallableType() as function:
            return function.is_type_obj()
        case Instance(type=info, args=[_, *_] as items) if info.fullname in _CONTAINERS:
            return all(_is_told(each, platform) for each in items)
        case Instance(type=info):
            return info.fullname in _PLAIN
        case NoneType():
            return True
    return False


def _is_told(typ: Type, platform: str) -> bool:
    """Whether a type tells all of a value that may be an array, too."""
    arrays = arrays_of(typ, platform)
    return arrays.dtypes is not None if arrays is not None else _is_plain(typ, platform)
