"""Sets of operands: every combination counts, and no other."""

from itertools import product

import pytest

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.possibilities import resolve_sets
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system


def operands(category: type[dt.Shaped], form: Form = Form.ARRAY) -> frozenset[Operand]:
    return frozenset(Operand(dtype, form) for dtype in categories.members(category))


def names(dtypes: frozenset[type[dt.Shaped]]) -> set[str]:
    return {dtype.name for dtype in dtypes}


def test_a_category_gives_the_exact_set() -> None:
    outcome = resolve_sets(get_system("numpy"), "add", operands(dt.Float), operands(dt.float32))
    assert names(outcome.results) == {"float32", "float64"}
    assert outcome.refusals == ()


def test_rejected_combinations_are_listed_separately() -> None:
    outcome = resolve_sets(get_system("torch"), "add", operands(dt.UnsignedInteger), operands(dt.int32))
    assert names(outcome.results) == {"int32"}
    assert [refusal.operands[0].name for refusal in outcome.refusals] == ["uint16", "uint32", "uint64"]


def test_a_whole_category_can_be_rejected() -> None:
    outcome = resolve_sets(get_system("jax"), "lshift", operands(dt.Float), operands(dt.Integer))
    assert outcome.results == frozenset()
    assert len(outcome.refusals) == 4 * 8


def test_union_of_forms() -> None:
    either = operands(dt.float64) | operands(dt.float64, Form.ZERO_D)
    outcome = resolve_sets(get_system("torch"), "mul", operands(dt.float32), either)
    assert names(outcome.results) == {"float32", "float64"}


@pytest.mark.parametrize("name", SYSTEM_NAMES)
@pytest.mark.parametrize("operation", ["add", "truediv", "lt", "iadd"])
def test_the_results_are_those_of_every_combination(name: str, operation: str) -> None:
    system = get_system(name)
    left, right = operands(dt.Num), operands(dt.Shaped)
    answers = [system.resolve(operation, *pair) for pair in product(left, right)]
    outcome = resolve_sets(system, operation, left, right)
    assert outcome.results == {answer for answer in answers if not isinstance(answer, Refusal)}
    assert set(outcome.refusals) == {answer for answer in answers if isinstance(answer, Refusal)}


def test_a_unary_operation_and_an_empty_set() -> None:
    system = get_system("jax")
    assert names(resolve_sets(system, "abs", operands(dt.Complex)).results) == {"float32", "float64"}
    empty = resolve_sets(system, "add", operands(dt.Float), frozenset())
    assert (empty.results, empty.refusals) == (frozenset(), ())
