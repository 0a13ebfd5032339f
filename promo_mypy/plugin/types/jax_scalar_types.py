"""The names of JAX's scalar types, such as `jnp.float32`: its stubs declare them as Any."""

from typing import Final

from promo_mypy.plugin.libraries import BY_NAMESPACE, Library
from promo_mypy.rules import dtype_names

#: The modules that define them.
MODULES: Final = frozenset(module for module, library in BY_NAMESPACE.items() if library is Library.JAX)

#: Every name that they are defined under.
NAMES: Final = frozenset(f"{module}.{name}" for module in MODULES for name in dtype_names.JAX_NAMES)
