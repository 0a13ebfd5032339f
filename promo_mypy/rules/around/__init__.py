"""What the libraries around NumPy, JAX and PyTorch return, and the objects that they make. Source: running them.

Most of these libraries declare no types, so mypy calls no hook for them: `promo-mypy infer` and `coverage` read these
tables. `tests/program/around` has the calls, and the dtypes that each of them was seen to return.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from promo_mypy.rules import functions

if TYPE_CHECKING:
    from promo_mypy.rules.around.tables import Made, Table
    from promo_mypy.rules.functions.language.rows import Row

#: Name of a library, as programs import it -> the module that has its table.
_MODULES: Final[Mapping[str, str]] = {
    "flax": "promo_mypy.rules.around.of_flax",
    **dict.fromkeys(("haiku", "jax", "optax"), "promo_mypy.rules.around.of_jax"),
    **dict.fromkeys(("torchvision", "torchaudio"), "promo_mypy.rules.around.of_torch"),
    **dict.fromkeys(("cv2", "librosa", "skimage", "sklearn"), "promo_mypy.rules.around.of_numpy"),
    **dict.fromkeys(("h5py", "nibabel", "pandas", "rasterio", "xarray"), "promo_mypy.rules.around.containers"),
}

LIBRARY_NAMES: Final = frozenset(_MODULES)
"""The libraries that have a table."""


def table(full_name: str) -> "Table | None":
    """The table of the library to which a function or class belongs."""
    library = full_name.partition(".")[0]
    return _table(_MODULES[library]) if library in _MODULES else None


def find(full_name: str) -> "Row | None":
    """The row of a function, or of a method or attribute of an object that such a library makes."""
    found = table(full_name)
    return None if found is None else found.rows.get(found.aliases.get(full_name, full_name))


def made_by(full_name: str) -> "Made | None":
    """What a function, a class or a method makes."""
    found = table(full_name)
    return None if found is None else found.made.get(found.aliases.get(full_name, full_name))


def derived_from(cls: str) -> str | None:
    """The class of what methods, attributes and subscripts of such an object give."""
    found = table(cls)
    return None if found is None else found.derived.get(cls)


def class_of(annotation: str) -> str | None:
    """The class of an object that has such an annotation."""
    found = table(annotation)
    return None if found is None else found.classes.get(annotation)


def other_name(full_name: str) -> str:
    """The name of the same function in the array library itself, where a library only passes it on."""
    found = table(full_name)
    return full_name if found is None else found.passed_on.get(full_name, full_name)


def row_of(name: str) -> "Row | None":
    """The row of a function of an array library, or of one around them."""
    other = other_name(name)
    return functions.find(other) or find(other)


@cache
def _table(module: str) -> "Table":
    found: Table = import_module(module).TABLE
    return found
