"""Which libraries are there, and what to do about one that is not: skip, unless the run was promised it."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.other_libraries.paddle_types import write_miniature

#: Names of modules that must be there; `python -m tests.other_libraries` sets it.
PROMISED = "PROMO_MYPY_LIBRARIES"


def needs(module: str) -> None:
    """Skip the test without that module, or fail it if the module was promised."""
    if find_spec(module) is not None:
        return
    if module in os.environ.get(PROMISED, "").split(","):
        pytest.fail(f"{module} is not installed")
    pytest.skip(f"needs {module}")


def needs_types(library: str, folder: Path) -> None:
    """The types of a library, by its name or by that of one of its modes: of CuPy our own, of Paddle a miniature."""
    if library == "dask":
        needs("dask")
    elif library == "array-api-strict":
        needs("array_api_strict")
    elif library.startswith("tensorflow"):
        needs("tensorflow-stubs")  # types-tensorflow
    elif library == "paddle" and find_spec("paddle") is None:
        write_miniature(folder)
