"""The base of systems whose operators join their operands and then look up the joined dtype."""

from collections.abc import Mapping
from typing import Final, Literal

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.promotion import Limits, PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import Dialect


@record
class Operation:
    """How an operator uses the joined dtype of its operands."""

    kinds: str
    """The kinds of joined dtypes for which it is defined."""
    gives: Literal["joined", "bool", "quotient", "real part"] = "joined"
    never: frozenset[str] = frozenset()
    """Dtypes of these kinds for which it is not defined."""
    promotes: bool = True
    """False if the arrays must have the same dtype."""
    extra: Mapping[frozenset[str], str] | None = None
    """Pair of dtypes that the library computes without joining them -> the result."""


class JoiningSystem(PromotionSystem):
    """A library described by a lattice, the nodes that Python scalars count as, and a row for each operator."""

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        lattice: Lattice,
        operations: Mapping[str, Operation],
        quotients: Mapping[str, str],
    ) -> None:
        """`quotients`: joined dtype -> the dtype of a quotient, if it differs. An operator without a row does not
        exist.
        """
        super().__init__(name, dialect, lattice)
        self._lattice: Final = lattice
        self._operations: Final = operations
        self._quotients: Final = quotients

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """The dtypes of the lattice."""
        return self.node_of(dtype) in self._lattice.covers

    def can_cast(self, source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:  # noqa: ARG002 (the interface)
        """Whether the result is stored in place: never if `x += y` rebinds."""
        return False

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:  # noqa: ARG002
        return None

    def _promote(self, operands: tuple[Operand, ...]) -> Verdict:
        joined = self._joined(operands)
        return self.dtype_of(joined) if joined else reasons.no_common_dtype(self.dialect.library, operands)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        row = self._operations.get(operation)
        if row is None:
            return reasons.no_operator(self.dialect.library, operation)
        if row.extra:
            result = row.extra.get(frozenset(operand.dtype.name for operand in operands))
            if result is not None:
                return dt.DTYPES[result]
        arrays = {operand.dtype for operand in operands if not issubclass(operand.dtype, dt.PythonScalar)}
        if not row.promotes and len(arrays) > 1:
            return reasons.unequal_dtypes(self.dialect.library, operation, operands)
        joined = self._joined(operands)
        if joined is None:
            return reasons.no_common_dtype(self.dialect.library, operands)
        return self._result(operation, row, operands, self.dtype_of(joined))

    def _result(
        self, operation: str, row: Operation, operands: tuple[Operand, ...], joined: type[dt.Shaped]
    ) -> Verdict:
        """The result of the operator on operands that were joined to one dtype."""
        if joined.kind not in row.kinds or joined.strong.name in row.never:
            return reasons.not_defined(self.dialect.library, operation, operands, joined)
        if row.gives == "bool":
            return dt.bool_
        if row.gives == "quotient":
            return dt.DTYPES[self._quotients.get(joined.name, joined.name)]
        return dt.REAL_PARTS.get(joined, joined) if row.gives == "real part" else joined

    def _joined(self, operands: tuple[Operand, ...]) -> str | None:
        arrays = [self.node_of(o.dtype) for o in operands if not issubclass(o.dtype, dt.PythonScalar)]
        scalars = [o.dtype.kind for o in operands if issubclass(o.dtype, dt.PythonScalar)]
        return self._lattice.join_all(arrays, scalars)
