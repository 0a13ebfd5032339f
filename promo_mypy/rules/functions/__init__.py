"""The registry: functions, methods and attributes of the array libraries, and the dtypes that they return.

A library is a table of rows (`rows.Library`). It is imported when one of its functions is looked up.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from promo_mypy.rules.functions.language.arguments import Arguments
    from promo_mypy.rules.functions.language.protocols import Answer
    from promo_mypy.rules.functions.language.rows import Library, Row
    from promo_mypy.rules.operands import Refusal
    from promo_mypy.rules.promotion import PromotionSystem

#: Name of a library, as programs import it -> the module that has its `LIBRARY`.
_MODULES: Final[Mapping[str, str]] = {
    "numpy": "promo_mypy.rules.functions.numpy.library",
    "jax": "promo_mypy.rules.functions.jax.library",
    "torch": "promo_mypy.rules.functions.torch.library",
    "einops": "promo_mypy.rules.functions.einops.library",
    "opt_einsum": "promo_mypy.rules.functions.opt_einsum.library",
    "array_api_strict": "promo_mypy.rules.functions.array_api.library",
    "cupy": "promo_mypy.rules.functions.cupy.library",
    "dask": "promo_mypy.rules.functions.dask.library",
    "paddle": "promo_mypy.rules.functions.paddle.library",
    "tensorflow": "promo_mypy.rules.functions.tensorflow.library",
}

LIBRARY_NAMES: Final = tuple(_MODULES)
"""The libraries that have a table."""


@cache
def library(name: str) -> "Library":
    """The functions of that library. Raises KeyError unless LIBRARY_NAMES has it."""
    found: Library = import_module(_MODULES[name]).LIBRARY
    return found


@cache
def find(full_name: str) -> "Row | None":
    """The row of a function, method or attribute, by its full name.

    "numpy.linalg.norm", "jax.numpy.sum", "numpy.ndarray.sum", "numpy.ndarray.T". The first parameter of the row of a
    method or an attribute is the array.
    """
    for name in sorted(LIBRARY_NAMES, key=len, reverse=True):
        if full_name.startswith(name + "."):
            found = library(name)
            rest = full_name.removeprefix(name + ".")
            if found.array and rest.startswith(found.array + "."):
                member = rest.removeprefix(found.array + ".")
                return found.method(member) or found.attribute(member)
            row = found.function(rest)
            if row is not None:
                return row
    return None


@lru_cache(maxsize=16384)
def resolve_call(system: "PromotionSystem", row: "Row", arguments: "Arguments") -> "Answer | Refusal":
    """The result of the call: a dtype, several dtypes, the class of a Python scalar, or the refusal.

    None if the arguments do not determine it, or do not fit the signature.
    """
    from promo_mypy.rules.functions.language.resolving import resolved

    return resolved(system, row, arguments)
