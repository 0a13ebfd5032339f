"""mypy's types -> array libraries, dtypes and ranks."""

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.stored_modules import modules_of
from promo_mypy.plugin.libraries import PACKAGES, Library
from promo_mypy.plugin.state.session import system_name
from promo_mypy.plugin.types.array_types import Value, array_row, as_array, library_of, read
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.walks import members, opened, parts_of

__all__ = [
    "PACKAGES",
    "Library",
    "Value",
    "array_row",
    "as_array",
    "is_scalar_type",
    "library_of",
    "may_be_anything",
    "members",
    "modules_of",
    "names",
    "opened",
    "parts_of",
    "read",
    "system_name",
]
