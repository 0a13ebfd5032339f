"""Every operator on every pair of dtypes, executed: the result has the dtype of the rule, and a refusal raises."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import PYTHON_SCALARS, PythonScalar, Shaped
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_runtime.kernels.numpy_kernels import NoLoopError
from promo_runtime.numpy_dtypes import dtype_of
from promo_runtime.plans.computation_dtype import plainly
from tests.runtime.samples import ARITHMETIC, BINARY, LEFT, PYTHON, RIGHT, UNARY, array, own
from tests.slow_tests import slow_but

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")

#: Operations with a dtype in the rules and without a loop in NumPy: remainders of complex numbers.
NO_LOOP = {"paddle": {("mod", "c"), ("imod", "c")}}
REFUSED = 40


class Operands:
    """Arrays and numbers by their operand in the rules."""

    def __init__(self, system: str, data: Any) -> None:
        rules = get_system(system)
        self.of: dict[Operand, Any] = {}
        for dtype in own(rules):
            made = array(system, dtype, data)
            self.of[Operand(dtype)] = made
            if rules.rank_matters or rules.rank_operations:
                self.of[Operand(dtype, Form.ZERO_D)] = made[0, 0]
        self.numbers = {Operand(scalar): PYTHON[name] for name, scalar in PYTHON_SCALARS.items()}


def questions(system: str) -> Iterator[tuple[str, tuple[Operand, ...], tuple[Any, ...]]]:
    """Operation, operands of the rules, and their values."""
    lefts, rights = Operands(system, LEFT), Operands(system, RIGHT)
    names = pr.namespace(system).operations
    pairs = [*product({**lefts.of, **lefts.numbers}.items(), {**rights.of, **rights.numbers}.items())]
    for operation, ((one, left), (other, right)) in product([*BINARY, *IN_PLACE], pairs):
        if issubclass(one.dtype, PythonScalar) and (issubclass(other.dtype, PythonScalar) or operation in IN_PLACE):
            continue
        if Form.ZERO_D in (one.form, other.form) and not get_system(system).rank_decides(operation):
            continue
        if operation in IN_PLACE and one.form is Form.ZERO_D and other.form is Form.ARRAY:
            continue  # shapes do not match, whatever the dtypes
        if operation in names or operation in IN_PLACE:
            yield operation, (one, other), (left.copy() if operation in IN_PLACE and left.ndim else left, right)
    for operation, (one, left) in product(UNARY, lefts.of.items()):
        yield operation, (one,), (left,)


def dtype_executed(system: str, operation: str, values: tuple[Any, ...]) -> type[Shaped]:
    space = pr.namespace(system)
    result = (space.in_place if operation in IN_PLACE else space.operations)[operation](*values)
    for each in result if isinstance(result, tuple) else (result,):
        assert dtype_of(each._data.dtype) is each.dtype, (operation, values)
    found: type[Shaped] = (result[0] if isinstance(result, tuple) else result)._type.dtype
    return found


@pytest.mark.parametrize("system", slow_but(["numpy", "jax", "torch"], SYSTEM_NAMES))
def test_executed_dtypes_are_those_of_the_rules(system: str) -> None:
    rules = get_system(system)
    differ, refused, without_loop, executed = [], [], set(), 0
    for operation, operands, values in questions(system):
        verdict = rules.verdict(operation, operands)
        if isinstance(verdict, str):
            refused.append((operation, operands, values))
            continue
        try:
            found = dtype_executed(system, operation, values)
        except NoLoopError:
            without_loop.add((operation, verdict.kind))
            continue
        executed += 1
        if found is not verdict and not _by_value(system, operands):
            differ.append((operation, [each.name for each in operands], verdict.name, found.name))
    assert differ == []
    assert without_loop == NO_LOOP.get(system, set())
    assert executed > 300
    chance = random.Random(system)
    for operation, operands, values in chance.sample(refused, min(REFUSED, len(refused))):
        with pytest.raises(pr.PromotionError) as raised:
            dtype_executed(system, operation, values)
        assert raised.value.operands == operands
        asked = operation if rules.in_place else plainly(operation)  # if it rebinds, x += y is x + y
        assert (raised.value.system, raised.value.operation) == (system, asked)


def _by_value(system: str, operands: tuple[Operand, ...]) -> bool:
    """Whether the value of a Python int decides; the rule without the value does not know."""
    return system == "numpy-legacy" and any(operand.dtype is PYTHON_SCALARS["py_int"] for operand in operands)


def test_the_number_of_questions() -> None:
    assert len(ARITHMETIC) == 14
    assert len(list(questions("numpy"))) > 10_000
