"""Which functions besides operators a system's namespace has: those whose dtype is known to follow from its operators.

Measured by running the libraries. A system of the user's, or a design option, offers what the system that it is built
on does; a function that is not listed for a system is not offered there, whatever it would probably do.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.promotion import PromotionSystem

_JAX: Final = frozenset({"jax", "jax-x32", "jax-strict"})
_JOINING: Final = _JAX | {"numpy", "dask", "torch", "array-api"}

OFFERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        # The dtype is what the arrays promote to.
        "where": _JOINING,
        **dict.fromkeys(("concat", "stack"), _JOINING | {"cupy"}),
        "select": _JAX | {"numpy", "dask"},
        # Without a dtype: that of Python's numbers.
        "defaults": _JOINING | {"numpy-legacy"},
        # Two results of the dtype that // gives.
        "divmod": _JAX | {"numpy", "numpy-legacy", "dask", "cupy"},
    }
)
"""Function -> the systems that have it."""

#: Functions with the dtype of a sum -> systems where that is measured, and no function of a library tells it.
LIKE_SUMS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    dict.fromkeys(("maximum", "minimum"), frozenset({"numpy-legacy"}))
)

_IMMUTABLE: Final = ("jax", "tensorflow")


def root(system: PromotionSystem) -> str:
    """The name of the system that a system is built on in the end, or its own."""
    while system.base is not None:
        system = system.base
    return system.name


def offers(system: PromotionSystem, function: str) -> bool:
    """Whether the system's namespace has the function, as far as its dtype follows from operators."""
    return function not in OFFERS or root(system) in OFFERS[function]


def is_like_a_sum(system: PromotionSystem, function: str) -> bool:
    """Whether the system's namespace has the function because its dtype is that of a sum."""
    return root(system) in LIKE_SUMS.get(function, ())


def is_mutable(system: PromotionSystem) -> bool:
    """Whether the library's arrays take `x[0] = 1`."""
    return not root(system).startswith(_IMMUTABLE)
