"""Count the dtypes of values by place, at low cost: a place with many equal values is looked at less closely."""

import ast
from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import numpy as np

from promo_mypy.rules import profiles
from promo_mypy.rules.profiles import Function, Observations, Profile, Seen, lines_of
from promo_runtime.actual_dtypes import dtype_text, library_of_class, named_dtype
from promo_runtime.recording.recorded_sources import with_records

#: The number of equal observations after which only the class and the dtype of a value are compared with the last one.
ENOUGH: Final = 16

_Key = tuple[Any, ...]
_UNKNOWN: Final = (None, None)


class Recorder:
    """Records the values of instrumented modules.

    Args:
        where: the name of what runs, such as a test.
    """

    def __init__(self, where: Callable[[], str]) -> None:
        self._where = where
        self._places: Final[list[tuple[str, Function, profiles.Place]]] = []
        self._numbers: Final[dict[tuple[str, Function, profiles.Place], int]] = {}
        # The following lists have an item for each place, by its number.
        # Values of this class and dtype are only counted, because many equal ones were observed.
        self._enough: Final[list[tuple[Any, Any]]] = []
        # How many were only counted since the last observation.
        self._passed: Final[list[int]] = []
        # The last observation, and how often it was repeated.
        self._last: Final[list[_Key | None]] = []
        self._again: Final[list[int]] = []
        self._counts: Final[list[Counter[_Key]]] = []
        self._first: Final[list[str]] = []
        self.observations = 0
        self.seconds = 0.0

    def instrument(self, tree: ast.Module, source: str, module: str) -> ast.Module:
        """A module's tree that records its values."""
        return with_records(tree, source, lambda function, place: self._number(module, function, place))

    def _number(self, module: str, function: Function, place: profiles.Place) -> int:
        key = module, function, place
        number = self._numbers.setdefault(key, len(self._places))
        if number == len(self._places):
            self._places.append(key)
            self._enough.append(_UNKNOWN)
            self._passed.append(0)
            self._last.append(None)
            self._again.append(0)
            self._counts.append(Counter())
            self._first.append("")
        return number

    def see(self, value: Any, number: int) -> Any:
        """Record a value, and return it."""
        (cls, dtype), given = self._enough[number], type(value)
        if given is cls and (dtype is None or value.dtype == dtype):
            self._passed[number] += 1
            return value
        started = perf_counter()
        self._observe(value, number)
        self.seconds += perf_counter() - started
        return value

    def _observe(self, value: Any, number: int) -> None:
        self.observations += 1
        self._settle(number)
        key = _key(value)
        self._counts[number][key] += 1
        if key != self._last[number]:
            self._last[number], self._again[number] = key, 0
            self._enough[number] = _UNKNOWN
            self._first[number] = self._first[number] or self._where()
            return
        self._again[number] += 1
        if self._again[number] >= ENOUGH:
            self._enough[number] = key[0], key[1] if len(key) > 1 else None

    def _settle(self, number: int) -> None:
        """Count the values that were passed over as the last one."""
        last = self._last[number]
        if last is not None and self._passed[number]:
            self._counts[number][last] += self._passed[number]
            self._passed[number] = 0

    def look_again(self) -> None:
        """Look at every place the next time it is reached: another test may bring other ranks and weak dtypes."""
        self._enough[:] = [_UNKNOWN] * len(self._enough)

    def forget(self) -> None:
        """Begin anew, in a process that was forked: the other process counts what was seen before."""
        for counts in self._counts:
            counts.clear()
        self._passed[:] = [0] * len(self._passed)
        self._last[:] = [None] * len(self._last)
        self.look_again()
        self.observations, self.seconds = 0, 0.0

    def profile(self) -> Profile:
        """What was seen so far. Expressions that saw no array are left out."""
        modules: dict[str, dict[Function, dict[profiles.Place, Observations]]] = {}
        for number, (module, function, place) in enumerate(self._places):
            self._settle(number)
            counts = self._counts[number]
            found = _observations(counts, self._first[number])
            if found.seen or (found.others and place.kind in (profiles.PARAMETER, profiles.RESULT)):
                modules.setdefault(module, {}).setdefault(function, {})[place] = found
        return Profile(modules)


def source_text(source: bytes) -> str:
    """The text of a source file, as `ast` and mypy count its lines and columns."""
    return "\n".join(lines_of(source.decode("utf-8", "replace").removeprefix("\ufeff")))


def _key(value: Any) -> _Key:
    """What to remember of a value: its dtype object, or its class."""
    cls = type(value)
    given = getattr(value, "dtype", None)
    if given is None or library_of_class(cls) is None:
        return (cls,)
    try:
        return cls, given, bool(getattr(value, "weak_type", False)), getattr(value, "ndim", 1) == 0
    except Exception:  # a foreign class with such an attribute is not an array
        return (cls,)


def _observations(counts: Counter[_Key], first: str) -> Observations:
    seen: Counter[Seen] = Counter()
    others: Counter[str] = Counter()
    for key, count in counts.items():
        found = _seen(key)
        if isinstance(found, Seen):
            seen[found] += count
        else:
            others[found] += count
    return Observations(dict(seen), dict(others), first)


def _seen(key: _Key) -> Seen | str:
    cls: type = key[0]
    if len(key) == 1:
        return f"{cls.__module__}.{cls.__qualname__}" if cls.__module__ != "builtins" else cls.__qualname__
    _, given, weak, is_zero_d = key
    actual = named_dtype(given)
    library = library_of_class(cls)
    assert library is not None
    of_array = profiles.ZERO_D if is_zero_d else profiles.ARRAY
    form = profiles.SCALAR if issubclass(cls, np.generic) else of_array
    return Seen(library, str(given) if actual is None else dtype_text(actual), weak, form)
