"""The proof that an order is a lattice: the design document's counter-examples, every built-in system, brute force."""

from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promo_mypy.rules.lattices.files import read_file
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.proofs import Fault, prove
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system

LATTICES = Path(__file__).parent

FAULTS = {
    "fork": [("no bound", ("int8", "uint8"), ())],
    "crossing": [
        ("no bound", ("bfloat16", "float16"), ()),
        ("several bounds", ("int8", "uint8"), ("bfloat16", "float16")),
    ],
    "mended": [],
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_graphs_of_the_design_document(name: str) -> None:
    (own,) = read_file(LATTICES / f"{name}.toml").values()
    found = [(fault.kind, tuple(sorted(fault.nodes)), tuple(sorted(fault.bounds))) for fault in own.proof.faults]
    assert sorted(found) == FAULTS[name]


def test_a_cycle_is_spelled_out() -> None:
    (own,) = read_file(LATTICES / "circle.toml").values()
    (fault,) = own.proof.faults
    assert fault.kind == "cycle"
    assert fault.nodes[0] == fault.nodes[-1]
    steps = list(zip(fault.nodes, fault.nodes[1:], strict=False))
    assert ("float32", "int64") in steps
    assert all(high in own.lattice.covers[low] for low, high in steps)
    assert own.place_of(fault.nodes).line == 4


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_the_verdict_on_every_built_in_system(name: str) -> None:
    system = get_system(name)
    assert system.lattice is not None
    assert (not prove(system.lattice, system.lattice).faults) == system.is_lattice


def test_numpy_has_the_six_pairs_with_two_bounds() -> None:
    numpy = get_system("numpy").lattice
    assert numpy is not None
    faults = prove(numpy, numpy).faults
    assert {fault.kind for fault in faults} == {"several bounds"}
    assert frozenset({"int8", "uint8"}) in {frozenset(fault.nodes) for fault in faults}


def test_an_undefined_pair_of_the_base_stays_undefined() -> None:
    start = Lattice.of({"int8": "", "uint8": "", "float32": ""})
    grown = Lattice.of({"int8": "float32", "uint8": "", "float32": ""})
    assert not prove(grown, start).faults
    assert prove(grown, start).refused == 2
    assert {fault.nodes for fault in prove(grown).faults} == {("int8", "uint8"), ("uint8", "float32")}


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (Fault("cycle", ("a", "b", "a")), "cycle: a -> b -> a"),
        (Fault("no bound", ("a", "b")), "a and b have no common upper bound: nothing stands above both"),
        (
            Fault("several bounds", ("a", "b"), ("c", "d")),
            "a and b have 2 competing upper bounds, none of them least: c, d",
        ),
        (
            Fault("several bounds", ("a", "b"), tuple("cdefghi")),
            "a and b have 7 competing upper bounds, none of them least: c, d, e, f, g, h, ...",
        ),
    ],
)
def test_a_fault_is_a_sentence(fault: Fault, sentence: str) -> None:
    assert str(fault) == sentence


NAMES = ("bool", "int8", "int16", "int32", "float16", "float32")
_graphs = st.fixed_dictionaries({name: st.lists(st.sampled_from(NAMES), max_size=3, unique=True) for name in NAMES})
_upward = _graphs.map(
    lambda graph: {
        low: [high for high in highs if NAMES.index(high) > NAMES.index(low)] for low, highs in graph.items()
    }
)
_pairs = st.lists(st.sampled_from([frozenset(pair) for pair in combinations(NAMES, 2)]), max_size=4)


def reachable(graph: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Every (low, high) with a way from low to high: Warshall's closure."""
    found = {(name, name) for name in graph} | {(low, high) for low, highs in graph.items() for high in highs}
    for middle, low, high in product(graph, repeat=3):
        if (low, middle) in found and (middle, high) in found:
            found.add((low, high))
    return found


@given(graph=_upward, refused=_pairs)
def test_the_proof_agrees_with_brute_force(graph: dict[str, list[str]], refused: list[frozenset[str]]) -> None:
    way = reachable(graph)
    expected = {}
    for one, other in combinations(NAMES, 2):
        bounds = {high for high in NAMES if (one, high) in way and (other, high) in way}
        least = {bound for bound in bounds if all((bound, high) in way for high in bounds)}
        if frozenset({one, other}) not in refused and not least:
            expected[frozenset({one, other})] = {b for b in bounds if not any((c, b) in way for c in bounds - {b})}
    proof = prove(Lattice({name: tuple(above) for name, above in graph.items()}, frozenset(refused)))
    assert {frozenset(fault.nodes): set(fault.bounds) for fault in proof.faults} == expected
    assert (proof.nodes, proof.pairs, proof.refused) == (6, 15, len(set(refused)))
    assert all((fault.kind == "several bounds") == bool(fault.bounds) for fault in proof.faults)


@given(graph=_graphs)
def test_a_cycle_is_found_exactly_where_there_is_one(graph: dict[str, list[str]]) -> None:
    way = reachable(graph)
    in_cycle = {low for low in NAMES if low in graph[low] or any((high, low) in way for high in graph[low])}
    faults = prove(Lattice({name: tuple(above) for name, above in graph.items()})).faults
    cycles = [fault for fault in faults if fault.kind == "cycle"]
    assert bool(cycles) == bool(in_cycle)
    for fault in cycles:
        assert len(faults) == 1
        assert set(fault.nodes) <= in_cycle
        assert fault.nodes[0] == fault.nodes[-1]
        assert all(high in graph[low] for low, high in zip(fault.nodes, fault.nodes[1:], strict=False))
