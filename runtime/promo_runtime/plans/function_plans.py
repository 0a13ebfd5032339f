"""Plan the call of a function: resolve its dtypes once, for later calls with the same kinds of arguments.

Arrays are cast as the rules say, computed by the backend, cast and wrapped. For arrays that need no cast, a plan is
only the call of NumPy's function and a check of the resulting dtype.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.protocols import Answer
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.array.array import Array, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend, backend_of, common_backend
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.context.backend_in_use import backend_in_use
from promo_runtime.errors import UnknownResultError
from promo_runtime.functions.definitions import EACH, Function
from promo_runtime.numpy_dtypes import numpy_dtype
from promo_runtime.plans.arguments import Argument, argument, backends_of
from promo_runtime.plans.elementwise_plans import Plan, check_systems
from promo_runtime.plans.function_rules import answer, computed_in, dtype_of
from promo_runtime.plans.int_arguments import fitted, takes_numbers
from promo_runtime.plans.numpy_numbers import Convert, conversions

_data: Final = attrgetter("_data")


@dataclass(frozen=True, slots=True)
class _Input:
    """An array or number, its operand in the rules, and its conversion."""

    value: Any
    argument: Argument
    convert: Convert | None


_Inputs = Mapping[str, _Input | tuple[_Input, ...]]


@dataclass(frozen=True, slots=True)
class _Source:
    """The source of an argument of the backend's function."""

    given: int | str | None
    """Position or keyword in the call; None for a constant."""
    convert: Convert | None = None
    constant: Any = None

    def value(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """The argument."""
        if self.given is None:
            return self.constant
        found = arguments[self.given] if isinstance(self.given, int) else keywords[self.given]
        return found if self.convert is None else self.convert(found)


def function_plan(
    space: Space, function: Function, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Plan, bool]:
    """The plan for calls like this one, and whether the kinds of its arguments alone decided it.

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
    casts: dict[str, Any] = {name: _data if isinstance(value, Array) else None for name, value in others.items()}
    for name, each in inputs.items():
        made = [_cast(space, function, backend, item, compute, stays=stays) for item in _each(each)]
        casts[name] = partial(_all_cast, tuple(made)) if isinstance(each, tuple) else made[0]
    found = backend.function(function.name)
    carried = backend.carrier(compute) if function.within and compute is not None else None
    if backend is NUMPY and carried is not None and carried.kind in "fc" and _dtypes(every) == {carried}:
        carried = None  # NumPy's sums of floats keep their dtype
    defaults = _defaults(found) if backend is NUMPY else {}
    sources = _sources(function, given, (arguments, keywords), casts, carried, defaults)
    run = _run(found, *sources, keywords, defaults)
    wraps = any(each.argument.wrapped for each in every)
    return _finishing(space, backend, run, result, wraps=wraps), all(
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
        return _data if given.argument.wrapped else None
    cast = partial(backend.operand, dtype=wanted)
    return _composed(_data, cast) if given.argument.wrapped else cast


def _number(system: PromotionSystem, function: str, backend: Backend, dtype: type[dt.Shaped], number: Any) -> Any:
    if dtype.kind in "ui":
        number = fitted(system, function, dtype, number)
    return backend.asarray(number, dtype)


def _composed(first: Convert, second: Convert) -> Convert:
    return lambda value: second(first(value))


def _all_cast(casts: tuple[Convert | None, ...], values: Any) -> tuple[Any, ...]:
    return tuple(value if cast is None else cast(value) for cast, value in zip(casts, values, strict=True))


def _sources(
    function: Function,
    bound: Mapping[str, Any],
    given: tuple[tuple[Any, ...], Mapping[str, Any]],
    casts: Mapping[str, Any],
    carried: Any,
    defaults: Mapping[str, Any],
) -> tuple[list[_Source], dict[str, _Source]]:
    """The sources of the positional and keyword arguments of the backend's function.

    A parameter that is None stands for the default of the backend's function, in `defaults`. `carried`: the dtype
    argument of the function, if it has one; the result is cast to the dtype that the call names.
    """
    arguments, keywords = given
    ordered = [name for name, each in function.signature.parameters.items() if each.kind is not each.KEYWORD_ONLY]
    by_name = all(name in defaults for name in ordered[len(arguments) :])
    positional: list[_Source] = []
    named: dict[str, _Source] = {}
    for name, parameter in function.signature.parameters.items():
        place, source = len(positional), _Source(name if name in keywords else None, casts.get(name), bound[name])
        if parameter.kind is parameter.VAR_POSITIONAL:
            several = casts[name].args[0] if name in casts else ()
            positional += [_Source(place + at, cast) for at, cast in enumerate(several)]
        elif place < len(arguments) and parameter.kind is not parameter.KEYWORD_ONLY:
            positional.append(_Source(place, source.convert))
        elif parameter.kind is not parameter.KEYWORD_ONLY and not by_name:
            positional.append(source)
        elif name == "dtype":
            if carried is not None:
                named[name] = _Source(None, None, carried)
        elif bound[name] is not None or (name in keywords and defaults.get(name, name) is None):
            named[name] = source
    return positional, named


def _run(
    function: Callable[..., Any],
    positional: list[_Source],
    named: dict[str, _Source],
    keywords: Mapping[str, Any],
    defaults: Mapping[str, Any],
) -> Plan:
    """Call the function with the converted arguments. Most calls need no conversion."""
    added = {
        name: each.constant
        for name, each in named.items()
        if each.given is None and (name not in defaults or defaults[name] is not each.constant)
    }
    taken = {name: each.convert for name, each in named.items() if each.given is not None}
    places = [each.given for each in positional]
    casts = [each.convert for each in positional]
    left_out = keywords.keys() - taken.keys()
    if places != list(range(len(places))) or left_out - {"dtype"} or any((*casts[1:], *taken.values())):
        return _rearranged(function, positional, {name: named[name] for name in (*taken, *added)})
    call = partial(function, **added) if added else function
    if left_out:
        call = _without_dtype(call)
    convert = casts[0]
    if convert is None:
        return call
    if convert is _data:
        return lambda array, *arguments, **options: call(array._data, *arguments, **options)
    return lambda array, *arguments, **options: call(convert(array), *arguments, **options)


def _without_dtype(call: Plan) -> Plan:
    return lambda *arguments, dtype, **options: call(*arguments, **options)  # noqa: ARG005 (the result is cast to it)


def _rearranged(function: Callable[..., Any], positional: list[_Source], named: dict[str, _Source]) -> Plan:
    def run(*arguments: Any, **keywords: Any) -> Any:
        return function(
            *[source.value(arguments, keywords) for source in positional],
            **{name: source.value(arguments, keywords) for name, source in named.items()},
        )

    return run


_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@cache
def _defaults(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Keyword parameter of a library's function -> its default, if known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a compiled function may have no signature
        return {}
    defaults = {each.name: each.default for each in parameters if each.kind in _NAMED}
    return defaults | ({"keepdims": False} if "keepdims" in defaults else {})  # which NumPy writes as "no value"


def _finishing(space: Space, backend: Backend, run: Plan, result: Answer, *, wraps: bool) -> Plan:
    if isinstance(result, type) and issubclass(result, dt.PythonScalar):
        return run
    finish = partial(_finished, space, backend, result=result, wraps=wraps)
    if result is None or isinstance(result, tuple) or backend is not NUMPY:
        return lambda *arguments, **keywords: finish(run(*arguments, **keywords))
    # A result of the right dtype is only wrapped.
    dtype = dtype_of(result)
    wanted, kind = numpy_dtype(dtype), array_type(space, dtype, backend)

    def plan(*arguments: Any, **keywords: Any) -> Any:
        made = run(*arguments, **keywords)
        return made if getattr(made, "dtype", None) is wanted else finish(made)

    def wrapping(*arguments: Any, **keywords: Any) -> Any:
        made = run(*arguments, **keywords)
        return wrap(made, kind) if getattr(made, "dtype", None) is wanted else finish(made)

    return wrapping if wraps else plan


def _finished(space: Space, backend: Backend, made: Any, result: Answer, *, wraps: bool) -> Any:
    """The results in their dtypes; named tuples keep their class."""
    if result is None:  # in NumPy's rules the values decide, and NumPy computed it
        if isinstance(made, tuple):
            return type(made)(*(_finished(space, backend, each, None, wraps=wraps) for each in made))
        made = made if hasattr(made, "dtype") else np.asarray(made, object)  # of Python objects
        result = backend.dtype(made)
    if isinstance(result, tuple):
        parts = [_finished(space, backend, each, dtype, wraps=wraps) for each, dtype in zip(made, result, strict=True)]
        return type(made)(*parts) if hasattr(made, "_fields") else tuple(parts)
    if isinstance(made, tuple | list):
        return tuple(_finished(space, backend, each, dtype_of(result), wraps=wraps) for each in made)
    dtype = dtype_of(result)
    cast = backend.asarray(made, dtype) if isinstance(made, int) else backend.cast(made, dtype)
    return wrap(cast, array_type(space, dtype, backend)) if wraps else cast
