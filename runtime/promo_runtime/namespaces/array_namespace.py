"""The namespace of an `Array`, whose functions return `Array`s."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from promo_runtime.array.array import Array, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import backend_of
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.functions.spellings import SPELLINGS
from promo_runtime.namespaces.extensions import Extension
from promo_runtime.plans.arguments import operand_of
from promo_runtime.plans.computation_dtype import given_as

_CREATING: Final = frozenset(
    {
        "arange", "asarray", "empty", "empty_like", "eye", "fftfreq", "from_dlpack", "full", "full_like", "linspace",
        "ones", "ones_like", "rfftfreq", "zeros", "zeros_like",
    }
)  # fmt: skip


class ArrayNamespace:
    """The functions of a namespace; those that create arrays return `Array`s of its system."""

    def __init__(self, space: Space, functions: Any) -> None:
        """`functions`: the namespace, or one of its extensions."""
        self._space: Final = space
        self._functions: Final = functions

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._functions, name)
        if isinstance(found, Extension):
            found = ArrayNamespace(self._space, found)
        elif _creates(SPELLINGS.get(name, name)):
            found = _wrapping(self._space, SPELLINGS.get(name, name), found)
        setattr(self, name, found)
        return found

    @property
    def __name__(self) -> str:
        """The name of the namespace."""
        return self._space.__name__

    def __array_namespace_info__(self) -> Any:
        return self._functions.__array_namespace_info__()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._functions)})

    def __repr__(self) -> str:
        return f"<arrays of {self._functions!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayNamespace) and other._functions is self._functions

    def __hash__(self) -> int:
        return hash(self._functions)


def _creates(name: str) -> bool:
    return name in _CREATING or (name in FUNCTIONS and not FUNCTIONS[name].arrays)


def _wrapping(space: Space, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the result of a function. The result for a single number stays weak if the system has weak arrays."""

    @wraps(function)
    def made(*arguments: Any, **keywords: Any) -> Any:
        result = function(*arguments, **keywords)
        if isinstance(result, tuple):
            return tuple(wrapped(each, None) for each in result)
        return wrapped(result, None if keywords.get("dtype") is not None else _number(name, arguments, keywords))

    def wrapped(result: Any, number: Any) -> Array[Any]:
        if isinstance(result, Array):
            return result
        backend = backend_of(result)
        assert backend is not None, "creation functions make arrays"
        dtype = backend.dtype(result)
        if number is not None:
            made_of_it = given_as(space.system, operand_of(number).dtype)  # type: ignore[arg-type] # a number
            dtype = made_of_it if made_of_it.strong is dtype else dtype  # an int may need more bits
        return wrap(result, array_type(space, dtype, backend))

    return made


def _number(name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The Python number that decides the dtype of the array."""
    place = {"asarray": 0, "full": 1}.get(name)
    if place is None:
        return None
    given = arguments[place] if place < len(arguments) else keywords.get("fill_value")
    return given if isinstance(given, bool | int | float | complex) else None
