"""Minimal packages that mypy accepts as JAX and jaxtyping, for tests that run mypy many times."""

from pathlib import Path

from promo_mypy.rules.jaxtyping_names import NAMES

_JAX = """\
from jax._src.basearray import Array as Array
"""
_BASEARRAY = """\
class Array:
    def __add__(self, other: object) -> Array: ...
    def __mul__(self, other: object) -> Array: ...
    def __truediv__(self, other: object) -> Array: ...
"""


def write_libraries(folder: Path) -> None:
    """Write `jax` and `jaxtyping` into a folder where mypy looks for modules, imported as the real ones are."""
    indirection = "".join(f"from typing import Annotated as {name}\n" for name in NAMES)
    exports = "".join(f"from ._indirection import {name} as {name}\n" for name in NAMES)
    files = {
        "jax/__init__.pyi": _JAX,
        "jax/numpy.pyi": "from typing import Any\nint32: Any\n",
        "jax/_src/__init__.pyi": "",
        "jax/_src/basearray.pyi": _BASEARRAY,
        # mypy reports nothing in installed packages; these are not installed.
        "jaxtyping/__init__.pyi": f"# mypy: ignore-errors\nfrom jax import Array as Array\n{exports}",
        "jaxtyping/_indirection.pyi": indirection,
    }
    write(folder, files)


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files, and the folders that they need."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
