"""Infer the dtypes of a function's results, and the dtype of its computation."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any, Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import resolve_call
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, DtypeArgument, Items, Value
from promo_mypy.rules.functions.language.protocols import Answer, Repeated
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.errors import PromotionError
from promo_runtime.functions.definitions import EACH, FLOATS, JOIN, TRUTH, Function, library_of, row_of
from promo_runtime.numpy_dtypes import read_dtype
from promo_runtime.plans.computation_dtype import given_as

Operands = Mapping[str, Operand | Sequence[Operand]]
"""Parameter -> its array or arrays."""

_COMPLEX: Final = {part: whole for whole, part in dt.REAL_PARTS.items() if whole is not dt.bcomplex32}


def is_offered(system: PromotionSystem, function: Function) -> bool:
    """Whether the dtype of the function's result is known for the system."""
    library = library_of(system)
    return function.kept or (library is not None and row_of(function, library) is not None)


def answer(system: PromotionSystem, function: Function, operands: Operands, others: Mapping[str, Any]) -> Answer:
    """The dtypes of the results. `others`: the arguments that are not arrays.

    None if the rules have no answer. Raises PromotionError for a refusal.
    """
    if function.kept:
        return _kept(system, operands)
    library = library_of(system)
    found = None if library is None else row_of(function, library)
    assert found is not None, "only what is offered is called"
    row, call = found
    positional = [each for expression in call.positional for each in _given(expression, operands, others)]
    keywords = {name: each for name, expression in call.keywords for each in _given(expression, operands, others)}
    result = resolve_call(system, row, Arguments.of(*positional, **keywords))
    if isinstance(result, Refusal):
        raise PromotionError(result)
    if result is None or (isinstance(result, tuple) and None in result):
        return None
    if call.places is None or not isinstance(result, tuple):
        return result
    return result[call.places] if isinstance(call.places, int) else tuple(result[place] for place in call.places)


def deciding(system: PromotionSystem, function: Function) -> frozenset[str]:
    """The parameters that are not arrays and whose values the rules need."""
    library = library_of(system)
    found = None if library is None or function.kept else row_of(function, library)
    if found is None:
        return frozenset()
    expressions = (*found[1].positional, *(each for _, each in found[1].keywords))
    asked = {each.id for expression in expressions for each in ast.walk(expression) if isinstance(each, ast.Name)}
    return frozenset(asked - set(function.arrays))


def dtype_of(result: Answer) -> type[dt.Shaped]:
    """The dtype of one result, or the common dtype of several."""
    dtype = result.of if isinstance(result, Repeated) else result
    assert isinstance(dtype, type), "one result"
    assert issubclass(dtype, dt.Shaped), "functions that are computed give arrays"
    return dtype


def flat(operands: Operands) -> list[Operand]:
    """All dtypes, in order."""
    return [each for given in operands.values() for each in ([given] if isinstance(given, Operand) else given)]


def computed_in(
    system: PromotionSystem, function: Function, operands: Sequence[Operand], result: Answer
) -> type[dt.Shaped] | None:
    """The dtype to which arrays are cast before the function computes; None if each keeps its own."""
    if function.casts == EACH:
        return None
    if function.casts == TRUTH:
        return dt.bool_
    if function.casts in (JOIN, FLOATS):
        joined = system.promote(*operands)
        if isinstance(joined, Refusal):  # the function compares dtypes that do not promote
            return None
        return dt.float64 if function.casts == FLOATS and joined.kind in "bui" else joined.strong
    dtype = dtype_of(result[0] if isinstance(result, tuple) else result)
    if dtype.kind not in "fc":
        return dtype.strong
    real = dt.REAL_PARTS.get(dtype.strong, dtype.strong)
    return _COMPLEX[real] if any(each.dtype.kind == "c" for each in operands) else real


def computed_elementwise(
    system: PromotionSystem, function: Function, operands: Sequence[Operand], result: type[dt.Shaped]
) -> type[dt.Shaped]:
    """The same, for a function that a ufunc computes. Ufuncs with a bool result have no loops for the smallest
    integers.
    """
    found = computed_in(system, function, operands, result)
    assert found is not None, "ufuncs take arrays of one dtype"
    return carrier(found) if result.kind == "b" and found.kind in "ui" else found


def _kept(system: PromotionSystem, operands: Operands) -> Answer:
    (given,) = operands.values()
    if isinstance(given, Operand):
        return given_as(system, given.dtype)  # type: ignore[arg-type] # an array, not a number
    return tuple(given_as(system, each.dtype) for each in given)  # type: ignore[arg-type] # arrays, not numbers


def _given(expression: ast.expr, operands: Operands, others: Mapping[str, Any]) -> Sequence[Argument]:
    """The values of one argument of a library's function; a starred one has several."""
    if isinstance(expression, ast.Starred):
        assert isinstance(expression.value, ast.Name), "the arrays"
        several = operands[expression.value.id]
        assert not isinstance(several, Operand), "all of them"
        return several
    if not isinstance(expression, ast.Name):
        return (Value(ast.literal_eval(expression)),)
    if expression.id in operands:
        array = operands[expression.id]
        return (array if isinstance(array, Operand) else Items(tuple(array)),)
    value = others.get(expression.id)
    if expression.id == "dtype" and value is not None:
        return (DtypeArgument(read_dtype(value)),)
    return (Value(value) if value is None or isinstance(value, bool | int | float | complex | str) else UNKNOWN,)
