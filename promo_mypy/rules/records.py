"""Decorators for small immutable classes. Every run of mypy imports about a hundred of them.

For mypy their instances are frozen; at run time they can be changed. A frozen dataclass, whose
methods are compiled one by one, takes ten times as long to create (30 ms for all of them), and three times as long
for each instance.
"""

from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_Class]) -> type[_Class]:
    """A dataclass with slots that is compared and hashed by value, except for fields with `compare=False`.

    A comparison that the class defines stays.
    """
    own = vars(cls)
    made = rule(cls)
    compared = [found.name for found in fields(made) if found.compare]  # type: ignore[arg-type]  # it is a dataclass
    values = attrgetter("__class__", *compared)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    if "__eq__" not in own:
        made.__eq__ = equal  # type: ignore[method-assign]  # as a dataclass has it
    # Python sets the hash of a class with its own comparison to None.
    if own.get("__hash__") is None:
        made.__hash__ = hashed  # type: ignore[method-assign]  # as a frozen dataclass has it
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def rule(cls: type[_Class]) -> type[_Class]:
    """A dataclass with slots whose instances are compared by identity."""
    written = (*vars(cls).values(), *getattr(cls, "__dataclass_fields__", {}).values())
    # A dataclass without a docstring gets its signature as docstring, which takes 4 ms.
    cls.__doc__ = cls.__doc__ or cls.__qualname__
    is_plain = not hasattr(cls, "__post_init__") and not any(map(_is_special, written))
    made = dataclass(slots=True, eq=False, repr=False, init=not is_plain)(cls)
    if is_plain:
        made.__init__ = _storing_all(made)  # type: ignore[method-assign]  # as a dataclass has it
    if "__repr__" not in vars(cls):
        made.__repr__ = _shown  # type: ignore[method-assign]  # one text for all of them
    return made


def _is_special(value: object) -> bool:
    """Whether a field has options besides a name and a default."""
    return isinstance(value, Field) and (
        value.default_factory is not MISSING or not value.init or value.kw_only is True
    )


def _storing_all(made: type[Any]) -> FunctionType:
    """An `__init__` with these names, made from the code of one for as many fields."""
    names = tuple(found.name for found in fields(made))
    code = _storing(len(names)).replace(co_varnames=("self", *names), co_names=names)
    defaults = tuple(found.default for found in fields(made) if found.default is not MISSING)
    return FunctionType(code, {}, "__init__", defaults)


@cache
def _storing(count: int) -> CodeType:
    names = [f"_{number}" for number in range(count)]
    lines = [f"def __init__({', '.join(['self', *names])}):", *(f" self.{name} = {name}" for name in names), " pass"]
    found: dict[str, Any] = {}
    exec("\n".join(lines), found)
    code: CodeType = found["__init__"].__code__
    return code


def _shown(self: Any) -> str:
    shown = ", ".join(f"{found.name}={getattr(self, found.name)!r}" for found in fields(self) if found.repr)
    return f"{type(self).__qualname__}({shown})"
