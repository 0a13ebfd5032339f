"""A function of a namespace called: arrays cast to what the rules say, computed by the backend, cast and wrapped."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.rows import Answer
from promo_mypy.rules.promotion import Operand, Refusal
from promo_mypy.rules.systems.numpy import NumpySystem
from promo_runtime.arguments import Argument, argument
from promo_runtime.array import Array, wrap
from promo_runtime.array_types import array_type
from promo_runtime.backends import Backend, backend_of, common_backend
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.function_rules import answer, computed_in, dtype_of, flat
from promo_runtime.functions import EACH, Function
from promo_runtime.int_literals import wrapped
from promo_runtime.numpy_numbers import conversions
from promo_runtime.plans import check_systems
from promo_runtime.refusals import UnknownResultError

if TYPE_CHECKING:
    from promo_runtime.namespace import Namespace


@dataclass(frozen=True, slots=True)
class _Input:
    """An array or number, and what it is to the rules."""

    data: Any
    argument: Argument


_Inputs = Mapping[str, _Input | tuple[_Input, ...]]


def function_of(space: "Namespace", function: Function) -> Callable[..., Any]:
    """The function for a namespace that offers it.

    It raises PromotionError where the system's library refuses the dtypes, UnknownResultError where no rule tells the
    dtype, TypeError for arrays of two systems, and for backends that do not mix, NotImplementedError where the backend
    has no such function.
    """

    def call(*arguments: Any, **keywords: Any) -> Any:
        bound = function.signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        given = bound.arguments
        inputs = _inputs(space, {name: given[name] for name in function.arrays if given[name] is not None})
        others = {name: value for name, value in given.items() if name not in inputs}
        operands = {name: _operands(each) for name, each in inputs.items()}
        result = answer(space.system, function, operands, others)
        every = [item for each in inputs.values() for item in (each if isinstance(each, tuple) else (each,))]
        backend = _backend(space, function, every, others.values())
        if result is None and not (space.system.name == "numpy" and backend is NUMPY):
            raise _unknown(space, function, flat(operands))
        compute = None if result is None else computed_in(space.system, function, flat(operands), result)
        stays = function.within or function.casts == EACH or result is None
        for name, each in inputs.items():
            made = [
                _operand(space, backend, item, stays, compute)
                for item in (each if isinstance(each, tuple) else (each,))
            ]
            given[name] = tuple(made) if isinstance(each, tuple) else made[0]
        given.update({name: value._data for name, value in others.items() if isinstance(value, Array)})
        if function.within and compute is not None:
            given["dtype"] = backend.carrier(compute)
        elif "dtype" in others:
            del given["dtype"]  # the result is cast to it
        # A parameter that is None stands for the default of the backend's function.
        options = {name: value for name, value in bound.kwargs.items() if value is not None}
        found = backend.function(function.name)(*bound.args, **options)
        return _finished(space, backend, found, result, wraps=any(each.argument.wrapped for each in every))

    call.__name__ = call.__qualname__ = function.name.rpartition(".")[2]
    call.__signature__ = function.signature  # type: ignore[attr-defined] # what inspect.signature reads
    return call


def _unknown(space: "Namespace", function: Function, operands: list[Operand]) -> UnknownResultError:
    shown = ", ".join(each.name for each in operands)
    return UnknownResultError(
        f"no rule of {space.system.name} promotion tells the dtype of {function.name}({shown}): more than dtypes "
        "decides it"
    )


def _inputs(space: "Namespace", given: dict[str, Any]) -> _Inputs:
    """The arrays and numbers of the call; NumPy's scalars as numbers where the system's library takes them so."""
    values = [item for value in given.values() for item in _each(value)]
    check_systems(space, tuple(values))
    found = [argument(value) for value in values]
    convert = conversions(space.system, found)
    if any(convert):
        values = [value if make is None else make(value) for make, value in zip(convert, values, strict=True)]
        found = [argument(value) for value in values]
    queue = (
        _Input(value._data if isinstance(value, Array) else value, each)
        for value, each in zip(values, found, strict=True)
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


def _operands(given: _Input | tuple[_Input, ...]) -> Operand | list[Operand]:
    return [each.argument.operand for each in given] if isinstance(given, tuple) else given.argument.operand


def _backend(space: "Namespace", function: Function, inputs: list[_Input], others: Any) -> Backend:
    arrays = [each.argument.backend for each in inputs if each.argument.backend]
    if not arrays:
        raise TypeError(f"{function.name} needs an array among its arguments: plain numbers are Python's business")
    check_systems(space, tuple(others))
    indices = (backend_of(value._data if isinstance(value, Array) else value) for value in others)
    return common_backend([*arrays, *(each for each in indices if each)])


def _operand(space: "Namespace", backend: Backend, given: _Input, stays: bool, dtype: type[dt.Shaped] | None) -> Any:
    """What the backend's function is given. An int wraps to the dtype, or raises OverflowError where NumPy does."""
    own = space.system.promote(given.argument.operand)
    assert not isinstance(own, Refusal), "it is an array in the system"
    if given.argument.backend is not None:
        return backend.operand(given.data, None if stays else dtype or own)
    number, wanted = given.data, dtype or own
    if wanted.kind in "ui" and not isinstance(space.system, NumpySystem):
        number = wrapped(number, wanted)
    return backend.asarray(number, wanted)


def _finished(space: "Namespace", backend: Backend, made: Any, result: Answer, *, wraps: bool) -> Any:
    """The results in their dtypes; tuples with names keep them."""
    if result is None:  # NumPy's rules leave it to the values, and NumPy has computed it
        if isinstance(made, tuple):
            return type(made)(*(_finished(space, backend, each, None, wraps=wraps) for each in made))
        made = made if hasattr(made, "dtype") else np.asarray(made, object)  # of Python's objects
        result = backend.dtype(made)
    if isinstance(result, tuple):
        parts = [_finished(space, backend, each, dtype, wraps=wraps) for each, dtype in zip(made, result, strict=True)]
        return type(made)(*parts) if hasattr(made, "_fields") else tuple(parts)
    if isinstance(made, tuple | list):
        return tuple(_finished(space, backend, each, dtype_of(result), wraps=wraps) for each in made)
    dtype = dtype_of(result)
    cast = backend.asarray(made, dtype) if isinstance(made, int) else backend.cast(made, dtype)
    return wrap(cast, array_type(space, dtype, backend)) if wraps else cast
