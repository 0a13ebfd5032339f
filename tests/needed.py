"""What a test needs beyond `.[test]`, said in one way: what is missing is a skip that names it.

`needs("jax", "torch")` is for what mypy reads, or another process imports; `imported("jax.numpy")` is the module.
At the top of a file they skip all of it. A run that was promised a library fails in place of the skip.
"""

import os
import shutil
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import pytest

#: Library -> what installs it.
LIBRARIES: Final[Mapping[str, str]] = {
    "numpy": ".",  # always there: tests that take one library after the other name it, too
    "jax": ".[jax]",
    "jaxtyping": ".[jax]",
    "equinox": ".[jax]",
    "torch": ".[torch]",
    "dask": ".[dask]",
    "distributed": ".[dask]",
    "array_api_strict": ".[array-api]",
    "numba": ".[fast]",
    "tensorflow-stubs": ".[tensorflow]",  # the types alone
    "tensorflow": "tensorflow",
    "paddle": "paddlepaddle",
    "cupy": "cupy-cuda13x",
    "scipy": "scipy",
    "build": ".[dev]",
    "twine": ".[dev]",
}

#: The environment variable that names, with commas, the libraries that a run was promised.
PROMISED: Final = "PROMO_MYPY_LIBRARIES"


def needs(*libraries: str) -> None:
    """Skip the test, or the file, without one of these libraries; none of them is imported."""
    __tracebackhide__ = True  # pytest tells the line that calls
    for library in libraries:
        if not installed(library):
            _missing(library)


def imported(module: str) -> Any:
    """A module of one of the libraries; skips the test, or the file, without that library."""
    __tracebackhide__ = True
    needs(_library(module))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library, about others
        return import_module(module)


def installed(*libraries: str) -> bool:
    """Whether all of these libraries are there; each has a row in the table."""
    assert set(libraries) <= set(LIBRARIES), f"add {set(libraries) - set(LIBRARIES)} to the table"
    return all(find_spec(library) is not None for library in libraries)


def needs_program(*alternatives: str) -> str:
    """The path of the first of these programs that this machine has; skips the test, or the file, without any."""
    __tracebackhide__ = True
    found = next(filter(None, map(shutil.which, alternatives)), None)
    if found is None:
        pytest.skip(f"needs {' or '.join(alternatives)}", allow_module_level=True)
    return found


def _library(module: str) -> str:
    return "distributed" if module == "dask.distributed" else module.partition(".")[0]


def _missing(library: str) -> None:
    __tracebackhide__ = True
    if library in os.environ.get(PROMISED, "").split(","):
        pytest.fail(f"{library} is not installed, and this run was promised it")
    pytest.skip(f"needs {library}: pip install '{LIBRARIES[library]}'", allow_module_level=True)
