"""The remedies of rejected operators, followed and executed: the library accepts what they say."""

import operator
import re
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.dtypes import PythonScalar
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.wording.test_refusals import EXTRA, ONE_OF_A_SORT, WITHOUT_CAST, follow, operands_of

NUMBERS: Final = {"py_bool": True, "py_int": 1, "py_float": 1.0, "py_complex": 1j}
SPELLED: Final = {"and": "and_", "or": "or_"}
#: `write x = x + y for float32`
REPLACED: Final = re.compile(r"write x = x \S+ y for (\w+)")
#: An operation of each kind, and those in place.
OPERATIONS: Final = (*sorted(ONE_OF_A_SORT), "iadd", "isub", "itruediv", "ifloordiv", "iand", "ilshift", "imatmul")
#: Operations with a kernel that the CPU lacks raise this.
MISSING: Final = (NotImplementedError,)


def array(library: str, dtype: str) -> Any:
    if library == "torch":
        torch = imported("torch")
        return torch.ones(2, 2, dtype=getattr(torch, dtype))
    known = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    return np.ones((2, 2), known) if library == "numpy" else imported("jax.numpy").ones((2, 2), known)


def value(library: str, operand: Operand) -> Any:
    name = operand.dtype.name
    return NUMBERS[name] if issubclass(operand.dtype, PythonScalar) else array(library, name)


def executed(library: str, operation: str, operands: tuple[Operand, ...]) -> str | None:
    """The dtype of an operation; None if the library lacks the kernel. Raises what the library raises."""
    function: Callable[..., Any] = getattr(operator, SPELLED.get(operation, operation), divmod)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = [value(library, operand) for operand in operands]
        try:
            found = function(*values)
        except MISSING:
            return None
    return str(getattr(found[0] if isinstance(found, tuple) else found, "dtype", "")).removeprefix("torch.")


def refusals(system: PromotionSystem) -> Iterator[Refusal]:
    """The rejected pairs of every operator, but for the rare dtypes."""
    operands = [operand for operand in operands_of(system) if operand.name not in EXTRA]
    for operation in OPERATIONS:
        for pair in product(operands, repeat=2):
            numbers = [issubclass(operand.dtype, PythonScalar) for operand in pair]
            if all(numbers) or (numbers[0] and operation in IN_PLACE):
                continue
            answer = system.resolve(operation, *pair)
            if isinstance(answer, Refusal):
                yield answer


@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
def test_the_library_accepts_what_the_remedy_says(library: str) -> None:
    system = get_system("jax-x32" if library == "jax" else library)
    instead = {f"write {expression}" for expression in system.dialect.instead.values()}
    wrong, count = [], 0
    for refusal in refusals(system):
        shown = (refusal.operation, [operand.name for operand in refusal.operands], refusal.remedy)
        replaced = REPLACED.search(refusal.remedy)
        if replaced is not None:
            found = executed(library, IN_PLACE[refusal.operation], refusal.operands)
            wrong += [(*shown, found)] if found not in (None, replaced[1]) else []
            count += 1
        if refusal.remedy in WITHOUT_CAST | instead or "cast" not in refusal.remedy:
            continue
        count += 1
        plain = "write x = x" in refusal.remedy and replaced is None
        operation = IN_PLACE[refusal.operation] if plain else refusal.operation
        try:
            executed(library, operation, follow(refusal))
        except Exception as error:  # any exception shows a useless remedy
            wrong.append((*shown, repr(error)))
    assert wrong == []
    assert count > 100
