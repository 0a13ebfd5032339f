"""The drawing in characters: following its lanes gives the edges of the diagram."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from promo_mypy.cli.lattices.hasse import Hasse, is_weak
from promo_mypy.cli.lattices.lanes import Line, drawing, lines
from tests.cli.diagrams import DIAGRAMS, diagrams, drawn

DOWN = set("│╭╮┬├┤┼")


def read(found: Sequence[Line]) -> set[tuple[str, str]]:
    """The edges, by following each lane down from its dtype."""
    grid = [[*line.lanes.ljust(80)] for line in found]
    place = {line.node: index for index, line in enumerate(found) if line.node}
    edges = set()
    for node, start in place.items():
        row = grid[start]
        sign = next(index for index, letter in enumerate(row) if letter in "●○")
        if sign and row[sign - 1] == "─":  # hangs on the lane to its left, and leads nowhere
            continue
        edges |= {(node, high) for high in _from(found, grid, start + 1, sign)}
    return edges


def _from(found: Sequence[Line], grid: list[list[str]], index: int, lane: int) -> set[str]:
    """The dtypes that a lane reaches from the line under its dtype: all leaves, and then one turn at most."""
    reached: set[str] = set()
    while index < len(grid):
        row, node = grid[index], found[index].node
        if row[lane] == " ":  # the dtype before is a top
            return reached
        if node and row[lane] in "├╰" and row[lane + 1] == "─":
            sign = next(index for index, letter in enumerate(row) if letter in "●○")
            assert all(letter == "─" for letter in row[lane + 1 : sign : 2])
            reached.add(node)
            if row[lane] == "╰":
                return reached
            index += 1
            continue
        if node:
            return reached | _down(found, grid, index, lane)
        # A line without a dtype turns the lane of the dtype before it, or passes lanes.
        targets = [lane] if row[lane] in DOWN else []
        for step in (-1, 1):
            at = lane
            while 0 <= at + step < len(row) and row[at + step] == "─":
                at += 2 * step
                crossed = row[at] == "│"
                if not crossed and row[at] in DOWN:
                    targets.append(at)
        return reached.union(*(_down(found, grid, index + 1, target) for target in targets))
    return reached


def _down(found: Sequence[Line], grid: list[list[str]], index: int, lane: int) -> set[str]:
    """The first dtype below in a lane."""
    for row, line in zip(grid[index:], found[index:], strict=True):
        if row[lane] in "●○":
            assert line.node is not None
            return {line.node}
        assert row[lane] in DOWN, ("a lane ends nowhere", line)
    raise AssertionError("a lane leads out of the drawing")


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_lanes_are_the_edges(name: str) -> None:
    assert read(list(lines(DIAGRAMS[name]))) == set(DIAGRAMS[name].edges)


@given(diagrams())
@settings(max_examples=200, deadline=None)
def test_the_lanes_of_any_order(diagram: Hasse) -> None:
    found = list(lines(diagram))
    assert read(found) == set(diagram.edges)
    # Each dtype once, unless it has no edges.
    touched = [node for node in diagram.nodes if any(node in edge for edge in diagram.edges)]
    assert sorted(line.node for line in found if line.node) == sorted(touched)


def test_a_missing_lane_is_a_missing_edge() -> None:
    found = list(lines(DIAGRAMS["jax ordinary"]))
    turn = next(index for index, line in enumerate(found) if line.lanes == "├─╮")
    without = [*found[:turn], Line("│"), *found[turn + 1 :]]
    with pytest.raises(AssertionError):
        assert read(without) == set(DIAGRAMS["jax ordinary"].edges)


@pytest.mark.parametrize("name", DIAGRAMS)
@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_too_long(name: str, width: int) -> None:
    text = drawing(DIAGRAMS[name], width).plain
    assert max(map(len, text.splitlines())) <= width
    assert not any(line.endswith(" ") for line in text.splitlines())


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_dtype_is_named_with_what_is_above_it(name: str) -> None:
    text = " ".join(drawing(DIAGRAMS[name], 400).plain.split())
    for node in DIAGRAMS[name].nodes:
        assert node in text
        if DIAGRAMS[name].covers[node]:
            assert f"→ {', '.join(DIAGRAMS[name].covers[node])}" in text


def test_weak_dtypes_have_their_sign() -> None:
    for line in lines(DIAGRAMS["jax all"]):
        if line.node:
            assert ("○" in line.lanes) == is_weak(line.node)


def test_the_paths_are_spelled_out() -> None:
    text = drawing(drawn("jax", highlighted="int32 float16"), 80).plain
    assert "int32 with float16: float16\n1  int32 → int64 → f* → float16\n2  float16\n" in text
    assert "float16 *" in text


def test_only_names_are_bold() -> None:
    text = drawing(drawn("jax", highlighted="int32 float16"), 80)
    assert text.style == ""
    names = {text.plain[span.start : span.end].strip() for span in text.spans if "bold" in str(span.style)}
    assert {"jax: the promotion lattice", "int32", "f*", "float64"} <= names
    assert not any("│" in name or "●" in name for name in names)


def test_facts_outside_the_diagram_are_below_it() -> None:
    text = " ".join(drawing(DIAGRAMS["numpy ordinary"], 80).plain.split())
    assert all(caveat in text for caveat in DIAGRAMS["numpy ordinary"].caveats)
