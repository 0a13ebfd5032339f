"""TensorFlow: functions of tf, tf.math, tf.linalg, tf.nn, tf.random, tf.signal, tf.bitwise.

Source: running TensorFlow 2.21 on the CPU. Tensors of two dtypes do not promote, and a function supports few dtypes.
"""

from typing import Final

from promo_mypy.rules.functions.language.choosing import CheckedIfKnown
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Library, named, table
from promo_mypy.rules.functions.language.vocabulary import Same
from promo_mypy.rules.functions.tensorflow import math, nn, shaping
from promo_mypy.rules.functions.tensorflow.math import Met

#: Functions that are also in another module, or directly in tf.
_ALIASES: Final = (
    "abs=math.abs acos=math.acos acosh=math.acosh add=math.add add_n=math.add_n argmax=math.argmax argmin=math.argmin"
    " asin=math.asin asinh=math.asinh atan=math.atan atan2=math.atan2 atanh=math.atanh cos=math.cos cosh=math.cosh"
    " cumsum=math.cumsum divide=math.divide equal=math.equal exp=math.exp floor=math.floor greater=math.greater"
    " greater_equal=math.greater_equal less=math.less less_equal=math.less_equal logical_and=math.logical_and"
    " logical_not=math.logical_not logical_or=math.logical_or maximum=math.maximum minimum=math.minimum"
    " multiply=math.multiply negative=math.negative not_equal=math.not_equal pow=math.pow reduce_all=math.reduce_all"
    " reduce_any=math.reduce_any reduce_logsumexp=math.reduce_logsumexp reduce_max=math.reduce_max"
    " reduce_mean=math.reduce_mean reduce_min=math.reduce_min reduce_prod=math.reduce_prod reduce_sum=math.reduce_sum"
    " round=math.round sigmoid=math.sigmoid sign=math.sign sin=math.sin sinh=math.sinh sqrt=math.sqrt"
    " square=math.square subtract=math.subtract tan=math.tan tanh=math.tanh truediv=math.truediv math.mod=math.floormod"
    " matmul=linalg.matmul linalg.einsum=einsum linalg.tensordot=tensordot linalg.norm=norm linalg.eye=eye"
    " scalar_mul=math.scalar_mul dtypes.cast=cast dtypes.complex=complex dtypes.saturate_cast=saturate_cast"
    " nn.sigmoid=math.sigmoid nn.tanh=math.tanh nn.softplus=math.softplus nn.softsign=math.softsign"
    " nn.top_k=math.top_k nn.l2_normalize=math.l2_normalize math.softmax=nn.softmax math.log_softmax=nn.log_softmax"
    " nn.zero_fraction=math.zero_fraction nn.swish=nn.silu eig=linalg.eig eigvals=linalg.eigvals"
)

_ASSIGNED: Final = "self, value, use_locking=None, name=None, read_value=True"
_DELTA: Final = "self, delta, use_locking=None, name=None, read_value=True"

#: A variable keeps its dtype. A tensor that is assigned must have it; lists, numbers and NumPy's arrays are converted.
_METHODS: Final = table(
    "tensorflow",
    ("Variable.assign", _ASSIGNED, CheckedIfKnown(Same("self"), Met("self value"))),
    (
        "Variable.assign_add Variable.assign_sub",
        _DELTA,
        CheckedIfKnown(Same("self"), Converted(Met("self delta"), "b=refused")),
    ),
    ("Variable.read_value Variable.value", "self", Same("self")),
)

LIBRARY: Final = Library(
    "tensorflow",
    {**math.ROWS, **shaping.ROWS, **nn.ROWS},
    aliases=named(_ALIASES),
    array="Tensor",
    methods=_METHODS,
)
