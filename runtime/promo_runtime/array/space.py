"""The part of a namespace that its own arrays and functions need."""

from collections.abc import Callable
from typing import Any, Protocol

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.numpy_dtypes import DTypeLike


class Space(Protocol):
    """The functions under one promotion system, with data that its arrays share. See `namespace.Namespace`."""

    @property
    def system(self) -> PromotionSystem:
        """The promotion system."""

    @property
    def mutable(self) -> bool:
        """Whether arrays support `x[0] = 1`."""

    @property
    def strict(self) -> bool:
        """Whether `astype` rejects casts from complex to real, and `x[0] = 1.5` rejects other kinds."""

    @property
    def named(self) -> dict[DTypeLike, type[Shaped]]:
        """The name of a dtype -> the dtype of arrays."""

    @property
    def creators(self) -> dict[object, Callable[..., Any]]:
        """The arguments of `creation.created` -> the backend's function."""

    @property
    def operations(self) -> dict[str, Callable[..., Any]]:
        """Operation of the rules -> function."""

    @property
    def __name__(self) -> str:
        """The name by which SciPy and others distinguish NumPy's namespace from other libraries'."""

    def __getattr__(self, name: str) -> Any: ...
