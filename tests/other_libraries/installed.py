"""The types that a program of a library needs."""

from pathlib import Path

from tests.needed import installed, needs
from tests.other_libraries.paddle_types import write_miniature


def needs_types(library: str, folder: Path) -> None:
    """Require the types of a library, or of one of its modes: for CuPy our own, for Paddle a miniature."""
    if library == "dask":
        needs("dask")
    elif library == "array-api-strict":
        needs("array_api_strict")
    elif library.startswith("tensorflow"):
        needs("tensorflow-stubs")  # types-tensorflow
    elif library == "paddle" and not installed("paddle"):
        write_miniature(folder)
