"""Find the promotion system of a name, an argument or the context. The only state is a context variable."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system, system_names
from promo_mypy.rules.systems.torch import COMPLEX_OF

SystemLike: TypeAlias = str | PromotionSystem
"""A promotion system, or the name of one."""

DEFAULT: Final = "numpy"
"""The default system."""

_current: Final[ContextVar[PromotionSystem | None]] = ContextVar("promo_runtime.system", default=None)


def system_named(given: SystemLike | None) -> PromotionSystem:
    """The system of that name; for None, the system in use. Raises UnknownSystemError."""
    if given is None:
        return _current.get() or get_system(DEFAULT)
    return get_system(given) if isinstance(given, str) else given


def system(name: SystemLike, *, torch_default_dtype: str = "float32") -> AbstractContextManager[PromotionSystem]:
    """Set the system of calls that name none within a `with` block: `with system("jax"): asarray([1])`.

    An `Array` keeps the system of its creation. The choice belongs to the context (contextvars): other threads
    and tasks do not see it. Raises UnknownSystemError at once for an unknown name.
    """
    if isinstance(name, str):
        return _using(get_system(name, torch_default_dtype=torch_default_dtype))
    return _using(name)


def registered_as(system: PromotionSystem) -> tuple[str, str] | None:
    """The arguments of `get_system` that give the system: its name and torch's default dtype. None if it is not
    registered.
    """
    if system.name not in system_names():
        return None
    defaults = (default for default in COMPLEX_OF if get_system(system.name, torch_default_dtype=default) is system)
    default = next(defaults, None)
    return None if default is None else (system.name, default)


@contextmanager
def _using(chosen: PromotionSystem) -> Iterator[PromotionSystem]:
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)
