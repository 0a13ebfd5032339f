"""NumPy: functions, ufuncs, methods and attributes of ndarray."""

from typing import Final

from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Stored
from promo_mypy.rules.functions.language.rows import Library, named, table
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Item, Python, Same
from promo_mypy.rules.functions.numpy import creation, linear, random, reductions, shaping, ufuncs
from promo_mypy.rules.functions.numpy.casting import CastTo

_SELF: Final = Same("self")

#: Methods that equal a function of the array, with their further parameters.
_SHARED: Final = named(
    "all any argmax argmin argpartition argsort choose cumprod cumsum diagonal dot max mean min"
    " nonzero prod ravel repeat round searchsorted squeeze std sum swapaxes take trace var put"
)

_METHODS: Final = table(
    "numpy",
    ("astype", "self, /, dtype, order='K', casting='unsafe', subok=True, copy=True", CastTo(Default("f"), "self")),
    ("view", "self, /, dtype=None, type=None", Asked(_SELF)),
    ("copy flatten", "self, /, order='C'", _SELF),
    ("conj conjugate", "self, /", _SELF),
    ("reshape", "self, /, *shape, order='C', copy=None", _SELF),
    ("transpose", "self, /, *axes", _SELF),
    ("byteswap", "self, /, inplace=False", _SELF),
    ("to_device", "self, device, /, *, stream=None", _SELF),
    ("compress", "self, /, condition, axis=None, out=None", Into(_SELF, fit=Fit.READ)),
    ("item", "self, /, *args", Item(_SELF)),
    ("tolist", "self, /", Python()),
    ("sort", "self, /, axis=-1, kind=None, order=None, *, stable=None", Python()),
    ("partition", "self, kth, /, axis=-1, kind='introselect', order=None", Python()),
    ("fill", "self, /, value", Stored(Python(), "self", "value")),
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", ("fc=refused",))),
    ("__setitem__", "self, key, value, /", Stored(Python(), "self", "value")),
    ("resize", "self, /, *new_shape, refcheck=True", Python()),
    ("tobytes", "self, /, order='C'", Python()),
    ("clip", f"self, /, min=None, max=None, out=None, *, {shaping.CLIPPING}", shaping.clipped("self min max")),
)

_ATTRIBUTES: Final = table(
    "numpy",
    ("T mT flat", "self", _SELF),
    ("real imag", "self", Converted(_SELF, "c=real")),
)

LIBRARY: Final = Library(
    "numpy",
    {
        **ufuncs.ROWS,
        **reductions.ROWS,
        **shaping.ROWS,
        **linear.ROWS,
        **creation.ROWS,
        **random.ROWS,
    },
    aliases={
        **named(ufuncs.ALIASES),
        **named(
            "amax=max amin=min around=round concat=concatenate trapz=trapezoid linalg.matmul=matmul"
            " linalg.tensordot=tensordot linalg.diagonal=diagonal linalg.vecdot=vecdot linalg.matrix_transpose="
            "matrix_transpose row_stack=vstack"
        ),
    },
    array="ndarray",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)
