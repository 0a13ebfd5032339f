"""Find the nodes of operands in the order of a promotion system."""

from collections.abc import Sequence

from promo_mypy.rules.dtypes import PythonScalar
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem


def places_of(system: PromotionSystem, operands: Sequence[Operand]) -> tuple[str | None, ...]:
    """The node of each operand; a Python scalar has the node that it counts as beside the arrays. None for an operand
    without a node.
    """
    lattice = system.lattice
    if lattice is None:
        return (None,) * len(operands)
    nodes = [_node(system, operand) for operand in operands]
    arrays = [node for node in nodes if node is not None]
    beside = lattice.join(arrays) if arrays else ""
    return tuple(
        lattice.counts_as(operand.dtype.kind, beside or "") if issubclass(operand.dtype, PythonScalar) else node
        for operand, node in zip(operands, nodes, strict=True)
    )


def _node(system: PromotionSystem, operand: Operand) -> str | None:
    if issubclass(operand.dtype, PythonScalar) or system.lattice is None:
        return None
    node = system.node_of(operand.dtype)
    return node if node in system.lattice.covers else None
