"""Dask's promotion (2026.8): NumPy's rules for the dtypes of its blocks.

Source: running Dask with NumPy blocks; every operator computed the dtype that it declared.
"""

from dataclasses import replace
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.systems.numpy import DIALECT as DIALECT_NUMPY
from promo_mypy.rules.systems.numpy import NumpySystem

#: @ sums the products of blocks, and a sum of bools or integers is at least this wide.
SUMS: Final = {"b": dt.int64, "i": dt.int64, "u": dt.uint64}

DIALECT: Final = replace(DIALECT_NUMPY, library="Dask")


class DaskSystem(NumpySystem):
    """dask.array.Array over NumPy arrays; arrays are immutable, so `x += y` rebinds."""

    in_place = False

    def __init__(self) -> None:
        super().__init__("dask", DIALECT)

    def _operate(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        # + returns the array itself, so it needs no loop.
        if operation == "pos" and operands[0].dtype is dt.bool_:
            return dt.bool_
        if operation != "matmul":
            return super()._operate(operation, operands)
        # @ multiplies blocks of the common dtype.
        verdict = self._promote(operands)
        return verdict if isinstance(verdict, str) else SUMS.get(verdict.kind, verdict)


def system(_name: str) -> DaskSystem:
    """Dask."""
    return DaskSystem()
