"""How many dimensions the results of NumPy's functions and methods have at least.

Source: running NumPy 2.4 (tests/plugin/calls/elements/torch_from_numpy.py.txt and numpy_rows.py.txt).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _each(names: str, dimensions: int) -> dict[str, int]:
    return dict.fromkeys(names.split(), dimensions)


#: Functions -> the dimensions that every result has: they raise for an array that has fewer, or add some.
DIMENSIONED: Final[Mapping[str, int]] = MappingProxyType(
    {
        **_each("arange linspace logspace geomspace diag atleast_1d concatenate concat hstack ravel repeat unique", 1),
        **_each("flatnonzero bincount cumsum cumprod diff fromiter frombuffer append", 1),
        **_each("eye identity tri diagflat vander atleast_2d vstack column_stack outer", 2),
        **_each("atleast_3d dstack", 3),
    }
)
#: Functions whose first argument is the shape of the result.
SHAPED: Final = frozenset(("zeros", "ones", "empty", "full"))
_MAKING: Final = (
    "array asarray asanyarray ascontiguousarray asfortranarray copy zeros_like ones_like empty_like full_like sort flip"
    " roll round around clip abs absolute negative square sqrt exp log sign nan_to_num transpose triu tril"
)
#: Functions that make an array of their first argument, or one like it.
MAKING: Final = frozenset(_MAKING.split())
#: Functions that join the arrays in their first argument along an axis that they have, or along a new one.
JOINING: Final = frozenset(("concatenate", "concat", "hstack"))
STACKING: Final = frozenset(("stack",))
#: Functions whose second argument is the number of repetitions along each axis.
TILING: Final = frozenset(("tile",))
#: Functions of `numpy.random` and methods of its generators that have a parameter `size` -> its position.
DRAWN: Final[Mapping[str, int]] = MappingProxyType(
    {
        **_each("standard_normal standard_exponential random random_sample", 0),
        **_each("poisson exponential standard_gamma", 1),
        **_each("normal uniform integers randint binomial gamma beta lognormal laplace", 2),
    }
)
#: Functions of `numpy.random` whose every argument is a length.
DRAWN_BY_LENGTHS: Final = frozenset(("rand", "randn"))
#: Methods that keep the number of dimensions.
KEEPING: Final = frozenset(("astype", "copy", "transpose", "round", "clip", "conj", "byteswap", "view"))
#: Methods whose every result has a dimension.
FLAT: Final = frozenset(("ravel", "flatten", "repeat", "cumsum", "cumprod"))
