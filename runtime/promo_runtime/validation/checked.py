"""`@checked`: compare the annotated dtypes of a function, method or class with the actual ones."""

import functools
import inspect
import types
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any, Final, TypeVar, cast

from promo_runtime.validation.call_checks import CallChecks, Watch
from promo_runtime.validation.checked_fields import check_fields
from promo_runtime.validation.checked_sources import CLASS, FUNCTION

Target = TypeVar("Target")

_MARK: Final = "__promo_checked__"


def checked(target: Target) -> Target:
    """Compare every annotated array's dtype with the actual one, on each call and return.

    For functions, methods (above or below `@staticmethod`, `@classmethod` and `@property`), generators and `async`
    functions; for a class, its methods, and if it is a dataclass its fields, when they are assigned (for a frozen
    one when it is constructed). Put it next to the function, whose signature counts, and above `@dataclass`.

    Annotations are read, and defaults checked, before the first call. Annotations without a dtype are ignored, and
    so are values that are not arrays.
    Raises, on calls: DtypeError; AnnotationError for an annotation that contradicts itself.
    """
    return cast(Target, wrapped(target, None))


def wrapped(target: Any, watch: Watch | None) -> Any:
    """The same, with counts in a watch."""
    if isinstance(target, staticmethod | classmethod):
        return type(target)(wrapped(target.__func__, watch))
    if isinstance(target, property):
        get, set_, delete = (each and wrapped(each, watch) for each in (target.fget, target.fset, target.fdel))
        return property(get, set_, delete, target.__doc__)
    if isinstance(target, functools.cached_property):
        target.func = wrapped(target.func, watch)
        return target
    if isinstance(target, type):
        return wrapped_class(target, watch)
    return target if getattr(target, _MARK, False) else _wrapped_callable(target, watch)


def wrapped_class(cls: type, watch: Watch | None) -> type:
    """The class itself, with its own methods and its fields checked."""
    for name, member in list(vars(cls).items()):
        if _is_method(member):
            setattr(cls, name, wrapped(member, watch))
    check_fields(cls, watch)
    return cls


def instrumenting_names(watch: Watch) -> dict[str, Any]:
    """The names that trees changed by `checked_sources` use."""

    def with_fields(cls: type) -> type:
        if "__dataclass_fields__" in vars(cls):
            check_fields(cls, watch)
        return cls

    return {FUNCTION: functools.partial(wrapped, watch=watch), CLASS: with_fields}


def _is_method(member: Any) -> bool:
    return isinstance(member, types.FunctionType | staticmethod | classmethod | property | functools.cached_property)


def _wrapped_callable(target: Callable[..., Any], watch: Watch | None) -> Callable[..., Any]:
    function = inspect.unwrap(target)
    if not inspect.isfunction(function):
        return target
    wrapper = _wrapper(target, CallChecks(function, watch))
    if not inspect.isfunction(target):
        wrapper = _CallableObject(target, wrapper)
    setattr(wrapper, _MARK, True)
    return wrapper


def _wrapper(target: Callable[..., Any], checks: CallChecks) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(target):
        return _coroutine(target, checks)
    if inspect.isgeneratorfunction(target):
        return _generator(target, checks)
    if inspect.isasyncgenfunction(target):
        return _async_generator(target, checks)

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        bindings = checks.enter(args, kwargs)
        return checks.leave(target(*args, **kwargs), bindings)

    return call


def _coroutine(target: Callable[..., Any], checks: CallChecks) -> Callable[..., Any]:
    @functools.wraps(target)
    async def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        bindings = checks.enter(args, kwargs)
        return checks.leave(await target(*args, **kwargs), bindings)

    return call


def _generator(target: Callable[..., Any], checks: CallChecks) -> Callable[..., Any]:
    """Delegate like `yield from` (PEP 380), and check each value."""

    @functools.wraps(target)
    def generate(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        __tracebackhide__ = True
        bindings = checks.enter(args, kwargs)
        generator = target(*args, **kwargs)
        step, value = generator.send, None
        try:
            while True:
                try:
                    item = step(value)
                except StopIteration as stop:
                    return checks.leave(stop.value, bindings)
                checks.yielded(item, bindings)
                try:
                    value = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:
                    step, value = generator.throw, error
                else:
                    step = generator.send
                    if value is not None:
                        checks.sent(value, bindings)
        finally:
            generator.close()

    return generate


def _async_generator(target: Callable[..., Any], checks: CallChecks) -> Callable[..., Any]:
    @functools.wraps(target)
    async def generate(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        __tracebackhide__ = True
        bindings = checks.enter(args, kwargs)
        generator = target(*args, **kwargs)
        step, value = generator.asend, None
        try:
            while True:
                try:
                    item = await step(value)
                except StopAsyncIteration:
                    return
                checks.yielded(item, bindings)
                try:
                    value = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:
                    step, value = generator.athrow, error
                else:
                    step = generator.asend
                    if value is not None:
                        checks.sent(value, bindings)
        finally:
            await generator.aclose()

    return generate


class _CallableObject:
    """A checked callable that is not a function (of `jax.jit`, `functools.lru_cache`), with all its attributes."""

    def __init__(self, target: Callable[..., Any], call: Callable[..., Any]) -> None:
        functools.update_wrapper(self, target)
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return self._call(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> Any:
        if "__wrapped__" not in vars(self):  # while a copy is made
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)
