"""Functions that join arrays of several dtypes into one."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.array.array import Array, data_of, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend, common_backend
from promo_runtime.plans.arguments import Argument, argument, backends_of
from promo_runtime.plans.call_keys import BY_CLASS, keep, kind, other_kind
from promo_runtime.plans.computation_dtype import accepted
from promo_runtime.plans.elementwise_plans import Plan, check_systems
from promo_runtime.plans.int_arguments import fitted

#: For longer sequences the dtypes are checked in every call: that takes no longer than joining them.
_MOST_ARRAYS: Final = 16


def where_of(space: Space) -> Callable[[Any, Any, Any], Any]:
    """`where` for a namespace. It raises PromotionError, and TypeError for a condition that is not bool."""
    plans: dict[Any, Plan] = {}
    find, ndarray, wrapper = plans.get, np.ndarray, Array

    def where(condition: Any, x1: Any, x2: Any, /) -> Any:
        """Elements of x1 if the condition holds, else of x2, in the dtype that both promote to."""
        one, two = x1.__class__, x2.__class__
        key = (  # `kind` of each, without the calls
            kind(condition),
            x1._type if one is wrapper else (x1.dtype if x1.ndim else (x1.dtype,)) if one is ndarray
            else one if one in BY_CLASS else other_kind(x1),
            x2._type if two is wrapper else (x2.dtype if x2.ndim else (x2.dtype,)) if two is ndarray
            else two if two in BY_CLASS else other_kind(x2),
        )  # fmt: skip
        found = find(key)
        if found is None:
            found, lasts = _where_plan(space, (condition, x1, x2))
            if lasts:
                keep(plans, key, found)
        return found(condition, x1, x2)

    return where


def _where_plan(space: Space, values: tuple[Any, ...]) -> tuple[Plan, bool]:
    check_systems(space, values)
    found = [argument(each) for each in values]
    dtype = accepted(space.system.promote(*(each.operand for each in found[1:])))
    if found[0].operand.dtype.kind != "b":
        raise TypeError(f"the condition of where must be bool, not {found[0].operand.name}")
    backend = common_backend(backends_of(found))
    choose, lasts = backend.chooser(dtype), _last(found, values)
    one, two = (_read(space, backend, each, dtype) for each in found[1:])
    if not any(each.wrapped for each in found):
        if one is two is data_of:
            return choose, lasts
        return lambda condition, x1, x2: choose(condition, one(x1), two(x2)), lasts
    made = array_type(space, dtype, backend)

    def wrapping(condition: Any, x1: Any, x2: Any) -> Any:
        return wrap(choose(data_of(condition), one(x1), two(x2)), made)

    return wrapping, lasts


def _read(space: Space, backend: Backend, given: Argument, dtype: type[Shaped]) -> Callable[[Any], Any]:
    """Prepare an argument of `where` for the backend: a number becomes an array."""
    if given.backend is not None:
        return data_of
    if not given.is_python_int or dtype.kind not in "ui":
        return backend.maker(dtype)
    return lambda number: backend.asarray(fitted(space.system, "where", dtype, number), dtype)


def select_of(space: Space) -> Callable[..., Any]:
    """`select` for a namespace. It raises PromotionError, TypeError for conditions that are not bool."""

    def select(conditions: Sequence[Any], choices: Sequence[Any], default: Any = 0, /) -> Any:
        """At each position, the first choice whose condition holds, in the dtype that all promote to together."""
        if not choices or len(conditions) != len(choices):
            raise ValueError(f"select takes as many conditions as choices: {len(conditions)} and {len(choices)}")
        check_systems(space, (*conditions, *choices, default))
        found = [argument(each) for each in (*choices, default)]
        if any(argument(each).operand.dtype.kind != "b" for each in conditions):
            raise TypeError("the conditions of select must be bool")
        dtype = accepted(space.system.promote(*(each.operand for each in found)))
        every = [*found, *map(argument, conditions)]
        backend = common_backend(backends_of(every))
        result, *others = (
            _read(space, backend, each, dtype)(value)
            for each, value in zip(reversed(found), (default, *reversed(choices)), strict=True)
        )
        choose = backend.chooser(dtype)
        for condition, choice in zip(reversed(conditions), others, strict=True):
            result = choose(data_of(condition), choice, result)
        return wrap(result, array_type(space, dtype, backend)) if any(each.wrapped for each in every) else result

    return select


def join_of(space: Space, name: str) -> Callable[..., Any]:
    """`concat` or `stack` for a namespace. It raises PromotionError, and TypeError for plain numbers."""
    plans: dict[Any, Plan] = {}
    find, ndarray, wrapper = plans.get, np.ndarray, Array

    def join(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Any:
        """The arrays one after the other, or along a new axis, in the dtype that all promote to together."""
        if len(arrays) == 2:  # `kind` of each, without the calls, and most often without a loop
            x, y = arrays
            one, two = x.__class__, y.__class__
            key: tuple[object, ...] = (
                x._type if one is wrapper else (x.dtype if x.ndim else (x.dtype,)) if one is ndarray
                else one if one in BY_CLASS else other_kind(x),
                y._type if two is wrapper else (y.dtype if y.ndim else (y.dtype,)) if two is ndarray
                else two if two in BY_CLASS else other_kind(y),
            )  # fmt: skip
        else:
            key = tuple([
                x._type if (cls := x.__class__) is wrapper else
                (x.dtype if x.ndim else (x.dtype,)) if cls is ndarray else cls if cls in BY_CLASS else other_kind(x)
                for x in arrays
            ])  # fmt: skip
        found = find(key)
        if found is None:
            found, lasts = _join_plan(space, name, arrays)
            if lasts and len(key) <= _MOST_ARRAYS:
                keep(plans, key, found)
        return found(arrays, axis=axis if axis is not None or name == "concat" else 0)

    join.__name__ = join.__qualname__ = name
    return join


def _join_plan(space: Space, name: str, arrays: Sequence[Any]) -> tuple[Plan, bool]:
    check_systems(space, tuple(arrays))
    found = [argument(each) for each in arrays]
    if not found or not all(each.backend for each in found):
        raise TypeError(f"{name} takes one or more arrays, not plain numbers")
    dtype = accepted(space.system.promote(*(each.operand for each in found)))
    backend = common_backend(backends_of(found))
    strong = (each.operand.dtype.strong for each in found)  # type: ignore[union-attr]  # the dtypes are those of arrays
    casts = any(each is not dtype.strong for each in strong)
    join, lasts = backend.joiner(name, dtype, casts=casts), _last(found, arrays)
    if not any(each.wrapped for each in found):
        return join, lasts
    made = array_type(space, dtype, backend)

    def wrapping(arrays: Sequence[Any], axis: int | None) -> Any:
        return wrap(join([data_of(each) for each in arrays], axis=axis), made)

    return wrapping, lasts


def _last(found: list[Argument], values: Sequence[Any]) -> bool:
    return all(each.lasts_for(value) for each, value in zip(found, values, strict=True))
