"""Infer the dtypes of parameters of private functions from all of their calls."""

import ast
from typing import Final

from mypy.types import AnyType, NoneType, Type

from promo_mypy.plugin.interface.arrays import members
from promo_mypy.program.checked.arrays import Arrays, DTypes, arrays_of
from promo_mypy.program.decided.own_definitions import is_none
from promo_mypy.program.following.decorated import results_kept
from promo_mypy.program.following.made_values import Follower
from promo_mypy.program.following.private_calls import PrivateCalls
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand


def parameter_dtypes(name: ast.Name, follower: Follower, calls: PrivateCalls) -> DTypes | None:
    """Every dtype that a parameter may have; None if it may be anything else than an array."""
    found = DTypes()
    for by, value in _values(name, follower, calls):
        dtypes = by.array(value) if _is_array(value, by) else None
        if dtypes is None:
            return None
        found |= dtypes
    return found if found and _keeps_arguments(name, follower, found) else None


def parameter_operands(name: ast.Name, follower: Follower, calls: PrivateCalls) -> frozenset[Operand]:
    """Every operand that a parameter may be, Python numbers included; empty if unknown."""
    found = [by.operands(value) for by, value in _values(name, follower, calls)]
    every = frozenset[Operand]().union(*found)
    dtypes = frozenset(each.dtype for each in every if issubclass(each.dtype, dt.Shaped))
    has_numbers = any(not issubclass(each.dtype, dt.Shaped) for each in every)
    is_known = bool(every) and all(found) and _keeps_arguments(name, follower, dtypes, has_numbers)
    return every if is_known else frozenset()


def _values(name: ast.Name, follower: Follower, calls: PrivateCalls) -> list[tuple[Follower, ast.expr]]:
    """All that calls pass for a parameter, and that its function binds it to, but None; empty if unknown."""
    passed = calls.passed(name, follower)
    found = [*passed, *((follower, each) for each in follower.scopes.rebound(name))] if passed else []
    return [(by, value) for by, value in found if not is_none(value) and not _is_same(value, by, name, follower)]


def _is_same(value: ast.expr, by: Follower, name: ast.Name, follower: Follower) -> bool:
    """Whether a function passes its own parameter on to itself."""
    if not isinstance(value, ast.Name) or by.scopes is not follower.scopes:
        return False
    return value.id == name.id and by.scopes.binding(value) == by.scopes.binding(name)


def _is_array(value: ast.expr, by: Follower) -> bool:
    """Whether a value is an array or None, by its type, and not a Python number."""
    known = by.typed.known(value)
    return known is not None and all(map(_is_array_type, (each for typ in known.types for each in members(typ))))


def _is_array_type(typ: Type) -> bool:
    return isinstance(typ, AnyType | NoneType) or arrays_of(typ, _ANY_PLATFORM) is not None


#: The platform decides which dtype a type names, not whether it is an array.
_ANY_PLATFORM: Final = "linux"
_NARROW: Final = frozenset({dt.bool_})


def _keeps_arguments(name: ast.Name, follower: Follower, dtypes: DTypes, has_numbers: bool = False) -> bool:
    """Whether a decorated function gets the arrays that calls pass, and computes with them as libraries do."""
    function = follower.scopes.function_with(name)
    if not isinstance(function, ast.FunctionDef):
        return False
    arrays = Arrays(frozenset({follower.kind.library}), dtypes)
    is_plain = not function.decorator_list or not (has_numbers or dtypes & _NARROW)
    return is_plain and results_kept(function, follower.scopes, arrays) is not None
