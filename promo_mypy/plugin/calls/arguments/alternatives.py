"""Combine the alternatives of arguments: an argument of several possible dtypes is one alternative for each."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import (
    UNKNOWN,
    Argument,
    Arguments,
    Many,
    with_dimensions,
)
from promo_mypy.rules.operands import Operand

# Calls with more combinations than this are too many to be useful.
_MOST: Final = 256

NOTHING_KNOWN: Final[tuple[Argument, ...]] = (UNKNOWN,)


def sequence_of(item: Sequence[Argument]) -> Sequence[Argument]:
    """A sequence of such items. If an item may have several dtypes, one sequence may mix them, so it is unknown.

    Arrays of one dtype promote to that dtype in any mixture of ranks.
    """
    dtypes = {one.dtype for one in item if isinstance(one, Operand)}
    is_mixture = len(dtypes) == 1 and all(isinstance(one, Operand) for one in item)
    return tuple(map(Many, item)) if len(item) == 1 or is_mixture else NOTHING_KNOWN


def combined(*alternatives: Sequence[Argument]) -> Iterator[tuple[Argument, ...]] | None:
    """Every combination of one alternative from each sequence; None if there are too many."""
    return None if math.prod(map(len, alternatives)) > _MOST else itertools.product(*alternatives)


def without_rank(arguments: Arguments) -> Arguments:
    """The same call with arrays of any rank."""
    return arguments.mapped(with_dimensions)


def in_order(dtypes: frozenset[dt.OperandType] | frozenset[type[dt.Shaped]]) -> list[type]:
    """The dtypes in an order that does not change from run to run."""
    return sorted(dtypes, key=lambda dtype: dtype.__name__)
