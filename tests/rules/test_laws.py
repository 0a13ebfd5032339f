"""Commutativity and associativity of promotion, over all pairs and triples.

The expected counts of triples that depend on their grouping are computed from the measured tables, by the same
counting as for the rules, and the best known of them are spelled out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import pytest

from promo_mypy.rules.dtypes import ORDINARY, parse
from promo_mypy.rules.promotion import Operand, PromotionSystem, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_mypy.rules.systems.jax import JaxSystem
from tests.rules.golden_tables import GoldenFiles

Join = Callable[[str, str], str | None]

FIFTEEN = [dtype.name for dtype in ORDINARY]
WITHOUT_BFLOAT16 = [name for name in FIFTEEN if name != "bfloat16"]
WITHOUT_WIDE_UNSIGNED = [name for name in FIFTEEN if name not in ("uint16", "uint32", "uint64")]
WEAK = {
    "jax": ["int64*", "float64*", "complex128*"],
    "jax-x32": ["int32*", "float32*", "complex64*"],
    "jax-strict": ["int64*", "float64*", "complex128*"],
}


@dataclass(frozen=True)
class Groupings:
    """Of all ordered triples: how many differ by grouping, and how many only one grouping gives a dtype for."""

    differ: int
    one_side_refused: int


def count(join: Join, names: list[str]) -> Groupings:
    def both(one: str | None, other: str | None) -> str | None:
        return None if one is None or other is None else join(one, other)

    differ = refused = 0
    for a, b, c in product(names, repeat=3):
        left, right = both(both(a, b), c), both(a, both(b, c))
        if left != right:
            refused += None in (left, right)
            differ += None not in (left, right)
    return Groupings(differ, refused)


def rules(system: PromotionSystem, operation: str = "add") -> Join:
    def join(one: str, other: str) -> str | None:
        answer = system.verdict(operation, (Operand.of(one), Operand.of(other)))
        return None if isinstance(answer, str) else answer.name

    return cache(join)


def measured(golden_files: GoldenFiles, file: str, table: str) -> Join:
    """The join of a measured table; a refusal is None."""
    cells = golden_files[file][table].cells

    def join(one: str, other: str) -> str | None:
        cell = cells[one, other]
        return None if cell.startswith("!") else cell

    return join


@pytest.mark.parametrize("name", SYSTEM_NAMES)
@pytest.mark.parametrize("operation", ["add", "promote"])
def test_promotion_is_commutative(name: str, operation: str) -> None:
    join = rules(get_system(name), operation)
    names = FIFTEEN + WEAK.get(name, [])
    assert [pair for pair in product(names, repeat=2) if join(*pair) != join(*reversed(pair))] == []


@pytest.mark.parametrize("name", ["jax", "jax-x32", "jax-strict"])
def test_jax_is_associative(name: str) -> None:
    names = FIFTEEN + WEAK[name]
    assert len(names) ** 3 == 5832
    assert count(rules(get_system(name)), names) == Groupings(0, 0)


@pytest.mark.parametrize(("file", "name"), [("jax-x64", "jax"), ("jax-x32", "jax-x32"), ("jax-strict", "jax-strict")])
def test_jax_counts_are_the_measured_ones(file: str, name: str, golden_files: GoldenFiles) -> None:
    theirs = measured(golden_files, file, "weak/add_18")
    assert count(rules(get_system(name)), FIFTEEN + WEAK[name]) == count(theirs, [*FIFTEEN, "i*", "f*", "c*"])


@pytest.mark.parametrize("name", ["jax", "jax-x32", "jax-strict"])
def test_jax_is_a_lattice_where_it_joins(name: str) -> None:
    system = get_system(name)
    assert isinstance(system, JaxSystem)
    order = system.order
    for one, other in product(order.rows, repeat=2):
        bounds = order.upper_bounds((one, other))
        # The join is below every other upper bound, so it is the least one.
        assert all(bound in order.above[bounds[0]] for bound in bounds), (one, other)


def test_numpy_depends_on_the_grouping(golden_files: GoldenFiles) -> None:
    numpy = get_system("numpy")
    add = measured(golden_files, "numpy", "promote/add")
    promote = measured(golden_files, "numpy", "promote/promote_types")
    fourteen, fifteen = count(add, WITHOUT_BFLOAT16), count(add, FIFTEEN)
    assert (fourteen.differ, fifteen.differ) == (28, 40)
    assert count(rules(numpy), WITHOUT_BFLOAT16) == fourteen
    assert count(rules(numpy), FIFTEEN) == fifteen
    assert count(rules(numpy, "promote"), FIFTEEN) == count(promote, FIFTEEN)


def test_numpy_joins_a_set_at_once() -> None:
    numpy = get_system("numpy")
    inner = numpy.promote(Operand.of("int8"), Operand.of("uint8"))
    assert not isinstance(inner, Refusal)
    assert numpy.promote(Operand(inner), Operand.of("float16")) is parse("float32")
    together = {
        numpy.promote(*(Operand.of(name) for name in order)) for order in permutations(["int8", "uint8", "float16"])
    }
    assert together == {parse("float16")}


def test_torch_does_not_depend_on_the_grouping(golden_files: GoldenFiles) -> None:
    torch = get_system("torch")
    promote = measured(golden_files, "torch", "promote/promote_types")
    assert count(rules(torch), FIFTEEN) == count(promote, FIFTEEN)
    assert count(rules(torch), FIFTEEN).differ == 0
    assert count(rules(torch), WITHOUT_WIDE_UNSIGNED) == Groupings(0, 0)


def test_the_counting_finds_what_it_should() -> None:
    rock_paper_scissors = {frozenset("rp"): "p", frozenset("ps"): "s", frozenset("sr"): "r"}
    found = count(lambda one, other: rock_paper_scissors.get(frozenset({one, other}), one), ["r", "p", "s"])
    # The six orders of three different names; a repeated name never depends on the grouping.
    assert found == Groupings(differ=6, one_side_refused=0)
    assert count(lambda one, other: max(one, other), ["a", "b", "c"]) == Groupings(0, 0)
    assert count(lambda one, other: None if {one, other} == {"a", "b"} else max(one, other), ["a", "b", "c"]) != (
        Groupings(0, 0)
    )
