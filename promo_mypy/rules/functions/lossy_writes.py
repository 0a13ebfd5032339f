"""Functions that write values into the dtype of an array without asking: floats lose their fraction among integers.

Measured: tests/plugin/calls/test_lossy_writes.py executes them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.stored_numbers import ITEMS

#: Library -> function or method -> the parameters that name the array and the values.
WRITES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = MappingProxyType(
    {
        "numpy": {
            ITEMS: ("self", "value"),
            "fill": ("self", "value"),
            "fill_diagonal": ("a", "val"),
            "full_like": ("a", "fill_value"),
            "insert": ("arr", "values"),
            "place": ("arr", "vals"),
            "put": ("a", "v"),
            "put_along_axis": ("arr", "values"),
            "putmask": ("a", "values"),
        },
        "dask": {ITEMS: ("self", "value")},
        "jax": {"numpy.full_like": ("a", "fill_value")},  # for `x.at[i].set(y)` JAX warns: that is promo-inplace
        "torch": {
            ITEMS: ("self", "value"),
            "fill_": ("self", "value"),
            "full_like": ("input", "fill_value"),
            "new_full": ("self", "fill_value"),
        },
    }
)  # fmt: skip


def lost(target: type[dt.Shaped], source: type[dt.Shaped]) -> str | None:
    """What numbers of one dtype lose in another, in words; None if they are only rounded, or wrap around."""
    if source.kind == "c" and target.kind in "uif":
        return "the imaginary part"
    return "the fraction" if source.kind == "f" and target.kind in "ui" else None
