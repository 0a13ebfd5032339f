"""The array API standard 2025.12 as a module: `import promo_runtime.array_api as xp`.

The same as `namespace("array-api")`, but its functions return `Array`s. They reject everything that the standard leaves
undefined, whatever NumPy computes. Source: data-apis.org/array-api/2025.12.
"""

from typing import Any, Final

from promo_runtime.namespaces.namespace import namespace

_space: Final = namespace("array-api").of_arrays
#: Members of namespaces that are not in the standard.
_OURS: Final = frozenset(
    {
        "check_stored", "creators", "in_place", "mutable", "named", "numpy_function", "of_arrays",
        "operations", "strict", "system", "ufunc",
    }
)  # fmt: skip

__array_api_version__: Final = _space.__array_api_version__
__all__ = tuple(name for name in dir(_space) if not name.startswith("_") and name not in _OURS)


def __array_namespace_info__() -> Any:  # noqa: N807 (the standard's name)
    """Devices, dtypes and other facts about the namespace."""
    return _space.__array_namespace_info__()


def __getattr__(name: str) -> Any:
    return getattr(_space, name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__array_api_version__", "__array_namespace_info__"})
