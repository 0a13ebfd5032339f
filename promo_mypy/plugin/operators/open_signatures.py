"""Make the signature of an operator of NumPy take any operand, where the stubs would not because of a dtype.

Stock mypy knows no dtype of the array, or one that the plugin has dropped.
"""

from collections.abc import Sequence
from typing import Final

from mypy.types import AnyType, CallableType, FunctionLike, Overloaded, Type, TypeOfAny

from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array
from promo_mypy.plugin.types.walks import members

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)


def accepts_all(array: Type, operands: Sequence[Type]) -> bool:
    """Whether stock mypy accepts these operands for an array whose dtype the plugin has dropped: arrays and numbers.

    To mypy such an Any may fit only the first overload, which is the one that its errors are about.
    """
    scalar = scalar_of_array(array)
    if not isinstance(scalar, AnyType) or (scalar.source_any or scalar).type_of_any != TypeOfAny.special_form:
        return False
    every = (each for typ in operands for each in members(typ))
    return all(library_of(each) is not None or is_number(each) for each in every)


def of_any_dtype(declared: FunctionLike, result: Type) -> CallableType:
    """A signature that takes any operand."""
    last = declared.items[-1]
    return last.copy_modified(arg_types=[_ANY for _ in last.arg_types], ret_type=result)


def or_of_any_dtype(declared: FunctionLike, result: Type) -> FunctionLike:
    """The signature, or else one that takes any operand: so do the stubs, which know no dtype of the receiver."""
    return Overloaded([*declared.items, of_any_dtype(declared, result)])
