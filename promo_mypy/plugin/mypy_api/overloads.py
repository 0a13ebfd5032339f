"""Make a function of some signatures, and tell how mypy chooses among them: outside mypy's public plugin surface.

(tests/plugin/inferred/provenance/true_errors)
"""

from collections.abc import Sequence

from mypy.checkexpr import has_any_type
from mypy.subtypes import is_same_type
from mypy.types import CallableType, FunctionLike, Overloaded, Type, TypeVarType, get_proper_type


def of_signatures(signatures: Sequence[CallableType]) -> FunctionLike:
    """The only signature, or an overloaded function of all of them."""
    return Overloaded(list(signatures)) if len(signatures) > 1 else signatures[0]


def is_same_to_overloads(one: Type, other: Type) -> bool:
    """Whether two types are the same, and mypy chooses the same overload for both.

    It takes the first that fits an Any of a special form. For any other Any that fits several it infers Any.
    """
    return is_same_type(one, other) and has_any_type(one) == has_any_type(other)


def returns_variable(function: CallableType) -> bool:
    """Whether the result is a type variable: then mypy does not ask for an expected class without type parameters."""
    return isinstance(get_proper_type(function.ret_type), TypeVarType)
