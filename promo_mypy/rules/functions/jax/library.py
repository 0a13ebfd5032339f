"""JAX: jax.numpy, jax.lax, jax.nn, jax.random, jax.scipy, and the methods and attributes of jax.Array."""

from typing import Final

from promo_mypy.rules.functions.jax import elementwise, lax, linear, nn, random, reductions, shaping
from promo_mypy.rules.functions.jax.shaping import INDICES
from promo_mypy.rules.functions.language.calls import Call, DType
from promo_mypy.rules.functions.language.choosing import Checked, IfKind, WithDimensions
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Scattered
from promo_mypy.rules.functions.language.promoting import Operator, Promoted
from promo_mypy.rules.functions.language.protocols import NeverPromotes, Rule, one
from promo_mypy.rules.functions.language.rows import Library, named, table
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Item, Python, Same, Strong, Weakening
from promo_mypy.rules.records import rule

_SELF: Final = Same("self")


@rule
class _View(NeverPromotes):
    """`x.view(dtype)`: the array itself, weak or not, if it has that dtype already."""

    def answer(self, call: Call) -> DType:
        """The bytes are read as the requested dtype."""
        own, asked = one(call, _SELF), call.dtype("dtype")
        return own if asked is None or own.strong is asked else asked


#: Methods that equal a function of jax.numpy, with the parameters after the array.
_SHARED: Final = {
    name: f"numpy.{name}"
    for name in named(
        "all any argmax argmin choose cumprod cumsum diagonal max mean min nonzero prod ptp ravel repeat round"
        " argpartition compress searchsorted sort squeeze sum swapaxes take trace argsort std var dot"
    )
}

_UPDATE: Final = "indices_are_sorted=False, unique_indices=False, mode=None"

# Powers of a weak 0-d int by itself stay weak if its value is concrete.
_WEAKNESS: Final = IfKind("self", "bui", Weakening(_SELF), _SELF)


def _scattered(rule: Rule, refused: str = "") -> Rule:
    return Scattered(rule, "self", "values", refused)


_METHODS: Final = table(
    "jax",
    ("__getitem__", "self, *key", Indexed(_SELF, "*key", INDICES)),
    ("astype", "self, dtype, copy=False, device=None", Asked(Default("f"))),
    ("view", "self, dtype=None", _View()),
    ("clip", "self, min=None, max=None", Converted(Promoted("self min max"), "c=refused")),
    ("flatten", "self, order='C', *, out_sharding=None", _SELF),
    ("reshape", "self, *args, order='C', out_sharding=None", _SELF),
    ("transpose", "self, *args", _SELF),
    ("copy conj conjugate block_until_ready addressable_data", "self", _SELF),
    ("to_device", "self, device, *, stream=None", _SELF),
    ("byteswap", "self", Strong(_SELF)),
    ("item", "self, *args", Item(_SELF)),
    ("tolist", "self", Python()),
    # x.at[i].set(y): y is cast to the dtype of x. Divide and power apply to the whole of x, which has items.
    ("at.set at.min at.max", f"self, values, *, {_UPDATE}", _scattered(_SELF)),
    ("at.add at.mul at.multiply at.subtract", f"self, values, *, {_UPDATE}", _scattered(_SELF, "b")),
    ("at.divide", f"self, values, *, {_UPDATE}", _scattered(Operator("truediv", "self self"), "b")),
    (
        "at.power",
        f"self, values, *, {_UPDATE}",
        _scattered(Checked(WithDimensions(Operator("pow", "self self")), _WEAKNESS), "b"),
    ),
    ("at.apply", f"self, func, *, {_UPDATE}", _SELF),
    ("at.get", f"self, *, {_UPDATE}, fill_value=None", _SELF),
)

_ATTRIBUTES: Final = table("jax", ("T mT at", "self", _SELF), ("real imag", "self", Converted(_SELF, "c=real")))

LIBRARY: Final = Library(
    "jax",
    {
        **elementwise.ROWS,
        **reductions.ROWS,
        **shaping.ROWS,
        **linear.ROWS,
        **lax.ROWS,
        **nn.ROWS,
        **random.ROWS,
    },
    aliases={
        f"numpy.{name}": f"numpy.{other}"
        for name, other in named(
            "abs=absolute conj=conjugate true_divide=divide mod=remainder acos=arccos acosh=arccosh asin=arcsin"
            " asinh=arcsinh atan=arctan atanh=arctanh atan2=arctan2 bitwise_not=invert bitwise_invert=invert"
            " bitwise_left_shift=left_shift bitwise_right_shift=right_shift concat=concatenate around=round fix=trunc"
        ).items()
    },
    array="Array",
    shared_methods=_SHARED,
    methods=_METHODS,
    attributes=_ATTRIBUTES,
)
