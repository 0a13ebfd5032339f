"""The backend of creation functions: chosen by `backend` or PROMO_BACKEND, else NumPy."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final

from promo_runtime.backends import Backend, backend_named

VARIABLE: Final = "PROMO_BACKEND"
_current: Final[ContextVar[Backend | None]] = ContextVar("promo_runtime.backend", default=None)


def backend(name: str) -> AbstractContextManager[Backend]:
    """Set the backend of creation functions within a `with` block: "numpy", "cupy" or "dask".

    The choice belongs to the context (contextvars). Raises BackendError at once, which states what is missing.
    """
    return _using(backend_named(name))


@contextmanager
def _using(chosen: Backend) -> Iterator[Backend]:
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)


def backend_in_use() -> Backend:
    """The backend of the context, else of the environment. Raises BackendError."""
    return _current.get() or of_environment()


@cache
def of_environment() -> Backend:
    """The backend that PROMO_BACKEND names, read at the first use. Raises BackendError."""
    return backend_named(os.environ.get(VARIABLE) or "numpy")
