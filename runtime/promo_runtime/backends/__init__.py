"""The libraries that hold and compute arrays. A library is imported only if the caller imported it or names it."""

from promo_runtime.backends.base import Backend, BackendError
from promo_runtime.backends.finding import backend_named, backend_of, common_backend, is_array

__all__ = ["Backend", "BackendError", "backend_named", "backend_of", "common_backend", "is_array"]
