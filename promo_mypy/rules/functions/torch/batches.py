"""PyTorch's batches of samples and lists of parameters: `torch.utils.data`, `torch.nn.utils`.

Source: running PyTorch 2.13 on the CPU.
"""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many, Value, scalar_of
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.protocols import NeverPromotes
from promo_mypy.rules.functions.language.rank_rules import Exactly, Kept
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule

#: Numbers of Python do not get PyTorch's default dtype.
NUMBERS: Final[Mapping[str, DType]] = {"b": dt.bool_, "i": dt.int64, "f": dt.float64}

_NORM: Final = "norm_type=2.0, error_if_nonfinite=False, foreach=None"


@rule
class _Collated(NeverPromotes):
    """A batch of samples that are alike: tensors, arrays or numbers."""

    name: str

    def answer(self, call: Call) -> DType:
        """The dtype of the samples. Unknown for samples of several dtypes, and for sequences of them."""
        found = {_dtype_of(sample) for sample in _samples(call.bound[self.name])}
        if len(found) != 1:
            raise Unresolved
        return call.stored(found.pop())


@rule
class _OfFirst(NeverPromotes):
    """The dtype of the first sample: the others are copied into an array like it."""

    name: str

    def answer(self, call: Call) -> DType:
        """Unknown for a sequence without a sample, and for one of samples of unknown dtype."""
        return call.stored(_dtype_of(next(iter(_samples(call.bound[self.name])))))


def _samples(batch: Argument) -> tuple[Argument, ...]:
    match batch:
        case Items(items) if items:
            return items
        case Many(item):
            return (item,)
        case _:
            raise Unresolved


def _dtype_of(sample: Argument) -> DType:
    operand = scalar_of(sample.value) if isinstance(sample, Value) else sample
    if not isinstance(operand, Operand):
        raise Unresolved
    if issubclass(operand.dtype, dt.Shaped):
        return operand.dtype
    if operand.dtype.kind not in NUMBERS:
        raise Unresolved
    return NUMBERS[operand.dtype.kind]


ROWS: Final[Rows] = table(
    "torch",
    ("utils.data.default_collate", "batch", _Collated("batch"), Kept("batch")),
    (
        "nn.utils.rnn.pad_sequence",
        "sequences, batch_first=False, padding_value=0.0, padding_side='right'",
        _OfFirst("sequences"),
        Kept("sequences"),
    ),
    ("nn.utils.parameters_to_vector", "parameters", _Collated("parameters"), Exactly(1)),
    ("nn.utils.clip_grad_norm_", f"parameters, max_norm, {_NORM}", _Collated("parameters"), Exactly(0)),
)
