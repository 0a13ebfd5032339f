"""Which types of a library a program can be checked with."""

from pathlib import Path

from tests.needed import installed, needs
from tests.other_libraries.paddle_types import write_miniature


def needs_types(library: str, folder: Path) -> None:
    """The types of a library, by its name or by that of one of its modes: of CuPy our own, of Paddle a miniature."""
    if library == "dask":
        needs("dask")
    elif library == "array-api-strict":
        needs("array_api_strict")
    elif library.startswith("tensorflow"):
        needs("tensorflow-stubs")  # types-tensorflow
    elif library == "paddle" and not installed("paddle"):
        write_miniature(folder)
