"""Layouts: columns follow the order, every edge has a path, nothing overlaps."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from promo_mypy.cli.lattices.hasse import Hasse
from promo_mypy.cli.lattices.layers import crossings, layout
from tests.cli.diagrams import DIAGRAMS, diagrams, made_of


def check(diagram: Hasse) -> None:
    """All properties of one layout."""
    found = layout(diagram)
    column = {node: index for index, nodes in enumerate(found.columns) for node in nodes}
    assert sorted([*column, *found.alone]) == sorted(diagram.nodes)
    assert found.bends.keys() == set(diagram.edges)
    assert {node for node in found.alone for edge in diagram.edges if node in edge} == set()
    taken: dict[int, list[tuple[float, bool]]] = {}
    for (low, high), bends in found.bends.items():
        assert column[low] < column[high]
        assert len(bends) == column[high] - column[low] - 1
        for index, row in enumerate(bends, start=column[low] + 1):
            taken.setdefault(index, []).append((row, False))
    for node, index in column.items():
        taken.setdefault(index, []).append((found.rows[node], True))
    for items in taken.values():
        for (row, is_node), (next_row, next_is_node) in pairwise(sorted(items)):
            assert next_row - row >= 0.5 + 0.25 * (is_node + next_is_node) - 1e-9
    assert min([row for items in taken.values() for row, _ in items], default=0) >= -1e-9
    for nodes in found.columns:
        assert [found.rows[node] for node in nodes] == sorted(found.rows[node] for node in nodes)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_systems(name: str) -> None:
    check(DIAGRAMS[name])


@given(diagrams())
@settings(max_examples=60, deadline=None)
def test_any_order(diagram: Hasse) -> None:
    check(diagram)


def test_a_node_stands_one_past_the_longest_chain_below() -> None:
    found = layout(made_of({"a": "b c", "b": "d", "c": "e", "d": "e", "e": ""}))
    assert [set(nodes) for nodes in found.columns] == [{"a"}, {"b", "c"}, {"d"}, {"e"}]
    assert len(found.bends["c", "e"]) == 1


def test_a_bottom_stands_just_under_its_lowest_cover() -> None:
    found = layout(made_of({"a": "b", "b": "c", "late": "c", "c": ""}))
    assert "late" in found.columns[1]


def test_crossings_are_counted() -> None:
    assert crossings([["a", "b"], ["c", "d"]], [("a", "d"), ("b", "c")]) == 1
    assert crossings([["a", "b"], ["c", "d"]], [("a", "c"), ("b", "d")]) == 0
    assert crossings([["a", "b"], ["c", "d"]], [(x, y) for x in "ab" for y in "cd"]) == 1


def test_avoidable_crossings_are_removed() -> None:
    found = layout(made_of({"a": "f", "b": "e", "c": "d", "d": "", "e": "", "f": ""}))
    assert crossings(found.columns, [("a", "f"), ("b", "e"), ("c", "d")]) == 0
    # JAX's lattice can be drawn without any crossing.
    jax = DIAGRAMS["jax ordinary"]
    placed = layout(jax)
    near = [edge for edge in jax.edges if not placed.bends[edge]]
    assert crossings(placed.columns, near) == 0


def test_the_same_diagram_is_drawn_alike() -> None:
    assert layout(DIAGRAMS["numpy all"]) == layout(DIAGRAMS["numpy all"])
