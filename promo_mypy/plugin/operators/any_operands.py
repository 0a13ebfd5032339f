"""Infer Any for an operator of a class without arrays if its other operand is Any to stock mypy: `obj * x.sum()`.

Stock mypy does not ask the class, as the other operand may have a reflected operator. A marked operand is an array or
scalar to mypy, which the class may accept as a number.
"""

from typing import Final

from mypy.plugin import MethodContext
from mypy.types import AnyType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.operators.operator_members import OPERATIONS
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.container_types import holds_array
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.rules.operators import OPERATORS

#: The methods that mypy looks up for an operator which the other operand may reflect.
_METHODS: Final = frozenset(row.method for row in OPERATORS.values() if row.kind in ("binary", "comparison"))


def concerns(fullname: str, symbols: Symbols) -> bool:
    """Whether a method is such an operator. Those of built-in classes are left out: programs are full of them."""
    cls, _, method = fullname.rpartition(".")
    info = symbols.info(cls) if method in _METHODS else None
    definer = info.get_containing_type_info(method) if info is not None else None
    return definer is not None and definer.module_name != "builtins"


def infer(ctx: MethodContext, declared: Type, session: Session) -> Type:
    """The result of the operator as stock mypy infers it. Arrays and scalars keep their dtype, with a mark."""
    if not isinstance(ctx.context, OPERATIONS) or not any(map(_is_any, ctx.arg_types[0])):
        return declared
    if holds_array(declared) or is_scalar_type(declared):
        return session.marked(declared, value_marks.marked)
    return AnyType(TypeOfAny.implementation_artifact)


def _is_any(operand: Type) -> bool:
    """Whether the whole operand is Any to stock mypy. A class may accept a union with Any as a whole."""
    return value_marks.is_marked(operand) and not isinstance(get_proper_type(operand), UnionType)
