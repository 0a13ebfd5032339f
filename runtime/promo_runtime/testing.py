"""Assertions about dtypes, for tests: the dtypes of arrays and containers of arrays, and the promotion of operands."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from promo_mypy.rules.dtypes import CATEGORIES, Shaped
from promo_runtime.actual_dtypes import Actual, actual_dtype, dtype_text, named_dtype
from promo_runtime.context.systems_in_use import SystemLike
from promo_runtime.errors import PromotionError
from promo_runtime.numpy_dtypes import DTypeLike, read_dtype
from promo_runtime.promotion import result_type
from promo_runtime.validation.leaf_paths import key_step, tree_leaves

__all__ = ["assert_dtype", "assert_promotes"]


def assert_dtype(value: Any, dtype: DTypeLike | Any) -> None:
    """Assert that an array of any library, or each leaf of a container, has a dtype, or a dtype of a category.

    The dtype is named as anywhere in promo_runtime ("float32", `np.float32`, `pr.Float`), or as in the library
    (`jnp.float32`, `torch.float32`). Containers are lists, tuples, dictionaries, dataclasses and, where JAX has been
    imported, its pytrees; None in them is not a leaf.

    Raises AssertionError with the path of the first leaf that differs or is not an array, and if there is no leaf.
    Raises UnknownDtypeError, UnknownArrayDtypeError for an expected dtype that is not a dtype.
    """
    __tracebackhide__ = True
    expected = _read(dtype)
    leaves = list(_leaves(value, "x"))
    if not leaves:
        raise AssertionError(f"no array in {type(value).__name__}: expected {expected.name}")
    for path, leaf in leaves:
        actual = actual_dtype(leaf)
        if actual is None:
            raise AssertionError(f"{path} is not an array but {type(leaf).__name__}: expected {expected.name}")
        if not _is_one_of(actual, expected):
            raise AssertionError(f"{path} is {dtype_text(actual)}: expected {expected.name}")


def assert_promotes(system: SystemLike, *operands: Any, to: DTypeLike | type[PromotionError]) -> None:
    """Assert the promotion of arrays, numbers and dtypes under a system: a dtype, a category, or `to=PromotionError`.

    `to="float32"` admits weak float32, which is written "float32*". Raises AssertionError, and as `result_type` does.
    """
    __tracebackhide__ = True
    refused = isinstance(to, type) and issubclass(to, PromotionError)
    try:
        found = result_type(*operands, system=system)
    except PromotionError as error:
        if refused:
            return
        raise AssertionError(f"{error}: expected {_read(to).name}") from None
    if refused:
        raise AssertionError(f"the operands promote to {found.name}: expected no common dtype")
    expected = _read(to)
    if not issubclass(found, expected):
        raise AssertionError(f"the operands promote to {found.name}: expected {expected.name}")


def _read(dtype: Any) -> type[Shaped]:
    if isinstance(dtype, type) and issubclass(dtype, Shaped):
        return dtype
    if isinstance(dtype, str) and dtype in CATEGORIES:
        return CATEGORIES[dtype]
    named = named_dtype(dtype)
    return named if isinstance(named, type) else read_dtype(dtype)


def _is_one_of(actual: Actual, expected: type[Shaped]) -> bool:
    return isinstance(actual, type) and issubclass(actual, expected.strong if expected.exact else expected)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if value is None:
        return
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(each, path + key_step(key))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for name, each in zip(value._fields, value, strict=True):
            yield from _leaves(each, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            yield from _leaves(each, path + key_step(place))
    elif actual_dtype(value) is not None:
        yield path, value
    else:
        yield from _inner_leaves(value, path)


def _inner_leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaves of a pytree of JAX, without its static fields, or of any other dataclass."""
    found = tree_leaves(value)
    if len(found) != 1 or found[0][1] is not value:
        for inner, leaf in found:
            yield path + inner, leaf
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _leaves(getattr(value, field.name), f"{path}.{field.name}")
    else:
        yield path, value
