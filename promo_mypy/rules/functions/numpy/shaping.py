"""NumPy's functions that arrange, join and pick elements. Source: running NumPy 2.4."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, If, IfKind, IfNumber
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Stored, StoredSafely
from promo_mypy.rules.functions.language.promoting import Joined, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Each, EachAxis, Listed, Several
from promo_mypy.rules.functions.language.storing import Fit, InPlace, Into
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Inferred, Item, Python, Same
from promo_mypy.rules.functions.numpy.binning import HISTOGRAMS
from promo_mypy.rules.functions.numpy.casting import CastInto, CastTo, WithoutNan
from promo_mypy.rules.functions.numpy.loops import OWN, Loop, SinceTwo
from promo_mypy.rules.functions.numpy.ufuncs import FLOATING, TWO, rounded
from promo_mypy.rules.systems.numpy import Ufunc

_A: Final = Inferred("a")
_INDEX: Final = Default("i")
_BOOL: Final = Fixed(dt.bool_)
#: The further parameters of clip, which are those of its ufunc.
CLIPPING: Final = "where=True, casting='same_kind', order='K', dtype=None, subok=True"
_JOIN: Final = CastInto(CastTo(Promoted("*arrays", full=True), "*arrays"), "*arrays")
_JOINED: Final = "axis=0, out=None, *, dtype=None, casting='same_kind'"


def _each(name: str) -> Each:
    return Each(name, Inferred(name), single=True)


_FITTED: Final = Joined.of(
    *(
        Converted(Inferred(name), "float16=unknown float128=refused complex256=refused buif=float64 c=complex128")
        for name in "xy"
    )
)


UNWRAPPED: Final = Converted(Promoted("p period"), "c=refused")


def _halves(rule: Rule) -> Rule:
    return Converted(rule, "bui=float64 bfloat16=float32")


def differences(array: str, *, takes_numbers: bool = True) -> Rule:
    """Neighbours subtracted, between ends that are cast to their dtype, and may be numbers in NumPy."""
    rule: Rule = Loop(TWO["subtract"], f"{array} {array}")
    for end in ("to_end", "to_begin"):
        fitting: Rule = Checked(rule, InPlace(Promoted(end, full=True), array))
        if not takes_numbers:
            fitting = IfNumber(end, Converted(Inferred(end), "buifc=refused"), fitting)
        rule = If(end, fitting, rule)
    return rule


def clipped(names: str) -> Rule:
    """An array and its bounds, which may be None: clip has loops for NumPy's own dtypes."""
    array, *bounds = names.split()
    both = Loop(Ufunc("buifc", OWN), names, full=array)
    # With one bound it is maximum or minimum.
    either = Loop(TWO["maximum minimum fmax fmin"], names, full=array)
    rule: Rule = either
    if len(bounds) == 2:
        rule = If(bounds[0], If(bounds[1], both, either), either)
    else:
        low, high, other_low, other_high = bounds
        upper = If(high, both, If(other_high, both, either))
        rule = If(low, upper, If(other_low, upper, either))
    return Into(rule)


#: The arrays that are rejected as indices, or as numbers of repetitions. NumPy converts many numbers and scalars; its
#: stubs reject the others.
_INDICES: Final = ("fc=refused", "")
_INTEGERS: Final = ("bfc=refused", "")
_SIGNED: Final = ("fc=refused uint64=refused", "")

ROWS: Final[Rows] = table(
    "numpy",
    ("reshape", "a, /, shape, order='C', *, copy=None", _A),
    ("ravel", "a, order='C'", _A),
    ("transpose permute_dims", "a, axes=None", _A),
    ("matrix_transpose", "x, /", Inferred("x")),
    ("swapaxes", "a, axis1, axis2", _A),
    ("moveaxis", "a, source, destination", _A),
    ("rollaxis", "a, axis, start=0", _A),
    ("squeeze", "a, axis=None", _A),
    ("expand_dims", "a, axis", _A),
    ("roll", "a, shift, axis=None", _A),
    ("repeat", "a, repeats, axis=None", Indexed(_A, "repeats", _SIGNED)),
    ("resize", "a, new_shape", _A),
    ("flip", "m, axis=None", Inferred("m")),
    ("fliplr flipud", "m", Inferred("m")),
    ("rot90", "m, k=1, axes=(0, 1)", Inferred("m")),
    ("tril triu", "m, k=0", Inferred("m")),
    ("diag diagflat", "v, k=0", Inferred("v")),
    ("diagonal", "a, offset=0, axis1=0, axis2=1", _A),
    ("tile", "A, reps", Inferred("A")),
    (
        "pad",
        "array, pad_width, mode='constant', *, constant_values=0, end_values=0, stat_length=None, reflect_type='even'",
        Inferred("array"),
    ),
    ("broadcast_to", "array, shape, subok=False", Inferred("array")),
    ("atleast_1d atleast_2d atleast_3d", "*arys", _each("arys")),
    ("broadcast_arrays", "*args, subok=False", Each("args", Inferred("args"))),
    ("meshgrid", "*xi, copy=True, sparse=False, indexing='xy'", Each("xi", Inferred("xi"))),
    ("ix_", "*args", Each("args", Inferred("args"))),
    (
        "split array_split",
        "ary, indices_or_sections, axis=0",
        Indexed(Listed(Inferred("ary")), "indices_or_sections", _INTEGERS),
    ),
    (
        "hsplit vsplit dsplit",
        "ary, indices_or_sections",
        Indexed(Listed(Inferred("ary")), "indices_or_sections", _INTEGERS),
    ),
    ("unstack", "x, /, *, axis=0", Listed(Inferred("x"))),
    ("trim_zeros", "filt, trim='fb', axis=None", IfNumber("filt", Python(), Inferred("filt"))),
    # Joining: Python numbers become arrays first.
    ("concatenate", f"arrays, /, {_JOINED}", _JOIN),
    ("stack", f"arrays, {_JOINED}", _JOIN),
    (
        "vstack hstack row_stack",
        "tup, *, dtype=None, casting='same_kind'",
        CastTo(Promoted("*tup", full=True), "*tup"),
    ),
    ("dstack column_stack", "tup", Promoted("*tup", full=True)),
    ("block", "arrays", Inferred("arrays")),
    ("append", "arr, values, axis=None", Promoted("arr values", full=True)),
    ("insert", "arr, obj, values, axis=None", Indexed(Inferred("arr"), "obj", _INDICES)),
    ("delete", "arr, obj, axis=None", Indexed(Inferred("arr"), "obj", _INDICES)),
    # Picking.
    ("where", "condition, x=None, y=None, /", If("x", Promoted("x y"), Listed(_INDEX))),
    ("select", "condlist, choicelist, default=0", Promoted("*choicelist default")),
    ("choose", "a, choices, out=None, mode='raise'", Indexed(Into(Promoted("*choices"), fit=Fit.ANY), "a", _SIGNED)),
    ("extract", "condition, arr", Inferred("arr")),
    ("compress", "condition, a, axis=None, out=None", Into(_A, fit=Fit.READ)),
    ("take", "a, indices, axis=None, out=None, mode='raise'", Indexed(Into(_A, fit=Fit.READ), "indices", _INDICES)),
    ("take_along_axis", "arr, indices, axis=-1", Inferred("arr")),
    ("nonzero", "a", Listed(_INDEX)),
    ("flatnonzero argwhere", "a", _INDEX),
    ("unravel_index", "indices, shape, order='C'", Indexed(Listed(_INDEX), "indices", _INDICES)),
    ("ravel_multi_index", "multi_index, dims, mode='raise', order='C'", _INDEX),
    ("packbits", "a, /, axis=None, bitorder='big'", Converted(_A, "b=uint8 ui=uint8 fc=refused")),
    ("unpackbits", "a, /, axis=None, count=None, bitorder='big'", Fixed(dt.uint8)),
    ("put_along_axis", "arr, indices, values, axis", Stored(Python(), "arr", "values")),
    ("fill_diagonal", "a, val, wrap=False", Stored(Python(), "a", "val")),
    (
        "copyto",
        "dst, src, casting='same_kind', where=True",
        StoredSafely(Python(), "dst", "src", by_argument=True),
    ),
    ("place", "arr, mask, vals", StoredSafely(Python(), "arr", "vals")),
    ("put", "a, ind, v, mode='raise'", Indexed(Stored(Python(), "a", "v"), "ind", _SIGNED)),
    ("putmask", "a, /, mask, values", StoredSafely(Python(), "a", "values")),
    # Elementwise functions that are not ufuncs.
    (
        "clip",
        f"a, a_min=None, a_max=None, out=None, *, min=None, max=None, {CLIPPING}",
        clipped("a a_min a_max min max"),
    ),
    ("round", "a, decimals=0, out=None", Into(Converted(_A, "b=float16"))),
    ("fix", "x, out=None", Into(rounded("x"))),
    ("nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", WithoutNan("x", "nan posinf neginf")),
    (
        "real imag",
        "val",
        IfNumber("val", Item(Converted(Same("val"), "b=int c=real")), Converted(Inferred("val"), "c=real")),
    ),
    (
        "angle",
        "z, deg=False",
        Joined.of(Converted(Loop(FLOATING, "z"), "c=real"), Converted(Inferred("z"), "b=float64 uifc=bool")),
    ),
    ("real_if_close", "a, tol=100", IfKind("a", "c", Python(), Inferred("a"))),
    ("isclose", "a, b, rtol=1e-05, atol=1e-08, equal_nan=False", _BOOL),
    ("allclose", "a, b, rtol=1e-05, atol=1e-08, equal_nan=False", Python("b")),
    ("array_equal", "a1, a2, equal_nan=False", Python("b")),
    ("array_equiv", "a1, a2", Python("b")),
    ("isreal", "x", IfNumber("x", Python("b"), _BOOL)),
    ("iscomplex", "x", _BOOL),
    ("isscalar", "element", Python("b")),
    ("iscomplexobj isrealobj", "x", Python("b")),
    ("ndim", "a", Python("i")),
    ("size", "a, axis=None", Python("i")),
    ("isposinf isneginf", "x, out=None", Into(Checked(_BOOL, Converted(Inferred("x"), "c=refused")))),
    ("sinc", "x", Converted(Inferred("x"), "bui=float64 bfloat16=float32")),
    ("i0", "x", Converted(Inferred("x"), "bui=float64 bfloat16=float64 c=refused")),
    (
        "unwrap",
        "p, discont=None, axis=-1, *, period=6.283185307179586",
        UNWRAPPED,
    ),
    ("diff", "a, n=1, axis=-1, prepend=None, append=None", Promoted("prepend a append", full=True)),
    ("ediff1d", "ary, to_end=None, to_begin=None", differences("ary")),
    (
        "gradient",
        "f, *varargs, axis=None, edge_order=1",
        EachAxis(Converted(Inferred("f"), "b=refused iu=float64 bfloat16=float64"), "f", "axis", "varargs"),
    ),
    (
        "trapezoid",
        "y, x=None, dx=1.0, axis=-1",
        If(
            "x",
            _halves(Loop(TWO["multiply"], "x y")),
            IfNumber("dx", IfKind("dx", "c", Python(), _halves(Promoted("y"))), _halves(Loop(TWO["multiply"], "y dx"))),
        ),
    ),
    (
        "interp",
        "x, xp, fp, left=None, right=None, period=None",
        Checked(
            Converted(Inferred("fp"), "float128=refused complex256=refused buif=float64 c=complex128"),
            Several.of(*(Converted(Inferred(name), "float128=refused c=refused") for name in ("x", "xp"))),
        ),
    ),
    (
        "bincount",
        "x, /, weights=None, minlength=0",
        Checked(
            If("weights", Converted(Inferred("weights"), "buif=float64 float128=refused c=refused"), _INDEX),
            SinceTwo(Converted(Inferred("x"), "fc=refused"), Converted(Inferred("x"), "fc=refused uint64=refused")),
        ),
    ),
    *HISTOGRAMS,
    (
        "cov",
        "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None",
        Asked(Promoted("m y", full=True, also="float64")),
    ),
    ("corrcoef", "x, y=None, rowvar=True, *, dtype=None", Asked(Promoted("x y", full=True, also="float64"))),
    (
        "polyfit",
        "x, y, deg, rcond=None, full=False, w=None, cov=False",
        If("full", Python(), If("cov", Python(), _FITTED, True), True),
    ),
    ("polyval", "p, x", Loop(TWO["add"], "p x")),
    ("roots", "p", Python()),
    ("poly", "seq_of_zeros", Python()),
)
