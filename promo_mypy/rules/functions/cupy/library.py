"""CuPy: functions, ufuncs, methods and attributes of ndarray. NumPy's rules hold unless a row overrides them.

Source: running CuPy 14.2 on an NVIDIA H100, where `tests.rules.functions.cupy.measure` recorded the results.
"""

from typing import Final

from promo_mypy.rules.functions.cupy import creation, linear, reductions, shaping, ufuncs
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.rows import Library, named, table
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Item, Python, Same
from promo_mypy.rules.functions.numpy import ufuncs as numpy_ufuncs

_SELF: Final = Same("self")

#: Methods that equal a function of the array, with their further parameters.
_SHARED: Final = named(
    "all any argmax argmin argpartition argsort cumprod cumsum diagonal dot max mean min nonzero prod ptp ravel repeat"
    " round searchsorted squeeze std sum swapaxes take trace var"
)

_METHODS: Final = table(
    "cupy",
    ("astype", "self, dtype, order='K', casting=None, subok=None, copy=True", Asked(Default("f"))),
    ("view", "self, dtype=None", Asked(_SELF)),
    ("copy flatten", "self, order='K'", _SELF),
    # Unlike the ufunc, which returns int8 for bool.
    ("conj conjugate reduced_view", "self", _SELF),
    ("reshape", "self, *shape, order='C'", _SELF),
    ("transpose", "self, *axes", _SELF),
    ("compress", "self, condition, axis=None, out=None", _SELF),
    ("clip", "self, min=None, max=None, out=None", shaping.clipped("self", "min", "max")),
    ("item", "self", Item(_SELF)),
    ("get", "self, stream=None, order='C', out=None, blocking=True", _SELF),
    ("tolist", "self", Python()),
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", ("fc=refused",))),
    ("__setitem__", "self, key, value", Python()),
)

_ATTRIBUTES: Final = table("cupy", ("T mT flat", "self", _SELF), ("real imag", "self", Converted(_SELF, "c=real")))

LIBRARY: Final = Library(
    "cupy",
    table(
        "cupy",
        *ufuncs.ENTRIES,
        *reductions.ENTRIES,
        *shaping.ENTRIES,
        *linear.ENTRIES,
        *creation.ENTRIES,
    ),
    aliases=named(f"{numpy_ufuncs.ALIASES} amax=max amin=min around=round concat=concatenate trapz=trapezoid"
                  " row_stack=vstack"),
    array="ndarray",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)  # fmt: skip
