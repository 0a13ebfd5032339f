"""A system with the operators of another one and a changed lattice: JAX's design options, and user-defined systems."""

from dataclasses import replace
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import Limits, PromotionSystem
from promo_mypy.rules.wording import reasons

_WEAK: Final = ("i*", "f*", "c*")


class LatticeSystem(PromotionSystem):
    """Promotion is the join in the lattice; operators give the result of the base system for the joined dtype.

    If the operands join as they do in the base's own lattice, the answer is the base's, whatever it is: a lattice
    without changes changes nothing. Only a result without a node in the lattice is rejected; the bool of
    comparisons needs no node.
    """

    def __init__(self, name: str, lattice: Lattice, base: PromotionSystem) -> None:
        """Raises ValueError for a base without a lattice, NotAnOrderError for a lattice with a cycle or a gap,
        UnknownDtypeError for a node that is not a dtype.
        """
        if base.lattice is None:
            raise ValueError(f"{base.name} has no lattice to start from")
        for node in lattice.order.rows:
            if node not in _WEAK:
                dt.parse(node)
        super().__init__(name, replace(base.dialect, library=name), lattice)
        self._base: Final = base
        self._lattice: Final = lattice
        self._unchanged: Final = base.lattice
        self.rank_matters = base.rank_matters
        self.rank_operations = base.rank_operations
        self.in_place = base.in_place
        self.rebound = base.rebound

    @property
    def base(self) -> PromotionSystem:
        """The system whose operators these are."""
        return self._base

    @property
    def weak_dtypes(self) -> tuple[type[dt.Shaped], ...]:
        """The base's weak dtypes that have a node."""
        return tuple(dtype for dtype in self._base.weak_dtypes if self.node_of(dtype) in self._lattice.covers)

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """The dtypes of the lattice, and PRNG keys if the base has them."""
        return self.node_of(dtype) in self._lattice.covers or (dtype is dt.key and self._base.has(dtype))

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
        """As in the base; a dtype that the base lacks only casts to itself."""
        if self._base.has(source) and self._base.has(target):
            return self._base.can_cast(source, target)
        return source is target

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        return self._base._limits(operation, dtype, reflected=reflected) if self._base.has(dtype) else None

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        return self._answered("promote", operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        return self._answered(operation, operands)

    def _answered(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        arrays = [o.dtype for o in operands if not issubclass(o.dtype, dt.PythonScalar)]
        if dt.key in arrays:  # keys are outside the lattice
            return self._base.verdict(operation, operands)
        nodes = [self.node_of(dtype) for dtype in arrays]
        strong = [node for node in nodes if node not in _WEAK]
        # A weak array counts as the Python number that it was made from.
        scalars = [node[0] for node in nodes if node in _WEAK]
        scalars += [o.dtype.kind for o in operands if issubclass(o.dtype, dt.PythonScalar)]
        joined = self._lattice.join_all(strong, scalars)
        known = all(node in self._unchanged.covers for node in nodes)
        if known and joined == self._unchanged.join_all(strong, scalars):
            return self._placed(operation, operands, self._base.verdict(operation, operands))
        if joined is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        dtype = self.dtype_of(joined)
        if operation == "promote" or not self._base.has(dtype):
            return dt.bool_ if operation in COMPARISONS else dtype
        return self._placed(operation, operands, self._base.verdict(operation, tuple(Operand(dtype) for _ in operands)))

    def _placed(self, operation: str, operands: tuple[Operand, ...], verdict: Verdict) -> Verdict:
        """The base's answer, if it has a node in this lattice."""
        if isinstance(verdict, str) or self.has(verdict) or (verdict is dt.bool_ and operation in COMPARISONS):
            return verdict
        return reasons.result_absent(self.dialect.library, operation, operands, verdict)
