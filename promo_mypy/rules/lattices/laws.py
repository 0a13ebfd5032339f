"""Check whether a system's promotion is commutative and associative: count all pairs and triples, with an example."""

from collections.abc import Callable, Sequence
from itertools import product

from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record


@record
class Laws:
    """The counts. The examples name the operands in order."""

    names: tuple[str, ...]
    """The operands of the pairs and triples."""
    pairs: int
    triples: int
    noncommutative: int
    """Ordered pairs (a, b) for which a v b is not b v a. A dtype and a refusal differ."""
    first_noncommutative: tuple[str, str] | None
    differ: int
    """Ordered triples for which (a v b) v c and a v (b v c) are two dtypes."""
    one_side_refused: int
    """Ordered triples for which only one grouping gives a dtype."""
    counter_example: tuple[str, str, str] | None
    """The first triple of `differ`, or else of `one_side_refused`."""

    @property
    def commutative(self) -> bool:
        """Whether the order of two operands never matters."""
        return not self.noncommutative

    @property
    def associative(self) -> bool:
        """Whether the grouping of three operands never matters, neither for the result nor for whether there is one."""
        return not self.differ and not self.one_side_refused


def laws(system: PromotionSystem, operation: str = "add", operands: Sequence[Operand] | None = None) -> Laws:
    """The laws of an operator, or of "promote", over all pairs and triples of operands.

    Without operands: over the system's own dtypes, weak ones included. A result enters the next step as an
    array. Raises UnknownOperationError for an unknown operation.
    """
    asked = tuple(Operand(dtype) for dtype in system.dtypes) if operands is None else tuple(operands)
    known: dict[tuple[Operand, Operand], Operand | None] = {}

    def join(one: Operand | None, other: Operand | None) -> Operand | None:
        if one is None or other is None:
            return None
        pair = one, other
        if pair not in known:
            verdict = system.verdict(operation, pair)
            known[pair] = None if isinstance(verdict, str) else Operand(verdict)
        return known[pair]

    return counted(asked, join)


def counted(operands: tuple[Operand, ...], join: Callable[[Operand | None, Operand | None], Operand | None]) -> Laws:
    """The laws of any join. None is a refusal, as argument and as result."""
    swapped = [(one, other) for one, other in product(operands, repeat=2) if join(one, other) != join(other, one)]
    differ: list[tuple[Operand, ...]] = []
    refused: list[tuple[Operand, ...]] = []
    for a, b, c in product(operands, repeat=3):
        left, right = join(join(a, b), c), join(a, join(b, c))
        if left != right:
            (refused if left is None or right is None else differ).append((a, b, c))
    example = next(iter((*differ, *refused)), None)
    return Laws(
        tuple(operand.name for operand in operands),
        len(operands) ** 2,
        len(operands) ** 3,
        len(swapped),
        (swapped[0][0].name, swapped[0][1].name) if swapped else None,
        len(differ),
        len(refused),
        None if example is None else (example[0].name, example[1].name, example[2].name),
    )
