"""The diagram is exactly the order; the highlighted paths are chains; the caveats are true."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from promo_mypy.cli.lattices.caveats import departures
from promo_mypy.cli.lattices.hasse import Hasse, NotInTheOrderError, hasse
from promo_mypy.rules.dtypes import ORDINARY
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from tests.cli.diagrams import DIAGRAMS, drawn


def above(diagram: Hasse, low: str) -> set[str]:
    """The nodes that edges reach from a node, itself included."""
    return {low}.union(*(above(diagram, high) for high in diagram.covers[low]))


def test_every_system_is_drawn_or_gives_a_reason() -> None:
    undrawn = [name for name in SYSTEM_NAMES if f"{name} ordinary" not in DIAGRAMS]
    assert [name for name in undrawn if get_system(name).lattice is not None] == []
    for name in undrawn:
        with pytest.raises(NotInTheOrderError, match=name):
            hasse(get_system(name))
    assert len(DIAGRAMS) >= 2 * 5


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_edges_are_the_order(name: str) -> None:
    diagram = DIAGRAMS[name]
    lattice = get_system(diagram.system).lattice
    assert lattice is not None
    for node in diagram.nodes:
        assert above(diagram, node) == lattice.order.above[node].intersection(diagram.nodes)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_no_edge_follows_from_others(name: str) -> None:
    diagram = DIAGRAMS[name]
    for low, high in diagram.edges:
        assert all(high not in above(diagram, between) for between in diagram.covers[low] if between != high)


def test_an_edge_that_follows_from_others_is_left_out() -> None:
    # NumPy's rows say float32 -> complex64 and float64 -> complex128; float16 -> complex64 only follows.
    assert "complex64" not in DIAGRAMS["numpy ordinary"].covers["float16"]
    assert DIAGRAMS["numpy ordinary"].covers["int16"] == ("int32", "float32")


def test_paths_lead_to_the_result_and_meet_only_there() -> None:
    system = get_system("jax")
    for one, other in combinations((dtype.name for dtype in ORDINARY), 2):
        found = drawn("jax", highlighted=f"{one} {other}")
        answer = system.promote(Operand.of(one), Operand.of(other))
        assert not isinstance(answer, Refusal)
        assert found.highlight is not None
        assert found.highlight.result == system.node_of(answer)
        first, second = found.highlight.paths
        assert (first[0], second[0]) == (one, other)
        assert first[-1] == second[-1] == found.highlight.result
        assert set(first) & set(second) == {found.highlight.result}
        assert found.highlighted.keys() <= set(found.edges)


def test_a_scalar_is_placed_at_its_dtype() -> None:
    found = drawn("numpy", highlighted="py_int uint8").highlight
    assert found is not None
    assert (found.operands, found.result) == (("uint8", "uint8"), "uint8")
    assert found.text.startswith("int (here uint8) with ")


def test_a_rejected_pair_has_no_path() -> None:
    found = drawn("torch", highlighted="uint16 int8").highlight
    assert found is not None
    assert (found.result, found.paths) == (None, (("uint16",), ("int8",)))
    assert "rejected" in found.text


def test_a_small_dtype_shows_all_dtypes() -> None:
    assert "float8_e5m2" not in drawn("jax", highlighted="int8 float16").nodes
    assert "float8_e5m2" in drawn("jax", highlighted="int8 float8_e5m2").nodes


def test_an_operand_outside_the_order() -> None:
    with pytest.raises(NotInTheOrderError, match="bfloat16 has no place in the order of numpy"):
        drawn("numpy", highlighted="bfloat16 int8")


def test_a_lattice_has_no_caveats() -> None:
    for name in ("jax", "jax-strict"):
        assert list(departures(get_system(name), DIAGRAMS[f"{name} all"])) == []
    assert DIAGRAMS["jax all"].caveats == ()


def test_the_competing_bounds_are_those_of_numpy_itself() -> None:
    diagram = DIAGRAMS["numpy ordinary"]
    competing = set()
    for one, other in combinations_with_replacement(diagram.nodes, 2):
        bounds = {each for each in diagram.nodes if np.can_cast(one, each) and np.can_cast(other, each)}
        lowest = {b for b in bounds if not any(np.can_cast(a, b) for a in bounds - {b})}
        if len(lowest) > 1:
            competing.add((frozenset({one, other}), frozenset(lowest), str(np.promote_types(one, other))))
    found = list(departures(get_system("numpy"), diagram))
    assert {pair.departure for pair in found} == {"competing"}
    assert {(frozenset(pair.nodes), frozenset(pair.bounds), pair.result) for pair in found} == competing
    assert len(competing) == 3


def test_every_departure_is_a_caveat() -> None:
    told = {
        name: " ".join(DIAGRAMS[f"{name} ordinary"].caveats) for name in ("numpy", "torch", "jax-x32", "tensorflow")
    }
    assert "3 pairs; int8 with uint8 is int16, of int16 and float16" in told["numpy"]
    assert "bfloat16" in told["numpy"]
    assert "Rejected" in told["torch"]
    assert "0-d" in told["torch"]
    assert "bool with uint64 is uint32" in told["jax-x32"]
    assert "With Python's numbers the order of the operands matters" in told["tensorflow"]
    assert "no arrows" in told["tensorflow"]
