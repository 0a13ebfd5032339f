"""The pictures: well-formed, self-contained, the same as the text, readable on light and dark pages."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from promo_mypy.cli.colours import DARK, LIGHT, PATHS, Theme
from promo_mypy.cli.lattices.hasse import Hasse
from promo_mypy.cli.lattices.lanes import drawing
from promo_mypy.cli.lattices.svg import svg
from tests.cli.diagrams import DIAGRAMS, diagrams

SVG = "{http://www.w3.org/2000/svg}"


def check(diagram: Hasse) -> None:
    """The picture has every line of the drawing that is not blank, in its place and whole."""
    root = ElementTree.fromstring(svg(diagram))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    texts = list(root.iter(f"{SVG}text"))
    shown = drawing(diagram, 96).plain.split("\n")
    assert ["".join(each.itertext()) for each in texts] == [line for line in shown if line]
    assert {each.attrib["x"] for each in texts} == {"20"}
    rows = [round((float(each.attrib["y"]) - 20) / 15) - 1 for each in texts]
    assert rows == [row for row, line in enumerate(shown) if line]
    assert all(float(each.attrib["y"]) < height for each in texts)
    assert all(20 + 7.83 * len("".join(each.itertext())) < width for each in texts)  # a letter of 13 px
    sentences = root.findtext(f"{SVG}desc") or ""
    assert all(f"{low} promotes to {', '.join(high)}." in sentences for low, high in diagram.covers.items() if high)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_systems(name: str) -> None:
    check(DIAGRAMS[name])


@given(diagrams())
@settings(max_examples=40, deadline=None)
def test_any_order(diagram: Hasse) -> None:
    check(diagram)


def test_the_picture_is_self_contained_in_light_and_dark() -> None:
    text = svg(DIAGRAMS["jax all"])
    assert re.findall(r"(?:href|src|url)\W*(?!#)(?:https?:|//|data:)", text) == []
    assert "prefers-color-scheme:dark" in text
    assert LIGHT.ink in text
    assert DARK.ink in text
    assert ElementTree.fromstring(text).findtext(f"{SVG}title") == "jax: the promotion lattice"


def test_each_highlighted_path_has_its_colour() -> None:
    diagram = DIAGRAMS["jax int32 float16"]
    root = ElementTree.fromstring(svg(diagram))
    coloured = {
        each.text: each.get("style", "") for each in root.iter(f"{SVG}tspan") if "color:" in each.get("style", "")
    }
    assert {"int32", "int64", "f*", "float16"} <= coloured.keys()
    assert len({coloured[name] for name in ("int32", "int64", "f*")}) == 1
    last = [each for each in coloured if each is not None and each.startswith("2  float16")]
    assert last
    assert coloured[last[0]] != coloured["int32"]


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
    assert contrast(theme.quiet, theme.page) >= 3


def test_highlighted_paths_stand_out_on_a_light_page() -> None:
    assert all(contrast(line, LIGHT.page) >= 3 for line in PATHS)
