"""The promotion system that a name, an argument or the context stands for. State lives in a context variable only."""

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
"""What is in use where nobody says otherwise."""

_current: Final[ContextVar[PromotionSystem | None]] = ContextVar("promo_runtime.system", default=None)


def system_named(given: SystemLike | None) -> PromotionSystem:
    """The system of that name, or the one in use for None. Raises UnknownSystemError."""
    if given is None:
        return _current.get() or get_system(DEFAULT)
    return get_system(given) if isinstance(given, str) else given


def system(name: SystemLike, *, torch_default_dtype: str = "float32") -> AbstractContextManager[PromotionSystem]:
    """Within the `with` block, the system of whatever names none itself: `with system("jax"): asarray([1])`.

    An `Array` keeps the system that it was made with. The choice belongs to the context (contextvars): other threads
    and tasks do not see it. Raises UnknownSystemError at once for an unknown name.
    """
    if isinstance(name, str):
        return _using(get_system(name, torch_default_dtype=torch_default_dtype))
    return _using(name)


def reference(system: PromotionSystem) -> tuple[str, str] | None:
    """The name and torch's default dtype that get_system knows a system by; None for one that it does not know."""
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
