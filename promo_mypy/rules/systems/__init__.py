"""The promotion systems by name."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from promo_mypy.rules.promotion import PromotionSystem


class UnknownSystemError(KeyError):
    """An unknown name of a promotion system; the message lists the allowed names."""

    def __str__(self) -> str:
        return str(self.args[0])


# Systems are imported and built on first use: a run of mypy without arrays builds none.
#: Name -> the module beside this one whose function `system` makes it.
_MODULES: Final[Mapping[str, str]] = {
    "numpy": "numpy",
    **dict.fromkeys(("jax", "jax-x32", "jax-strict"), "jax"),
    "torch": "torch",
    "numpy-legacy": "numpy_legacy",
    "jax-lax": "jax_lax",
    **dict.fromkeys(("tensorflow", "tensorflow-numpy-all", "tensorflow-numpy-safe"), "tensorflow"),
    "paddle": "paddle",
    "array-api": "array_api",
    "cupy": "cupy",
    "dask": "dask",
    **dict.fromkeys(("option-0", "option-1", "option-2", "option-3"), "options"),
}

SYSTEM_NAMES: Final = tuple(_MODULES)
"""The systems that come with this package."""

_registered: Final[dict[str, "Callable[[], PromotionSystem]"]] = {}
_made: Final[dict[tuple[str, str], "PromotionSystem"]] = {}


def system_names() -> tuple[str, ...]:
    """The names that get_system accepts: the systems that come with this package, then the registered ones."""
    return (*SYSTEM_NAMES, *_registered)


def register_system(name: str, build: "Callable[[], PromotionSystem]") -> None:
    """Register a user-defined system for get_system; the same name again replaces it.

    `build` is called on first use. Raises ValueError for the name of a system that comes with this
    package.
    """
    if name in _MODULES:
        raise ValueError(f"{name!r} is already a promotion system")
    _registered[name] = build
    _made.pop((name, ""), None)


def unregister_systems() -> None:
    """Remove all registered systems."""
    for name in _registered:
        _made.pop((name, ""), None)
    _registered.clear()


def get_system(name: str, *, torch_default_dtype: str = "float32") -> "PromotionSystem":
    """The one instance of that system: "numpy" (2.x), "jax" (x64 on), "torch", ..., or a registered one.

    `torch_default_dtype` is the argument of torch.set_default_dtype; only torch uses it. Raises
    UnknownSystemError for another name, ValueError for a default dtype that PyTorch rejects.
    """
    which = (name, torch_default_dtype if name == "torch" else "")
    found = _made.get(which)
    if found is None:
        found = _made[which] = _builder(name, torch_default_dtype)()
    return found


def root_of(name: str) -> str:
    """The system whose operators a system on another lattice uses; for any other system, its own name."""
    system = get_system(name)
    while (base := system.base) is not None:
        system = base
    return system.name


def _builder(name: str, torch_default_dtype: str) -> "Callable[[], PromotionSystem]":
    if name in _registered:
        return _registered[name]
    if name not in _MODULES:
        # Imported here: a run without mistakes need not load it.
        from promo_mypy.rules.wording.near_matches import meant

        hint = meant(name, system_names()) or f"; choose one of {', '.join(system_names())}"
        raise UnknownSystemError(f"no promotion system is called {name!r}{hint}")
    make: Callable[[str], PromotionSystem] = import_module(f"{__name__}.{_MODULES[name]}").system
    return partial(make, torch_default_dtype if name == "torch" else name)
