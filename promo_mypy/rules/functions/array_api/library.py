"""The Python array API standard 2025.12, under the name of its strict implementation.

Source: data-apis.org/array-api/2025.12, and running array-api-strict 2.6. Undefined behaviour is rejected.
"""

from typing import Final

from promo_mypy.rules.functions.array_api import elementwise, linear
from promo_mypy.rules.functions.array_api.elementwise import FLOATING, INDEX, NUMERIC, REAL, X, beside, only
from promo_mypy.rules.functions.language.calls import Call, Refused
from promo_mypy.rules.functions.language.choosing import Checked
from promo_mypy.rules.functions.language.function_reasons import complex_parts_lost
from promo_mypy.rules.functions.language.indexing import Indexed, StoredPromoted
from promo_mypy.rules.functions.language.promoting import Alike, Promoted
from promo_mypy.rules.functions.language.protocols import Answer, Rule, one
from promo_mypy.rules.functions.language.rows import Library, Rows, table
from promo_mypy.rules.functions.language.several_results import Each, Listed
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Dtypes, Gathered, Inferred, Python, Same
from promo_mypy.rules.records import rule


@rule
class _Cast(Rule):
    """The dtype argument; complex numbers must stay complex."""

    def answer(self, call: Call) -> Answer:
        """Rejects a cast from complex to real."""
        target, source = call.dtype("dtype"), one(call, X)
        if target is not None and source.kind == "c" and target.kind != "c":
            raise Refused(complex_parts_lost(call.system.dialect.library, source, target))
        return target


_SELF: Final = Same("self")
_MADE: Final = "*, dtype=None, device=None"
_LIKE: Final = Asked(X)
_JOINED: Final = Promoted("*arrays", arrays="*arrays")

_SHAPING: Final[Rows] = table(
    "array_api_strict",
    # Creation.
    ("zeros ones empty", f"shape, {_MADE}", Asked(Default("f"))),
    ("eye", "n_rows, n_cols=None, /, *, k=0, dtype=None, device=None", Asked(Default("f"))),
    ("full", f"shape, fill_value, {_MADE}", Asked(Inferred("fill_value"))),
    ("arange", f"start, /, stop=None, step=1, {_MADE}", Asked(only(REAL, Gathered("start stop step")), table=NUMERIC)),
    (
        "linspace",
        f"start, stop, /, num, {_MADE}, endpoint=True",
        Asked(only("bui=float", Gathered("start stop")), table=FLOATING),
    ),
    ("asarray", "obj, /, *, dtype=None, device=None, copy=None", Asked(Inferred("obj"))),
    ("from_dlpack", "x, /, *, device=None, copy=None", X),
    ("zeros_like ones_like empty_like", f"x, /, {_MADE}", _LIKE),
    ("full_like", f"x, /, fill_value, {_MADE}", _LIKE),
    ("tril triu", "x, /, *, k=0", X),
    ("meshgrid", "*arrays, indexing='xy'", Checked(Each("arrays", Same("arrays")), only(NUMERIC, Alike("*arrays")))),
    # Arrangement.
    ("broadcast_to", "x, /, shape", X),
    ("broadcast_arrays", "*arrays", Each("arrays", Same("arrays"))),
    ("broadcast_shapes", "*shapes", Python()),
    ("concat stack", "arrays, /, *, axis=0", _JOINED),
    ("expand_dims squeeze", "x, /, axis", X),
    ("flip", "x, /, *, axis=None", X),
    ("moveaxis", "x, source, destination, /", X),
    ("permute_dims", "x, /, axes", X),
    ("repeat", "x, repeats, /, *, axis=None", X),
    ("reshape", "x, /, shape, *, copy=None", X),
    ("roll", "x, /, shift, *, axis=None", X),
    ("tile", "x, repetitions, /", X),
    ("unstack", "x, /, *, axis=0", Listed(X)),
    # Picking.
    ("where", "condition, x1, x2, /", Checked(beside(), only("uifc=refused", Promoted("condition")))),
    ("take", "x, indices, /, *, axis=None", Indexed(X, "indices", ("bfc=refused",))),
    ("take_along_axis", "x, indices, /, *, axis=-1", Indexed(X, "indices", ("bfc=refused",))),
    ("nonzero", "x, /", Listed(INDEX)),
    # Dtypes.
    ("astype", "x, dtype, /, *, copy=True, device=None", _Cast()),
    ("can_cast", "from_, to, /", Python("b")),
    ("isdtype", "dtype, kind", Python("b")),
    ("finfo iinfo", "type, /", Python()),
    ("result_type", "*arrays_and_dtypes", Dtypes("arrays_and_dtypes")),
)

_METHODS: Final = table(
    "array_api_strict",
    ("to_device", "self, device, /, *, stream=None", _SELF),
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", ("fc=refused",))),
    ("__setitem__", "self, key, value, /", StoredPromoted(Python(), "self", "value")),
)
_ATTRIBUTES: Final = table("array_api_strict", ("T mT", "self", _SELF))

LIBRARY: Final = Library(
    "array_api_strict",
    {**elementwise.ROWS, **linear.ROWS, **_SHAPING},
    array="Array",
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)
