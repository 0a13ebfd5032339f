"""What to write instead of a mistake: a sentence for people, and the cast that a tool can insert."""

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.records import record


@record
class OperandCast:
    """A cast of one operand to a dtype. The operand is counted from 0, as the operation or call takes them."""

    operand: int
    dtype: type[Shaped]


@record
class Remedy:
    """What to write instead.

    Attributes:
        sentence: the remedy without capital and full stop, ready for a message.
        cast: the cast that the sentence is about; None unless it is one cast that certainly helps and loses digits at
            most.
    """

    sentence: str
    cast: OperandCast | None = None
