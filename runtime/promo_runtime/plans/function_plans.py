"""Plan the call of a function: resolve its dtypes once, for later calls with the same kinds of arguments.

Arrays are cast as the rules say, computed by the backend, cast and wrapped. For arrays that need no cast, a plan is
only the call of NumPy's function and a check of the resulting dtype.
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.array.array import Array
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend, backend_of, common_backend
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.context.backend_in_use import backend_in_use
from promo_runtime.errors import UnknownResultError
from promo_runtime.functions.definitions import EACH, Function
from promo_runtime.plans.arguments import Argument, argument, backends_of
from promo_runtime.plans.backend_calls import DATA, backend_call, defaults_of
from promo_runtime.plans.elementwise_plans import Plan, check_systems
from promo_runtime.plans.finished_results import finishing
from promo_runtime.plans.function_rules import answer, computed_in
from promo_runtime.plans.int_arguments import fitted, takes_numbers
from promo_runtime.plans.numpy_numbers import Convert, conversions


@dataclass(frozen=True, slots=True)
class _Input:
    """An array or number, its operand in the rules, and its conversion."""

    value: Any
    argument: Argument
    convert: Convert | None


_Inputs = Mapping[str, _Input | tuple[_Input, ...]]


def function_plan(
    space: Space, function: Function, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Plan, bool]:
    """The plan for calls like this one, and whether it depends only on the kinds of its arguments.

    It raises PromotionError if the system's library rejects the dtypes, UnknownResultError if no rule states the
    dtype, TypeError for arrays of two systems, and for backends that do not mix, NotImplementedError if the backend
    has no such function.
    """
    bound = function.signature.bind(*arguments, **keywords)
    if not arguments and function.signature.parameters["arrays"].kind is inspect.Parameter.VAR_POSITIONAL:
        return lambda **options: (), False  # noqa: ARG005 (as many results as arrays)
    bound.apply_defaults()
    given = bound.arguments
    inputs = _inputs(space, {name: given[name] for name in function.arrays if given[name] is not None})
    others = {name: value for name, value in given.items() if name not in inputs}
    every = [item for each in inputs.values() for item in _each(each)]
    result = answer(space.system, function, {name: _operands(each) for name, each in inputs.items()}, others)
    backend = _backend(space, function, every, others.values())
    operands = [each.argument.operand for each in every]
    if result is None and not (space.system.name == "numpy" and backend is NUMPY):
        raise UnknownResultError(space.system.name, function.name, operands)
    compute = None if result is None else computed_in(space.system, function, operands, result)
    stays = function.within or function.casts == EACH or result is None
    casts: dict[str, Any] = {name: DATA if isinstance(value, Array) else None for name, value in others.items()}
    for name, each in inputs.items():
        made = [_cast(space, function, backend, item, compute, stays=stays) for item in _each(each)]
        casts[name] = partial(_all_cast, tuple(made)) if isinstance(each, tuple) else made[0]
    found = backend.function(function.name)
    carried = backend.carrier(compute) if function.within and compute is not None else None
    if backend is NUMPY and carried is not None and carried.kind in "fc" and _dtypes(every) == {carried}:
        carried = None  # NumPy's sums of floats keep their dtype
    defaults = defaults_of(found) if backend is NUMPY else {}
    run = backend_call(found, function.signature, given, (arguments, keywords), casts, carried, defaults)
    wraps = any(each.argument.wrapped for each in every)
    return finishing(space, backend, run, result, wraps=wraps), all(
        each.argument.lasts_for(each.value) for each in every
    )


def _inputs(space: Space, given: dict[str, Any]) -> _Inputs:
    """The arrays and numbers of the call; NumPy scalars count as numbers if the system's library reads them so."""
    values = [item for value in given.values() for item in _each(value)]
    check_systems(space, tuple(values))
    found = [argument(value) for value in values]
    convert = conversions(space.system, found)
    queue = (
        _Input(value, each if make is None else argument(make(value)), make)
        for value, each, make in zip(values, found, convert, strict=True)
    )
    return {
        name: tuple(next(queue) for _ in value) if isinstance(value, tuple | list) else next(queue)
        for name, value in given.items()
    }


def _each(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        yield from value
    else:
        yield value


def _dtypes(inputs: list[_Input]) -> set[Any]:
    return {each.argument.loop_input for each in inputs}


def _operands(given: _Input | tuple[_Input, ...]) -> Operand | list[Operand]:
    return [each.argument.operand for each in given] if isinstance(given, tuple) else given.argument.operand


def _backend(space: Space, function: Function, inputs: list[_Input], others: Any) -> Backend:
    if not function.arrays:
        return backend_in_use()
    arrays = backends_of(each.argument for each in inputs)
    if not arrays:
        raise TypeError(f"{function.name} needs an array among its arguments: use Python for plain numbers")
    check_systems(space, tuple(others))
    indices = (backend_of(value._data if isinstance(value, Array) else value) for value in others)
    return common_backend([*arrays, *(each for each in indices if each)])


def _cast(
    space: Space,
    function: Function,
    backend: Backend,
    given: _Input,
    dtype: type[dt.Shaped] | None,
    *,
    stays: bool,
) -> Convert | None:
    """The conversion of an argument for the backend's function; None if it needs none."""
    own = space.system.promote(given.argument.operand)
    assert not isinstance(own, Refusal), "it is an array in the system"
    if given.argument.backend is None:
        if backend is NUMPY and takes_numbers(space.system, function.name, dtype or own):
            return given.convert
        number = partial(_number, space.system, function.name, backend, dtype or own)
        return number if given.convert is None else _composed(given.convert, number)
    data = given.value._data if given.argument.wrapped else given.value
    wanted = None if stays else dtype or own
    if type(data) is np.ndarray and backend is NUMPY and (wanted is None or data.dtype == backend.carrier(wanted)):
        return DATA if given.argument.wrapped else None
    cast = partial(backend.operand, dtype=wanted)
    return _composed(DATA, cast) if given.argument.wrapped else cast


def _number(system: PromotionSystem, function: str, backend: Backend, dtype: type[dt.Shaped], number: Any) -> Any:
    if dtype.kind in "ui":
        number = fitted(system, function, dtype, number)
    return backend.asarray(number, dtype)


def _composed(first: Convert, second: Convert) -> Convert:
    return lambda value: second(first(value))


def _all_cast(casts: tuple[Convert | None, ...], values: Any) -> tuple[Any, ...]:
    return tuple(value if cast is None else cast(value) for cast, value in zip(casts, values, strict=True))
