"""CuPy's functions that arrange, join and pick elements, and elementwise functions that are not ufuncs.

Source: running CuPy 14.2 on a GPU.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.cupy.out_arrays import any_out
from promo_mypy.rules.functions.language.choosing import Checked, If, IfKind, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Entry, like
from promo_mypy.rules.functions.language.several_results import Listed
from promo_mypy.rules.functions.language.storing import InPlace, Into
from promo_mypy.rules.functions.language.vocabulary import Default, Fixed, Inferred, Python, Same
from promo_mypy.rules.functions.numpy.casting import WithoutNan
from promo_mypy.rules.functions.numpy.library import LIBRARY as NUMPY
from promo_mypy.rules.functions.numpy.loops import OWN, Loop
from promo_mypy.rules.functions.numpy.shaping import UNWRAPPED, differences
from promo_mypy.rules.systems.numpy import Ufunc

_JOINED: Final = "tup: arrays, axis=0, out=None, *, dtype=None, casting='same_kind'"
_BOOL: Final = Fixed(dt.bool_)
#: They have no loops for bfloat16 and compute it as float32.
_CHOSEN: Final = Loop(Ufunc("buifc", OWN), "x y")
_CLIPPED: Final = Ufunc("buif", OWN)


def clipped(array: str, low: str, high: str) -> Rule:
    """An array between bounds; None stands for the least or greatest value of the dtype."""
    rule = Loop(_CLIPPED, f"{array} {low} {high}", full=array)
    either = Checked(rule, Converted(Same(array), "b=refused bfloat16=refused c=refused"))
    return Into(If(low, If(high, rule, either), either))


ENTRIES: Final[tuple[Entry, ...]] = (
    *like(NUMPY, "ravel transpose permute_dims matrix_transpose swapaxes moveaxis rollaxis squeeze expand_dims roll"
          " repeat resize diag diagflat diagonal tile atleast_1d atleast_2d atleast_3d split array_split hsplit vsplit"
          " dsplit ix_"),
    # They choose between the array and zeros.
    *((name, signature, Converted(rule, "bfloat16=float32"))
      for name, signature, rule in like(NUMPY, "tril triu")),
    *like(NUMPY, "reshape", "a, newshape: shape, order='C', *, copy=None"),
    *like(NUMPY, "flip", "a: m, axis=None"),
    *like(NUMPY, "fliplr flipud", "a: m"),
    *like(NUMPY, "rot90", "a: m, k=1, axes=(0, 1)"),
    *like(NUMPY, "pad", "array, pad_width, mode='constant', **options"),
    *like(NUMPY, "trim_zeros", "filt, trim='fb'"),
    *like(NUMPY, "broadcast_to", "array, shape"),
    *like(NUMPY, "broadcast_arrays", "*args"),
    *like(NUMPY, "meshgrid", "*xi, **options"),
    *any_out(*like(NUMPY, "concatenate stack", _JOINED)),
    *like(NUMPY, "vstack hstack", "tup, *, dtype=None, casting='same_kind'"),
    *like(NUMPY, "dstack column_stack append"),
    *like(NUMPY, "delete", "arr, indices: obj, axis=None"),
    # Picking.
    ("where", "condition, x=None, y=None", If("x", _CHOSEN, Listed(Default("i")))),
    # The default is cast to the dtype of the choices. It has no influence on the result, but must fit.
    ("select", "condlist, choicelist, default=0", InPlace(Promoted("*choicelist default"), "choicelist")),
    *like(NUMPY, "extract", "condition, a: arr"),
    *any_out(*like(NUMPY, "compress", "condition, a, axis=None, out=None")),
    *any_out(*like(NUMPY, "take", "a, indices, axis=None, out=None")),
    *like(NUMPY, "take_along_axis", "a: arr, indices, axis"),
    *like(NUMPY, "unravel_index", "indices, dims, order='C'"),
    *like(NUMPY, "ravel_multi_index", "multi_index, dims, mode='wrap', order='C'"),
    *like(NUMPY, "packbits unpackbits", "a, axis=None, bitorder='big'"),
    # Elementwise.
    ("clip", "a, a_min, a_max, out=None", IfNumber("a", Python(), clipped("a", "a_min", "a_max"))),
    ("round", "a, decimals=0, out=None", Into(Converted(Inferred("a"), "b=float16 bfloat16=float32"))),
    *like(NUMPY, "real imag angle isclose isreal iscomplex isposinf isneginf diff gradient"
          " real_if_close"),
    ("allclose array_equal", "a, b, *args, **options", _BOOL),
    ("array_equiv", "a1, a2", _BOOL),
    ("nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", WithoutNan("x", "nan posinf neginf", "f")),
    # Half of an integer period below zero is no unsigned integer.
    ("unwrap", "p, discont=None, axis=-1, *, period=6.283185307179586",
     IfNumber("period", IfKind("period", "i", Converted(UNWRAPPED, "u=refused"), UNWRAPPED), UNWRAPPED)),
    ("ediff1d", "arr, to_end=None, to_begin=None", differences("arr", takes_numbers=False)),
)  # fmt: skip
