"""What arrays and functions ask of the namespace that they belong to, and which is made of them."""

from collections.abc import Callable
from typing import Any, Protocol

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.numpy_dtypes import DTypeLike


class Space(Protocol):
    """The functions under one promotion system, and what is kept for all arrays of it. `namespace.Namespace` is one."""

    @property
    def system(self) -> PromotionSystem:
        """Whose rules hold."""

    @property
    def mutable(self) -> bool:
        """Whether arrays take `x[0] = 1`."""

    @property
    def strict(self) -> bool:
        """Whether values of other kinds are cast neither by `astype`, from complex to real, nor by `x[0] = 1.5`."""

    @property
    def named(self) -> dict[DTypeLike, type[Shaped]]:
        """A dtype as somebody named it -> the one that arrays have."""

    @property
    def creators(self) -> dict[object, Callable[..., Any]]:
        """What `creation.created` is asked for -> the backend's function."""

    @property
    def operations(self) -> dict[str, Callable[..., Any]]:
        """Operation of the rules -> function."""

    @property
    def __name__(self) -> str:
        """What SciPy and others ask a namespace for, to tell NumPy's from other libraries'."""

    def __getattr__(self, name: str) -> Any: ...
