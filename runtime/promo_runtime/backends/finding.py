"""Find the backend of an array or a name."""

import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from promo_runtime.backends.base import Backend, BackendError
from promo_runtime.backends.numpy_backend import NUMPY

NAMES: Final = ("numpy", "cupy", "dask")
"""The backends that creation functions allocate with."""

#: Top-level module of a class of arrays -> its backend and where it computes.
_LIBRARIES: Final[Mapping[str, tuple[str, str]]] = {
    "dask": ("dask", "CPU"),
    "cupy": ("cupy", "GPU"),
    "array_api_strict": ("array_api_strict", "CPU"),
}
_made: Final[dict[str, Backend]] = {"numpy": NUMPY}


def _make(name: str, device: str) -> Backend:
    if name not in _made:
        # Imported here because these modules need optional libraries.
        if name == "dask":
            from promo_runtime.backends.dask_backend import DaskBackend

            _made[name] = DaskBackend()
        elif name == "cupy":
            from promo_runtime.backends.cupy_backend import CupyBackend

            _made[name] = CupyBackend()
        else:
            from promo_runtime.backends.standard_backend import StandardBackend

            _made[name] = StandardBackend(name, device)
    return _made[name]


def backend_of(array: Any) -> Backend | None:
    """The backend of an array, whose library the caller has imported; None for anything else."""
    if isinstance(array, np.ndarray | np.generic):
        return NUMPY
    library = _LIBRARIES.get(type(array).__module__.partition(".")[0])
    if library is None or not hasattr(array, "dtype") or library[0] not in sys.modules:
        return None
    return _make(*library)


def is_array(value: Any) -> bool:
    """Whether it is an array of a backend."""
    return backend_of(value) is not None


def common_backend(backends: Iterable[Backend]) -> Backend:
    """The backend that computes with arrays of all these backends. NumPy arrays may enter Dask graphs.

    Raises TypeError, naming both, for arrays on CPU and GPU, or of two other libraries.
    """
    found = {backend.name: backend for backend in backends}
    if found.keys() == {"numpy", "dask"}:
        return found["dask"]
    if len(found) > 1:
        one, other = list(found.values())[:2]
        where = f" ({one.device})", f" ({other.device})"
        gpu = next((each.name for each in (one, other) if each.device == "GPU"), "")
        remedy = f"move one first: {gpu}.asarray(x) to the GPU, {gpu}.asnumpy(x) back" if gpu else "convert one first"
        raise TypeError(f"arrays of {one.name}{where[0]} and {other.name}{where[1]} do not mix; {remedy}")
    return next(iter(found.values()), NUMPY)


def backend_named(name: str) -> Backend:
    """The backend of that name, imported if necessary. Raises BackendError, which states what is missing."""
    if name not in NAMES:
        raise BackendError(f"no backend is called {name!r}; choose one of {', '.join(NAMES)}")
    if name in _made:
        return _made[name]
    if find_spec(name) is None:
        raise BackendError(_INSTALL[name])
    if name == "cupy":
        _require_gpu()
    return _make(*_LIBRARIES[name])


_INSTALL: Final = {
    "cupy": "the backend cupy needs CuPy, which is not installed: pip install cupy-cuda13x (or cupy-cuda12x, to match "
    "the CUDA version that nvidia-smi prints), and an NVIDIA GPU",
    "dask": 'the backend dask needs Dask, which is not installed: pip install "dask[array]"',
}


def _require_gpu() -> None:
    try:
        from importlib import import_module

        cupy = import_module("cupy")
        devices = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # CUDA's own errors, and ImportError for a missing CUDA library
        raise BackendError(f"CuPy is installed, but finds no CUDA device: {type(error).__name__}: {error}") from error
    if not devices:
        raise BackendError(f"CuPy {cupy.__version__} is installed, but finds no CUDA device")
