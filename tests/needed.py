"""Declare what a test needs beyond `.[test]`, in one way: the test is skipped, and the skip names what is missing.

`needs("jax", "torch")` is for libraries that mypy reads or another process imports; `imported("jax.numpy")` returns
the module. At the top of a file they skip the whole file. A run that promises a library fails instead of skipping.
"""

import os
import shutil
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

_ROOT: Final = Path(__file__).resolve().parents[1]

#: Library -> what to install.
LIBRARIES: Final[Mapping[str, str]] = {
    "numpy": ".",  # always there: tests that take one library after another name it, too
    "jax": ".[jax]",
    "jaxtyping": ".[jax]",
    "equinox": ".[jax]",
    "torch": ".[torch]",
    "dask": ".[dask]",
    "distributed": ".[dask]",
    "array_api_strict": ".[array-api]",
    "numba": ".[fast]",
    "libcst": ".[fix]",
    "nbformat": ".[notebook]",
    "pygls": ".[lsp]",
    "pylsp": ".[test]",
    "pytest_lsp": ".[test]",
    "pylsp_mypy": ".[test]",
    "ruff": ".[dev]",
    "tensorflow-stubs": ".[tensorflow]",  # only the types
    "tensorflow": "tensorflow",
    "paddle": "paddlepaddle",
    "cupy": "cupy-cuda13x",
    "scipy": "scipy",
    "PIL": "pillow",
    "sphinx": ".[docs]",
    "build": ".[dev]",
    "twine": ".[dev]",
}

#: The environment variable with the libraries that a run promises, separated by commas.
PROMISED: Final = "PROMO_MYPY_LIBRARIES"


def needs(*libraries: str) -> None:
    """Skip the test, or the file, if one of these libraries is missing; none of them is imported."""
    __tracebackhide__ = True  # pytest reports the line of the caller
    for library in libraries:
        if not installed(library):
            _missing(library)


def imported(module: str) -> Any:
    """A module of one of the libraries; skips the test, or the file, if the library is missing."""
    __tracebackhide__ = True
    needs(_library(module))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of the library about other libraries
        return import_module(module)


def installed(*libraries: str) -> bool:
    """Whether all of these libraries are installed; each has a row in the table."""
    assert set(libraries) <= set(LIBRARIES), f"add {set(libraries) - set(LIBRARIES)} to the table"
    return all(map(_is_found, libraries))


def _is_found(library: str) -> bool:
    spec = find_spec(library)
    # A folder of the checkout, such as `build`, is found as a package without files of its own.
    return spec is not None and not any(Path(place).parent == _ROOT for place in spec.submodule_search_locations or ())


def needs_program(*alternatives: str) -> str:
    """The path of the first of these programs that this machine has; skips the test, or the file, if it has none."""
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
