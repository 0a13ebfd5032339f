"""Functions of a system's namespace whose dtype follows from its operators.

Measured by running the libraries. A user-defined system, or a design option, has the functions of the system that it is
built on. A function that is not listed for a system is not available there, even if its dtype seems obvious.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.promotion import PromotionSystem

_JAX: Final = frozenset({"jax", "jax-x32", "jax-strict"})
_JOINING: Final = _JAX | {"numpy", "dask", "torch", "array-api"}

OFFERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        # The dtype is the promotion of the arrays.
        "where": _JOINING,
        **dict.fromkeys(("concat", "stack"), _JOINING | {"cupy"}),
        "select": _JAX | {"numpy", "dask"},
        # Without a dtype argument: the dtype of Python numbers.
        "defaults": _JOINING | {"numpy-legacy"},
        # Two results with the dtype of //.
        "divmod": _JAX | {"numpy", "numpy-legacy", "dask", "cupy"},
    }
)
"""Function -> the systems that have it."""

#: Functions with the dtype of a sum -> systems in which that was measured and no library function states it.
LIKE_SUMS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    dict.fromkeys(("maximum", "minimum"), frozenset({"numpy-legacy"}))
)

_IMMUTABLE: Final = ("jax", "tensorflow")


def root_name(system: PromotionSystem) -> str:
    """The name of the system at the end of the chain that a system is built on."""
    while system.base is not None:
        system = system.base
    return system.name


def offers(system: PromotionSystem, function: str) -> bool:
    """Whether the system's namespace has the function because its dtype follows from operators."""
    return function not in OFFERS or root_name(system) in OFFERS[function]


def is_like_a_sum(system: PromotionSystem, function: str) -> bool:
    """Whether the system's namespace has the function because its dtype is the dtype of a sum."""
    return root_name(system) in LIKE_SUMS.get(function, ())


def is_mutable(system: PromotionSystem) -> bool:
    """Whether the library's arrays support `x[0] = 1`."""
    return not root_name(system).startswith(_IMMUTABLE)
