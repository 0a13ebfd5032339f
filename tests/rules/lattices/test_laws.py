"""Commutativity and associativity of promotion, over all pairs and triples.

The expected counts of triples whose result depends on their grouping are computed from the measured tables, in the
same way as for the rules; the best known triples are spelled out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import pytest

from promo_mypy.rules.dtypes import ORDINARY, parse
from promo_mypy.rules.lattices.laws import counted, laws
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
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
    """All ordered triples: how many differ by grouping, and for how many only one grouping gives a dtype."""

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
    """The join of a measured table; a rejection is None."""
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


# The laws as measured by running the libraries (the versions are named below): system,
# operation, number of operands -> triples that differ, triples where one side is rejected.
MEASURED = [
    # NumPy 2.4.6 with ml_dtypes 0.6.0, and 1.26.4
    ("numpy", "add", 15, 40, 0),
    ("numpy", "promote", 15, 28, 156),
    ("numpy-legacy", "add", 15, 40, 0),
    # JAX 0.10.2
    ("jax", "add", 15, 0, 0),
    ("jax", "add", 18, 0, 0),
    ("jax-x32", "add", 15, 0, 0),
    ("jax-x32", "add", 18, 0, 0),
    ("jax-lax", "add", 15, 0, 0),
    ("jax-lax", "add", 18, 0, 0),
    # PyTorch 2.13.0: torch.promote_types
    ("torch", "promote", 15, 0, 432),
    # TensorFlow 2.21.0
    ("tensorflow", "add", 15, 0, 0),
    ("tensorflow-numpy-all", "add", 15, 0, 28),
    ("tensorflow-numpy-all", "add", 20, 0, 38),
    ("tensorflow-numpy-safe", "add", 15, 0, 288),
    ("tensorflow-numpy-safe", "add", 20, 0, 586),
    # array-api-strict 2.6.1, Dask 2026.8.0, CuPy 14.2.0
    ("array-api", "add", 13, 0, 0),
    ("dask", "add", 15, 40, 0),
    ("cupy", "add", 15, 40, 0),
]


@pytest.mark.parametrize(("name", "operation", "operands", "differ", "refused"), MEASURED)
def test_laws_are_the_measured_ones(name: str, operation: str, operands: int, differ: int, refused: int) -> None:
    system = get_system(name)
    asked = [Operand(dtype) for dtype in system.dtypes][:operands]
    found = laws(system, operation, asked)
    assert (len(found.names), found.pairs, found.triples) == (operands, operands**2, operands**3)
    assert (found.differ, found.one_side_refused) == (differ, refused)
    assert found.commutative
    assert found.associative == (differ == refused == 0)


def test_laws_of_numpys_fourteen() -> None:
    found = laws(get_system("numpy"), "add", [Operand.of(name) for name in WITHOUT_BFLOAT16])
    assert (found.triples, found.differ, found.one_side_refused) == (2744, 28, 0)
    assert found.counter_example == ("uint8", "int8", "float16")  # float32 one way, float16 the other


def test_laws_of_jax_promote_types() -> None:
    """Weakness is lost, so that uint64 with int8 is a strong float64."""
    jax = get_system("jax")
    assert isinstance(jax, JaxSystem)

    def join(one: Operand | None, other: Operand | None) -> Operand | None:
        if one is None or other is None:
            return None
        joined = jax.promote_types(*(parse(operand.dtype.name) for operand in (one, other)))
        return None if joined is None else Operand(joined)

    found = counted(tuple(Operand.of(name) for name in FIFTEEN), join)
    assert (found.triples, found.differ, found.one_side_refused) == (3375, 64, 0)


def test_paddle_counts_are_the_measured_ones_with_all_kernels(golden_files: GoldenFiles) -> None:
    paddle = get_system("paddle")
    names = [dtype.name for dtype in paddle.dtypes]
    cells = dict(golden_files["paddle"]["promote/add"].cells)
    theirs = {pair: None if cell.startswith("!") else cell for pair, cell in cells.items()}
    assert count(lambda one, other: theirs[one, other], names) == Groupings(0, 332)  # Paddle 3.3.1
    # On the CPU two halves do not add; elsewhere they do.
    theirs |= {(name, name): name for name in ("bfloat16", "float16")}
    found = laws(paddle)
    assert Groupings(found.differ, found.one_side_refused) == count(lambda one, other: theirs[one, other], names)
    assert found.counter_example == ("bool", "uint8", "complex64")


def test_tensorflow_add_depends_on_the_order() -> None:
    """tf.add makes a tensor of its first operand before it looks at the other: tf.add(1, uint8) is rejected."""
    tensorflow = get_system("tensorflow")
    found = laws(tensorflow, "promote", tensorflow.operands)
    assert not found.commutative
    # tf.add(1, t) for all but int32, tf.add(1.0, t) for all but float32, and so on, both ways round.
    assert (found.pairs, found.noncommutative) == (18**2, 44)
    assert found.first_noncommutative == ("uint8", "int")
    assert laws(tensorflow, "add", tensorflow.operands).commutative


@pytest.mark.parametrize("name", ["option-0", "option-1", "option-2", "option-3"])
def test_the_options_are_lattices_as_far_as_they_go(name: str) -> None:
    system = get_system(name)
    assert system.is_lattice
    assert laws(system).commutative
    assert laws(system).associative


def test_the_counting_finds_what_it_should() -> None:
    rock_paper_scissors = {frozenset("rp"): "p", frozenset("ps"): "s", frozenset("sr"): "r"}
    found = count(lambda one, other: rock_paper_scissors.get(frozenset({one, other}), one), ["r", "p", "s"])
    # The six orders of three different names; a repeated name never depends on the grouping.
    assert found == Groupings(differ=6, one_side_refused=0)
    assert count(lambda one, other: max(one, other), ["a", "b", "c"]) == Groupings(0, 0)
    assert count(lambda one, other: None if {one, other} == {"a", "b"} else max(one, other), ["a", "b", "c"]) != (
        Groupings(0, 0)
    )
