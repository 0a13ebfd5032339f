"""What decorators leave as it is, by the last part of their names."""

from collections.abc import Mapping
from enum import Flag, auto
from typing import Final


class Kept(Flag):
    """What a decorator keeps of a function."""

    ARGUMENTS = auto()
    """The function gets the arguments of a call as they are."""
    ARRAYS = auto()
    """It gets arrays as they are, but perhaps arrays in place of Python numbers."""
    DTYPES = auto()
    """A call returns the dtypes that the function returns."""
    ANNOTATIONS = auto()
    """The decorator does not look at annotations, nor give the function others, as `wraps` does."""


_ROWS: Final = (
    (
        "staticmethod classmethod final override cache lru_cache no_grad inference_mode enable_grad compile",
        Kept.ARGUMENTS | Kept.ARRAYS | Kept.DTYPES | Kept.ANNOTATIONS,
    ),
    ("jit checkpoint remat", Kept.ARRAYS | Kept.DTYPES | Kept.ANNOTATIONS),
    ("filter_jit", Kept.ARRAYS | Kept.ANNOTATIONS),
    ("vmap custom_jvp custom_vjp", Kept.DTYPES | Kept.ANNOTATIONS),
    ("wraps cached njit script", Kept.DTYPES),
    (
        "property cached_property setter getter abstractmethod pjit pmap grad value_and_grad filter_vmap filter_grad "
        "filter_value_and_grad compact errstate",
        Kept.ANNOTATIONS,
    ),
)

#: Decorator -> what it keeps. Any other may change everything.
DECORATORS: Final[Mapping[str, Kept]] = {name: kept for names, kept in _ROWS for name in names.split()}


def keeping(kept: Kept) -> frozenset[str]:
    """The decorators that keep all of this."""
    return frozenset(name for name, found in DECORATORS.items() if kept in found)
