"""Functions and methods of NumPy whose results have at least one dimension.

Source: running NumPy 2.4 (tests/plugin/calls/elements/torch_from_numpy.py.txt).
"""

from typing import Final

_DIMENSIONED: Final = (
    "arange linspace logspace geomspace eye identity tri diag diagflat vander atleast_1d atleast_2d atleast_3d"
    " concatenate concat stack hstack vstack dstack column_stack outer ravel repeat unique"
    " flatnonzero bincount cumsum cumprod diff fromiter frombuffer append"
)
#: Functions whose every result has one: they raise for an array that has none, or add one.
DIMENSIONED: Final = frozenset(_DIMENSIONED.split())
#: Functions whose first argument is the shape of the result.
SHAPED: Final = frozenset(("zeros", "ones", "empty", "full"))
#: Functions that make an array of their first argument.
MAKING: Final = frozenset(("array", "asarray", "asanyarray", "ascontiguousarray"))
_DRAWN: Final = (
    "normal uniform standard_normal random random_sample integers randint poisson binomial exponential gamma"
    " beta lognormal laplace standard_exponential standard_gamma rand randn"
)
#: Functions of `numpy.random` and methods of its generators that have a parameter `size`.
DRAWN: Final = frozenset(_DRAWN.split())
#: Of these, the functions whose every argument is a length, or whose first argument is the size.
SIZED_FIRST: Final = frozenset(("rand", "randn", "random", "random_sample", "standard_normal"))
#: Methods that keep the number of dimensions.
KEEPING: Final = frozenset(("astype", "copy", "transpose", "round", "clip", "conj", "byteswap", "view"))
#: Methods whose every result has a dimension.
FLAT: Final = frozenset(("ravel", "flatten", "repeat", "cumsum", "cumprod"))
