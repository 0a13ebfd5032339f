"""The promotion systems by name."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import jax, numpy, torch


class UnknownSystemError(KeyError):
    """A name that no promotion system has; the message lists the allowed names."""

    def __str__(self) -> str:
        return str(self.args[0])


_SYSTEMS: Final[Mapping[str, Callable[[str], PromotionSystem]]] = {
    "numpy": lambda _: numpy.NumpySystem(),
    "jax": lambda _: jax.JaxSystem("jax", jax.COVERS, x64=True),
    "jax-x32": lambda _: jax.JaxSystem("jax-x32", jax.COVERS_X32, x64=False),
    "jax-strict": lambda _: jax.JaxSystem("jax-strict", jax.COVERS_STRICT, x64=True, strict=True),
    "torch": lambda default: torch.TorchSystem(default),
}

SYSTEM_NAMES: Final = tuple(_SYSTEMS)


@cache
def get_system(name: str, *, torch_default_dtype: str = "float32") -> PromotionSystem:
    """The one instance of that system: "numpy" (2.x), "jax" (x64 on), "jax-x32", "jax-strict", "torch".

    `torch_default_dtype` is what torch.set_default_dtype was given; only torch looks at it. Raises
    UnknownSystemError for another name, ValueError for a default dtype that PyTorch does not take.
    """
    if name not in _SYSTEMS:
        raise UnknownSystemError(f"no promotion system is called {name!r}; choose one of {', '.join(SYSTEM_NAMES)}")
    return _SYSTEMS[name](torch_default_dtype)
