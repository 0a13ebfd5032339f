"""The pictures: well-formed, self-contained, every node and edge once, no overlaps, readable."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from promo_mypy.cli.colours import DARK, LIGHT, Theme
from promo_mypy.cli.lattices.hasse import Hasse, is_weak
from promo_mypy.cli.lattices.layers import layout
from promo_mypy.cli.lattices.svg import Box, picture, svg
from tests.cli.diagrams import DIAGRAMS, diagrams

SVG = "{http://www.w3.org/2000/svg}"
_CURVE = re.compile(r"C([-\d.]+),([-\d.]+) ([-\d.]+),([-\d.]+) ([-\d.]+),([-\d.]+)|H([-\d.]+)")


def parsed(diagram: Hasse) -> ElementTree.Element:
    return ElementTree.fromstring(svg(diagram, layout(diagram)))


def points(path: str) -> list[tuple[float, float]]:
    """Closely spaced points along a drawn edge."""
    start = re.match(r"M([-\d.]+),([-\d.]+)", path)
    assert start is not None
    x, y = float(start[1]), float(start[2])
    found = [(x, y)]
    for match in _CURVE.finditer(path):
        if match[7] is not None:
            found += [(x + (float(match[7]) - x) * step / 40, y) for step in range(41)]
            x = float(match[7])
            continue
        ax, ay, bx, by, end_x, end_y = map(float, match.groups()[:6])
        for step in range(41):
            t = step / 40
            u = 1 - t
            found.append(
                (
                    u**3 * x + 3 * u * u * t * ax + 3 * u * t * t * bx + t**3 * end_x,
                    u**3 * y + 3 * u * u * t * ay + 3 * u * t * t * by + t**3 * end_y,
                )
            )
        x, y = end_x, end_y
    return found


def inside(box: Box, x: float, y: float) -> bool:
    # Coordinates are written with one decimal.
    return box.x + 0.1 < x < box.x + box.width - 0.1 and box.y + 0.1 < y < box.y + box.height - 0.1


def check(diagram: Hasse) -> None:
    root = parsed(diagram)
    placed = layout(diagram)
    boxes = picture(diagram, placed).boxes
    width, height = (float(number) for number in root.attrib["viewBox"].split()[2:])
    # Nodes: each once, with a label that fits, inside the picture, apart from each other.
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "name"] == list(boxes)
    assert set(boxes) == set(diagram.nodes)
    for node, box in boxes.items():
        assert len(node) * 7.83 < box.width - 8  # the width of a monospaced character at 13 px
        assert box.x >= 0
        assert box.x + box.width <= width
        assert box.y >= 0
        assert box.y + box.height <= height
    for one, other in combinations(boxes.values(), 2):
        assert (
            one.x + one.width < other.x or other.x + other.width < one.x
            or one.y + one.height < other.y or other.y + other.height < one.y
        )  # fmt: skip
    # Edges: each once, from its lower to its upper node, through no other.
    lines = [path for path in root.iter(f"{SVG}path") if (path.get("class") or "").startswith("line")]
    named = {f"{low} promotes to {high}": (low, high) for low, high in diagram.edges}
    assert sorted(path.findtext(f"{SVG}title") or "" for path in lines) == sorted(named)
    for path in lines:
        low, high = named[path.findtext(f"{SVG}title") or ""]
        along = points(path.attrib["d"])
        assert along[0][0] == pytest.approx(boxes[low].x + boxes[low].width, abs=0.06)
        assert boxes[high].x - 7 < along[-1][0] < boxes[high].x
        assert [node for node, box in boxes.items() if any(inside(box, x, y) for x, y in along)] == []
        assert all(0 <= y <= height for _, y in along)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_systems(name: str) -> None:
    check(DIAGRAMS[name])


@given(diagrams())
@settings(max_examples=40, deadline=None)
def test_any_order(diagram: Hasse) -> None:
    check(diagram)


def test_an_edge_through_a_node_is_found() -> None:
    along = points("M0.0,0.0 C10.0,0.0 10.0,20.0 20.0,20.0 H60.0")
    assert (along[0], along[-1]) == ((0.0, 0.0), (60.0, 20.0))
    assert any(inside(Box(30, 10, 10, 20), x, y) for x, y in along)
    assert not any(inside(Box(30, 30, 10, 20), x, y) for x, y in along)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_weak_nodes_are_dashed_and_no_others(name: str) -> None:
    root = parsed(DIAGRAMS[name])
    dashed = {
        group.findtext(f"{SVG}text")
        for group in root.iter(f"{SVG}g")
        for rect in group.iter(f"{SVG}rect")
        if "weak" in rect.attrib["class"].split()
    }
    assert dashed == set(filter(is_weak, DIAGRAMS[name].nodes))
    assert ".weak{stroke-dasharray" in "".join(root.itertext())


def test_the_picture_is_self_contained_in_light_and_dark() -> None:
    text = svg(DIAGRAMS["jax all"], layout(DIAGRAMS["jax all"]))
    assert re.findall(r"(?:href|src|url)\W*(?!#)(?:https?:|//|data:)", text) == []
    assert "prefers-color-scheme:dark" in text
    root = ElementTree.fromstring(text)
    assert root.findtext(f"{SVG}title") == "jax: the promotion lattice"
    assert "float64 promotes to complex128." in (root.findtext(f"{SVG}desc") or "")


def test_the_highlighted_paths_are_drawn() -> None:
    diagram = DIAGRAMS["numpy int8 uint16"]
    assert diagram.highlight is not None
    root = parsed(diagram)
    drawn: dict[str, set[str]] = {}
    for path in root.iter(f"{SVG}path"):
        drawn.setdefault(path.get("class") or "", set()).add(path.findtext(f"{SVG}title") or "")
    for place, chain in enumerate(diagram.highlight.paths):
        edges = {f"{low} promotes to {high}" for low, high in pairwise(chain)}
        assert drawn[f"line path{place}"] == edges
    assert "int8 with uint16: int32" in "".join(root.itertext())


def test_facts_outside_the_diagram_are_below_it() -> None:
    words = " ".join("".join(parsed(DIAGRAMS["numpy ordinary"]).itertext()).split())
    for caveat in DIAGRAMS["numpy ordinary"].caveats:
        assert caveat.split("(")[0].strip()[:60] in words


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, "contrast ratio"."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_has_enough_contrast(theme: Theme) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    for background in (theme.page, theme.head, theme.differs, *theme.kinds.values()):
        assert contrast(theme.ink, background) >= 4.5
    for line in (theme.quiet, *theme.paths):
        assert contrast(line, theme.page) >= 3
