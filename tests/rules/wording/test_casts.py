"""The cast of a remedy is never a lossy one, and the system accepts the operation after it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.dialects import keeps_values
from promo_mypy.rules.wording.value_remedies import stored_remedy

SYSTEMS = ("numpy", "jax", "jax-strict", "torch", "tensorflow", "paddle", "array-api", "cupy")
#: Those that promote all numbers: they reject only what no single cast mends.
PROMOTING = ("numpy", "jax", "cupy")
OPERATIONS = ("add", "sub", "truediv", "pow", "matmul", "and", "iadd", "itruediv")


def refused(system: PromotionSystem, operation: str) -> Iterator[Refusal]:
    """What a system rejects of an operation."""
    shaped = [dtype for dtype in dt.ORDINARY if system.has(dtype)]
    dtypes: list[dt.OperandType] = [*shaped, *dt.PYTHON_SCALARS.values()]
    for left, right in product(dtypes, repeat=2):
        if issubclass(left, dt.Shaped) or (issubclass(right, dt.Shaped) and operation not in IN_PLACE):
            answer = system.resolve(operation, Operand(left), Operand(right))
            if isinstance(answer, Refusal):
                yield answer


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_remedy_is_a_lossy_cast(name: str) -> None:
    system, seen = get_system(name), 0
    for operation in OPERATIONS:
        for refusal in refused(system, operation):
            cast = refusal.advice.cast
            if cast is None:
                continue
            seen += 1
            operands = list(refusal.operands)
            source = operands[cast.operand].dtype
            assert issubclass(source, dt.Shaped)
            assert keeps_values(cast.dtype, source), refusal
            assert not (operation in IN_PLACE and system.in_place and cast.operand == 0), refusal
            operands[cast.operand] = replace(operands[cast.operand], dtype=cast.dtype)
            assert not isinstance(system.resolve(operation, *operands), Refusal), refusal
    assert bool(seen) is (name not in PROMOTING)


@pytest.mark.parametrize(
    ("target", "source", "is_kept"),
    [
        ("float32", "float64", True),
        ("float32", "int64", True),
        ("float16", "int32", False),
        ("int64", "float32", False),
        ("float64", "complex64", False),
        ("int8", "uint8", False),
        ("int16", "uint8", True),
        ("complex64", "float64", True),
    ],
)
def test_a_cast_that_loses_digits_at_most_keeps_values(target: str, source: str, *, is_kept: bool) -> None:
    assert keeps_values(dt.DTYPES[target], dt.DTYPES[source]) is is_kept


@pytest.mark.parametrize(
    ("dtype", "value", "wider"),
    [("uint16", -1, "int32"), ("uint64", -1, "int64"), ("uint8", 300, "uint16"), ("int8", 200, "int16")],
)
def test_a_number_that_does_not_fit_gets_a_dtype_that_holds_the_others_too(dtype: str, value: int, wider: str) -> None:
    assert wider in stored_remedy(get_system("numpy").dialect, value, dt.DTYPES[dtype]).sentence.split()
