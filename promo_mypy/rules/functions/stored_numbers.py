"""Functions that store Python numbers in the dtype of their result, or of an array, and raise if they do not fit.

Other functions wrap, saturate or promote. Examples: `np.clip(u8, 0, 300)`, `np.where(mask, u8, 300)`, `jnp.full(3, 300,
jnp.uint8)`. NumPy and JAX accept the ints of a dtype. PyTorch also accepts the negative of each for an unsigned dtype,
and wraps it. Dtypes of less than eight bits wrap in every library, or accept the ints of the dtype with eight bits.
Measured: tests/plugin/calls/test_stored_numbers.py executes them with numbers in and out of range; CuPy's were
recorded on a GPU.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many, Value
from promo_mypy.rules.wording.reasons import is_infinite_or_nan

#: `x[...] = number`, in every library with mutable arrays.
ITEMS: Final = "__setitem__"

_CREATED: Final = {
    **dict.fromkeys(("asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite"), "*a"),
    "array": "*object",
    "require": "*a",
}
_FILLED: Final = {"full": "fill_value", "full_like": "fill_value"}
_REDUCED: Final = ("max", "min", "nanmax", "nanmin", "sum", "prod")
_WITH_PRODUCTS: Final = ("addmm", "addbmm", "baddbmm")

#: Library -> function or method of its arrays -> parameters whose ints are stored. "*a" includes ints in a list.
#: "+a" stores only positive ints and "-a" only negative ones: other bounds clip nothing. "~a" stores the negative
#: of its int. "range" stores the first two numbers of a range and adds the others. "drawn" stores the least and the
#: largest number that is drawn.
STORED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "numpy": {
            **_CREATED,
            **_FILLED,
            **dict.fromkeys(("maximum", "minimum", "fmax", "fmin", "gcd", "lcm", "fmod"), "x1 x2"),
            **dict.fromkeys(_REDUCED, "initial"),
            **dict.fromkeys(("place", "put"), "*vals *v"),
            "arange": "range",
            "clip": "+a_min +min -a_max -max",
            "copyto": "src",
            "fill": "value",
            "fill_diagonal": "val",
            "fromiter": "*iter",
            "insert": "*values",
            "putmask": "values",
            ITEMS: "*value",
        },
        # The recorded functions.
        "cupy": {
            "clip": "a_min a_max min max",
            "full_like": "fill_value",
            "maximum": "x1 x2",
            "where": "x y",
            ITEMS: "value",
        },
        "dask": {ITEMS: "*value"},
        "array_api_strict": {ITEMS: "value"},
        "jax": {"numpy.array": "*object", "numpy.asarray": "*a"},
        "torch": {
            **_FILLED,
            **dict.fromkeys(("tensor", "as_tensor"), "*data"),
            **dict.fromkeys(("masked_fill", "masked_fill_", "index_fill", "index_fill_", "nn.functional.pad"), "value"),
            **dict.fromkeys(("addcmul", "addcdiv"), "value"),
            "lerp": "weight",
            "nn.functional.leaky_relu": "negative_slope",
            **dict.fromkeys(("nn.functional.elu", "nn.functional.celu", "celu"), "alpha"),
            **dict.fromkeys(("nn.functional.hardshrink", "nn.functional.softshrink"), "lambd"),
            "nn.functional.hardtanh": "min_val max_val",
            "nn.functional.softplus": "beta threshold",
            "nn.functional.threshold": "threshold value",
            **dict.fromkeys(("add", "add_", "index_add"), "alpha"),
            **dict.fromkeys(("sub", "sub_"), "~alpha"),
            **dict.fromkeys(("linspace", "logspace"), "start end"),
            **dict.fromkeys(("clamp", "clamp_", "clip_"), "min max"),
            **dict.fromkeys(("scatter", "scatter_"), "src value"),
            "asarray": "*obj",
            **dict.fromkeys(("randint", "randint_like"), "drawn"),
            **dict.fromkeys((*_WITH_PRODUCTS, "addmv", "addr"), "alpha beta"),
            "fill": "value",
            "fill_diagonal_": "fill_value",
            "new_tensor": "*data",
            "scalar_tensor": "s",
            "new_full": "fill_value",
            "fill_": "value",
            "where": "input other",
            "clamp_min": "min",
            "clamp_max": "max",
            ITEMS: "value",
        },
    }
)

_SLOPES: Final = ("celu", *(f"nn.functional.{name}" for name in ("leaky_relu", "elu", "celu", "softplus")))
_FILLING: Final = (
    *("full", "full_like", "new_full", "fill", "fill_", "fill_diagonal_", "masked_fill", "masked_fill_", "index_fill"),
    *("index_fill_", "scatter", "scatter_", "nn.functional.pad", "linspace", "logspace"),
    *("nn.functional.hardtanh", ITEMS),
)

_TRUNCATED: Final = ("fill", "fill_diagonal", "fromiter", "insert", "place", "put", "putmask", ITEMS)

#: Library -> function or method -> the kinds of dtypes for which it raises if a float is out of their range. With
#: "f", it also raises if an int is out of range for a float dtype. Other functions return infinities or never raise.
RAISING_FOR_FLOATS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "numpy": dict.fromkeys((*_CREATED, *_REDUCED, *_TRUNCATED), "ui"),
        "dask": {ITEMS: "ui"},
        "array_api_strict": {ITEMS: "ui"},
        "jax": dict.fromkeys(("numpy.array", "numpy.asarray"), "ui"),
        "torch": {
            **dict.fromkeys(_FILLING, "uif"),
            **dict.fromkeys(("tensor", "as_tensor", "asarray", "new_tensor", "scalar_tensor"), "ui"),
            **dict.fromkeys(("index_add", "nn.functional.threshold"), "ui"),
            **dict.fromkeys((*_WITH_PRODUCTS, "addmv", "addcmul"), "uif"),
            **dict.fromkeys(("addr", "addcdiv", "lerp", "where", *_SLOPES), "f"),
            **dict.fromkeys(("nn.functional.hardshrink", "nn.functional.softshrink", "randint", "randint_like"), "f"),
            **dict.fromkeys(("clamp", "clamp_", "clip_", "clamp_min", "clamp_max", "add", "add_", "sub", "sub_"), "f"),
        },
    }
)

#: NumPy's functions that store in an argument and return None.
_STORED_IN: Final[Mapping[str, str]] = MappingProxyType(
    {"copyto": "dst", "fill": "self", "fill_diagonal": "a", "place": "arr", "put": "a", "putmask": "a"}
)

#: PyTorch's functions that reject a negative int for an unsigned dtype.
_WRAPPING_NONE: Final = frozenset({"nn.functional.pad", "nn.functional.hardtanh", "randint", "randint_like"})

#: PyTorch's functions that read a number beside half-precision floats as float32, and one that returns infinities.
_FLOAT32_FOR_HALVES: Final = frozenset({*_WITH_PRODUCTS, *_SLOPES, "addcmul", "addcdiv", "lerp"})
_INFINITIES_FOR_HALVES: Final = frozenset({"where", ITEMS})

#: PyTorch's functions that truncate a float before they store it as an int, as NumPy does.
_TRUNCATING: Final = frozenset({"nn.functional.hardtanh"})


def is_stored(function: str, bound: Mapping[str, Argument]) -> bool:
    """Whether the function stores its numbers at all. PyTorch's `pad` with an empty padding does not."""
    widths = bound.get("pad") if function == "nn.functional.pad" else None
    return not isinstance(widths, Items) or any(width != Value(0) for width in widths.items)


def stored_in(library: str, function: str) -> str | None:
    """The parameter in which a function that returns None stores; None if the numbers are in its result."""
    if function == ITEMS:
        return "self"
    return _STORED_IN.get(function) if library == "numpy" else None


def bounds(library: str, function: str, dtype: type[dt.Shaped], value: float) -> tuple[float, float] | None:
    """The least and the largest number of the kind of `value` that a function of a library stores in a dtype.

    None if larger numbers wrap or become infinite.
    """
    if dtype.bits < dt.int8.bits:
        return None
    if is_infinite_or_nan(value) and dtype.kind == "f":
        return None
    if library == "torch" and dtype.kind == "f" and dtype.bits < dt.float32.bits:
        if function in _INFINITIES_FOR_HALVES:
            return None
        if function in _FLOAT32_FOR_HALVES:
            dtype = dt.float32
    smallest, largest = dtype.minimum, dtype.maximum
    truncates = library != "torch" or function in _TRUNCATING
    if truncates and dtype.kind in "ui" and isinstance(value, float):
        return math.nextafter(smallest - 1, 0), math.nextafter(largest + 1, 0)
    wraps = library == "torch" and smallest == 0 and isinstance(value, int) and function not in _WRAPPING_NONE
    return (-largest, largest) if wraps else (smallest, largest)


def stored_ints(parameters: str, bound: Mapping[str, Argument]) -> Iterator[int]:
    """The int literals that are passed for some parameters."""
    for name in parameters.split():
        if name in _SEVERAL:
            yield from _SEVERAL[name](bound)
            continue
        for value in _ints(bound.get(name.lstrip("*+-~"), Value(None)), nested=name.startswith("*")):
            if not (value < 0 and name.startswith("+")) and not (value > 0 and name.startswith("-")):
                yield -value if name.startswith("~") else value


def _start_of_range(bound: Mapping[str, Argument]) -> Iterator[int]:
    arguments = [bound.get(name, Value(None)) for name in ("start_or_stop", "stop", "step")]
    written = [argument.value for argument in arguments if isinstance(argument, Value)]
    match written:
        case [int(stop), None, None]:
            yield from range(stop)[:2]
        case [int(start), int(stop), step] if step is None or (isinstance(step, int) and step):
            yield from range(start, stop, step or 1)[:2]


def _drawn(bound: Mapping[str, Argument]) -> Iterator[int]:
    low, high = bound.get("low", Value(0)), bound.get("high", Value(None))
    # `randint(5, (3,))` has the size as second argument.
    if high == Value(None) or ("size" in bound and bound["size"] == Value(None)):
        low, high = Value(0), low
    if isinstance(low, Value) and type(low.value) is int:
        yield low.value
    if isinstance(high, Value) and type(high.value) is int:
        yield high.value - 1


_SEVERAL: Final[Mapping[str, Callable[[Mapping[str, Argument]], Iterator[int]]]] = MappingProxyType(
    {"range": _start_of_range, "drawn": _drawn}
)

#: What stands for parameters whose numbers are not stored as they are written.
COMPUTED: Final = frozenset(_SEVERAL)


def _ints(argument: Argument, *, nested: bool) -> Iterator[int]:
    match argument:
        case Value(value) if type(value) is int:
            yield value
        case Items(items) if nested:
            for item in items:
                yield from _ints(item, nested=nested)
        case Many(item) if nested:
            yield from _ints(item, nested=nested)
