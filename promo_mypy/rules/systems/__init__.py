"""The promotion systems by name."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from promo_mypy.rules.promotion import PromotionSystem


class UnknownSystemError(KeyError):
    """A name that no promotion system has; the message lists the allowed names."""

    def __str__(self) -> str:
        return str(self.args[0])


# The tables of a system are built when it is asked for: a run of mypy without arrays builds none.


def _numpy(_name: str, _default: str) -> "PromotionSystem":
    from promo_mypy.rules.systems import numpy

    return numpy.NumpySystem()


def _jax(name: str, _default: str) -> "PromotionSystem":
    from promo_mypy.rules.systems import jax

    return jax.system(name)


def _torch(_name: str, default: str) -> "PromotionSystem":
    from promo_mypy.rules.systems import torch

    return torch.TorchSystem(default)


_SYSTEMS: Final[Mapping[str, Callable[[str, str], "PromotionSystem"]]] = {
    "numpy": _numpy,
    "jax": _jax,
    "jax-x32": _jax,
    "jax-strict": _jax,
    "torch": _torch,
}

SYSTEM_NAMES: Final = tuple(_SYSTEMS)


@cache
def get_system(name: str, *, torch_default_dtype: str = "float32") -> "PromotionSystem":
    """The one instance of that system: "numpy" (2.x), "jax" (x64 on), "jax-x32", "jax-strict", "torch".

    `torch_default_dtype` is what torch.set_default_dtype was given; only torch looks at it. Raises
    UnknownSystemError for another name, ValueError for a default dtype that PyTorch does not take.
    """
    if name not in _SYSTEMS:
        raise UnknownSystemError(f"no promotion system is called {name!r}; choose one of {', '.join(SYSTEM_NAMES)}")
    return _SYSTEMS[name](name, torch_default_dtype)
