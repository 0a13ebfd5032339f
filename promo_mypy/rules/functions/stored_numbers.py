"""Functions that store Python ints in the dtype of their result, or of an array, and raise for those beyond it.

Others wrap, saturate or promote: `np.clip(u8, 0, 300)`, `np.where(mask, u8, 300)`, `jnp.full(3, 300, jnp.uint8)`. NumPy
and JAX take the ints of a dtype; PyTorch also the negative of each for an unsigned one, which it wraps. Dtypes of less
than eight bits wrap in every library, or take the ints of the dtype with eight.
Measured: tests/plugin/functions/test_stored_numbers.py executes them with numbers in and out of range.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.arguments import Argument, Items, Many, Value

_CREATED: Final = {
    **dict.fromkeys(("asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite"), "*a"),
    "array": "*object",
    "require": "*a",
}
_FILLED: Final = {"full": "fill_value", "full_like": "fill_value"}

#: Library -> function or method of its arrays -> parameters whose ints are stored; of "*a" those in a list, too, of
#: "+a" positive ones alone, and of "-a" negative ones: bounds beyond the others clip nothing.
STORED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "numpy": {
            **_CREATED,
            **_FILLED,
            **dict.fromkeys(("maximum", "minimum", "fmax", "fmin", "gcd", "lcm", "fmod"), "x1 x2"),
            **dict.fromkeys(("max", "min", "nanmax", "nanmin", "sum", "prod"), "initial"),
            **dict.fromkeys(("place", "put"), "*vals *v"),
            "clip": "+a_min +min -a_max -max",
            "copyto": "src",
            "fill": "value",
            "fill_diagonal": "val",
            "fromiter": "*iter",
            "insert": "*values",
            "putmask": "values",
        },
        "jax": {"numpy.array": "*object", "numpy.asarray": "*a"},
        "torch": {
            **_FILLED,
            **dict.fromkeys(("tensor", "as_tensor"), "*data"),
            **dict.fromkeys(("masked_fill", "masked_fill_", "index_fill", "nn.functional.threshold"), "value"),
            **dict.fromkeys(("clamp", "clamp_", "clip_"), "min max"),
            **dict.fromkeys(("scatter", "scatter_"), "src value"),
            "asarray": "*obj",
            "fill_diagonal_": "*args",
            "index_fill_": "src",
            "new_tensor": "*data",
            "scalar_tensor": "s",
            "new_full": "fill_value",
            "fill_": "*args",
            "where": "input other",
            "clamp_min": "min",
            "clamp_max": "max",
        },
    }
)

#: NumPy's functions that store in an argument, and give nothing.
STORED_IN: Final[Mapping[str, str]] = MappingProxyType(
    {"copyto": "dst", "fill": "self", "fill_diagonal": "a", "place": "arr", "put": "a", "putmask": "a"}
)


def bounds(library: str, dtype: type[dt.Integer]) -> tuple[int, int] | None:
    """The least and the largest int that the functions of a library store in a dtype; None where those wrap."""
    if dtype.bits < dt.int8.bits:
        return None
    smallest, largest = int(dtype.minimum), int(dtype.maximum)
    return (-largest, largest) if library == "torch" and smallest == 0 else (smallest, largest)


def stored_ints(parameters: str, bound: Mapping[str, Argument]) -> Iterator[int]:
    """The ints that are written out for some parameters."""
    for name in parameters.split():
        for value in _ints(bound.get(name.lstrip("*+-"), Value(None)), nested=name.startswith("*")):
            if not (value < 0 and name.startswith("+")) and not (value > 0 and name.startswith("-")):
                yield value


def _ints(argument: Argument, *, nested: bool) -> Iterator[int]:
    match argument:
        case Value(value) if type(value) is int:
            yield value
        case Items(items) if nested:
            for item in items:
                yield from _ints(item, nested=nested)
        case Many(item) if nested:
            yield from _ints(item, nested=nested)
