"""Compare the fields of dataclasses with their annotations: in the constructor, and when they are assigned."""

import functools
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from promo_runtime.validation.annotation_source import annotation_text
from promo_runtime.validation.annotation_strings import Names, annotations_of
from promo_runtime.validation.annotations import AnnotationReader
from promo_runtime.validation.call_checks import Watch
from promo_runtime.validation.dtype_errors import DtypeError, calling_place
from promo_runtime.validation.value_checks import Check, check_of

_DONE: Final = "__promo_checked_fields__"


class FieldChecks:
    """The checks of the fields that a class and its bases declare, read on first use."""

    def __init__(self, cls: type, watch: Watch | None) -> None:
        self._cls: Final = cls
        self._watch: Final = watch
        self._checks: dict[str, tuple[type, Check]] | None = None

    @property
    def checks(self) -> dict[str, tuple[type, Check]]:
        """Field -> its declaring class and its check. Raises AnnotationError."""
        if self._checks is None:
            self._checks = {}
            for base in reversed(self._cls.__mro__):
                if base is not object:
                    self._checks.update(_declared(base))
            if self._checks and self._watch is not None:
                self._watch.functions.add(f"{self._cls.__module__}.{self._cls.__qualname__}")
        return self._checks

    def all_of(self, instance: object) -> None:
        """Check each field that has a value. Raises DtypeError."""
        __tracebackhide__ = True
        for name in self.checks:
            if hasattr(instance, name):
                self.one(name, getattr(instance, name))

    def one(self, name: str, value: Any) -> None:
        """Check a value for a field. Raises DtypeError."""
        __tracebackhide__ = True
        started = perf_counter() if self._watch is not None else 0.0
        found = self.checks.get(name)
        if found is None:
            return
        owner, check = found
        mismatch = check(value, {})
        if self._watch is not None:
            self._watch.calls += 1
            self._watch.seconds += perf_counter() - started
        if mismatch is not None:
            raise DtypeError(
                subject=f"field {name}{mismatch.path}",
                function=f"{self._cls.__module__}.{self._cls.__qualname__}",
                expected=mismatch.expected,
                actual=mismatch.actual,
                annotation=annotation_text(owner, name),
                origin=calling_place(),
            )


def _declared(cls: type) -> dict[str, tuple[type, Check]]:
    reader = AnnotationReader(Names(cls))
    found = {}
    for name, annotation in annotations_of(cls).items():
        check = check_of(reader.read_for(f"field {name} of {cls.__module__}.{cls.__qualname__}", annotation))
        if check is not None:
            found[name] = (cls, check)
    return found


def check_fields(cls: type, watch: Watch | None) -> None:
    """Make a class check its fields: on each assignment, or for a frozen dataclass on construction.

    A class that becomes a dataclass later checks them after its construction.
    """
    if _DONE in vars(cls) or not any(map(annotations_of, cls.__mro__)):
        return
    setattr(cls, _DONE, True)
    checks = FieldChecks(cls, watch)
    if not hasattr(cls, "__dataclass_fields__"):
        _check_after("__post_init__", cls, checks)
    elif cls.__dataclass_params__.frozen:  # type: ignore[attr-defined] # every dataclass has them
        _check_after("__init__", cls, checks)
    else:
        _check_assignment(cls, checks)


def _check_after(method: str, cls: type, checks: FieldChecks) -> None:
    original: Callable[..., None] = getattr(cls, method, _nothing)

    @functools.wraps(original)
    def construct(self: object, *args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        original(self, *args, **kwargs)
        checks.all_of(self)

    setattr(cls, method, construct)


def _nothing(self: object) -> None:
    """A `__post_init__` for a class without one."""


def _check_assignment(cls: type, checks: FieldChecks) -> None:
    original: Callable[..., None] = cls.__setattr__

    @functools.wraps(original)
    def assign(self: object, name: str, value: Any) -> None:
        __tracebackhide__ = True
        checks.one(name, value)
        original(self, name, value)

    cls.__setattr__ = assign  # type: ignore[method-assign,assignment] # that is the purpose
