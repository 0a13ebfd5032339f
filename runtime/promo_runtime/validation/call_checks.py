"""The checks of a function's calls, read from its annotations at the first call."""

import inspect
import typing
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator
from time import perf_counter
from typing import Any, Final, NamedTuple

from promo_runtime.validation.annotation_source import annotation_text
from promo_runtime.validation.annotation_strings import Names, annotations_of, evaluated, forward_text
from promo_runtime.validation.annotations import AnnotationReader
from promo_runtime.validation.dtype_errors import DtypeError, Place, calling_place
from promo_runtime.validation.value_checks import Bindings, Check, Mismatch, check_of

_YIELDING: Final = (Generator, AsyncGenerator, Iterator, AsyncIterator, Iterable, AsyncIterable)


class Watch:
    """The counts of a test session.

    Attributes:
        functions: the called functions that have something to check.
        calls: how often they were called.
        seconds: how long the checks took.
    """

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self.calls = 0
        self.seconds = 0.0


class Checks(NamedTuple):
    """The checks of a function: its parameters, its result, and what a generator yields and is sent."""

    positional: tuple[tuple[int, str, Check], ...]
    variadic: tuple[int, str, Check] | None
    """For `*args`: the position of the first argument, and the name."""
    named: dict[str, Check]
    others: Check | None
    """For `**kwargs`, which are called `others_name`."""
    others_name: str
    result: Check | None
    yielded: Check | None
    sent: Check | None
    parameters: tuple[str, ...]
    """Names of positional parameters, if a `Promote` refers to parameters."""

    @property
    def any(self) -> bool:
        """Whether there is anything to check."""
        return bool(self.named or self.variadic or self.others or self.result or self.yielded or self.sent)


def read_checks(function: Callable[..., Any]) -> Checks:
    """The checks from a function's annotations. Raises AnnotationError, which names the parameter."""
    reader = AnnotationReader(Names(function))
    written = annotations_of(function)

    def check(name: str, annotation: Any) -> Check | None:
        what = "result" if name == "return" else f"parameter {name}"
        return check_of(reader.read_for(f"{what} of {function.__module__}.{function.__qualname__}", annotation))

    code = function.__code__
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    result, yielded, sent = written.pop("return", None), None, None
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yielded, sent, result = _of_generator(result, reader.names)
    checks = {name: found for name in written if (found := check(name, written[name])) is not None}
    variadic = names[count + only] if code.co_flags & inspect.CO_VARARGS else ""
    keywords = names[count + only + bool(variadic)] if code.co_flags & inspect.CO_VARKEYWORDS else ""
    outgoing = [check("return", annotation) for annotation in (result, yielded, sent)]
    rest = checks.pop(variadic, None)
    return Checks(
        positional=tuple((i, names[i], checks[names[i]]) for i in range(count) if names[i] in checks),
        variadic=(count, variadic, rest) if rest is not None else None,
        others=checks.pop(keywords, None),
        others_name=keywords,
        named=checks,
        result=outgoing[0],
        yielded=outgoing[1],
        sent=outgoing[2],
        parameters=names[:count] if reader.promotes else (),
    )


def _of_generator(annotation: Any, names: Names) -> tuple[Any, Any, Any]:
    """The expectations of `Generator[Y, S, R]` and similar types for the yielded, sent and returned values."""
    text = forward_text(annotation)
    if text is not None:
        annotation = evaluated(text, names)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin not in _YIELDING or not arguments:
        return None, None, None
    sent, result = (*arguments[1:], None, None)[:2]
    return arguments[0], sent, result


class CallChecks:
    """The checks of one function's calls; `enter` and `leave` are replaced once the annotations have been read."""

    __slots__ = ("_checks", "_function", "_watch", "enter", "leave")

    def __init__(self, function: Callable[..., Any], watch: Watch | None) -> None:
        self._function: Final = function
        self._watch: Final = watch
        self._checks: Checks | None = None
        self.enter: Callable[[tuple[Any, ...], dict[str, Any]], Bindings] = self._first_enter
        """Checks the arguments of a call. Raises DtypeError."""
        self.leave: Callable[[Any, Bindings], Any] = self._leave
        """Checks and returns the result. Raises DtypeError."""

    @property
    def checks(self) -> Checks:
        """The closures. Raises AnnotationError."""
        if self._checks is None:
            self._checks = read_checks(self._function)
        return self._checks

    def _first_enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bindings:
        __tracebackhide__ = True
        checks = self.checks
        self._look_at_defaults(checks)
        if not checks.any:
            self.enter, self.leave = _enter_nothing, _leave_nothing
        elif self._watch is not None:
            self._watch.functions.add(f"{self._function.__module__}.{self._function.__qualname__}")
            self.enter, self.leave = self._timed_enter, self._timed_leave
        else:
            self.enter = self._enter
        return self.enter(args, kwargs)

    def _look_at_defaults(self, checks: Checks) -> None:
        """Check defaults once, before the first call, whether or not it passes the argument. Raises DtypeError."""
        __tracebackhide__ = True
        function = self._function
        positional = function.__code__.co_varnames[: function.__code__.co_argcount]
        defaults = dict(zip(reversed(positional), reversed(function.__defaults__ or ()), strict=False))
        for name, value in (defaults | (function.__kwdefaults__ or {})).items():
            check = checks.named.get(name) if not checks.parameters else None  # a Promote needs the arguments of a call
            found = check(value, {}) if check is not None else None
            if found is not None:
                self._fail(f"default {name}", name, found, self._own_place())

    def _enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bindings:
        __tracebackhide__ = True
        checks = self._checks or self.checks
        bindings: Bindings = {}
        if checks.parameters:
            bindings.update(zip(checks.parameters, args, strict=False))
            bindings.update(kwargs)
        count = len(args)
        for place, name, check in checks.positional:
            if place < count:
                found = check(args[place], bindings)
                if found is not None:
                    self._fail(f"argument {name}", name, found, calling_place())
        if kwargs:
            self._enter_named(checks, kwargs, bindings)
        if checks.variadic is not None:
            first, name, check = checks.variadic
            for place, value in enumerate(args[first:]):
                found = check(value, bindings)
                if found is not None:
                    self._fail(f"argument {name}[{place}]", name, found, calling_place())
        return bindings

    def _enter_named(self, checks: Checks, kwargs: dict[str, Any], bindings: Bindings) -> None:
        __tracebackhide__ = True
        for name, value in kwargs.items():
            check = checks.named.get(name, checks.others)
            found = check(value, bindings) if check is not None else None
            if found is not None:
                written = name if name in checks.named else checks.others_name
                self._fail(f"argument {name}", written, found, calling_place())

    def _leave(self, result: Any, bindings: Bindings) -> Any:
        __tracebackhide__ = True
        check = (self._checks or self.checks).result
        if check is not None:
            found = check(result, bindings)
            if found is not None:
                self._fail("result", "return", found, self._own_place())
        return result

    def yielded(self, value: Any, bindings: Bindings) -> Any:
        """Check and return a yielded value. Raises DtypeError."""
        __tracebackhide__ = True
        check = self.checks.yielded
        found = check(value, bindings) if check is not None else None
        if found is not None:
            self._fail("yielded value", "return", found, self._own_place())
        return value

    def sent(self, value: Any, bindings: Bindings) -> Any:
        """Check and return a value sent into a generator. Raises DtypeError."""
        __tracebackhide__ = True
        check = self.checks.sent
        found = check(value, bindings) if check is not None else None
        if found is not None:
            self._fail("sent value", "return", found, calling_place())
        return value

    def _timed_enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bindings:
        __tracebackhide__ = True
        started = perf_counter()
        try:
            return self._enter(args, kwargs)
        finally:
            self._count(started)

    def _timed_leave(self, result: Any, bindings: Bindings) -> Any:
        __tracebackhide__ = True
        started = perf_counter()
        try:
            return self._leave(result, bindings)
        finally:
            self._count(started, calls=0)

    def _count(self, started: float, calls: int = 1) -> None:
        watch = self._watch
        if watch is not None:
            watch.calls += calls
            watch.seconds += perf_counter() - started

    def _own_place(self) -> Place:
        code = self._function.__code__
        return Place(code.co_filename, code.co_firstlineno)

    def _fail(self, subject: str, parameter: str, found: Mismatch, origin: Place | None) -> None:
        __tracebackhide__ = True
        raise DtypeError(
            subject=subject + found.path,
            function=f"{self._function.__module__}.{self._function.__qualname__}",
            expected=found.expected,
            actual=found.actual,
            annotation=annotation_text(self._function, parameter),
            origin=origin,
        )


def _enter_nothing(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bindings:
    del args, kwargs
    return {}


def _leave_nothing(result: Any, bindings: Bindings) -> Any:
    del bindings
    return result
