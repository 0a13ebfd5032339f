"""The libraries that hold and compute arrays: none is imported unless the caller has, or asks for it by name."""

from promo_runtime.backends.base import Backend, BackendError
from promo_runtime.backends.finding import backend_named, backend_of, common_backend, is_array

__all__ = ["Backend", "BackendError", "backend_named", "backend_of", "common_backend", "is_array"]
