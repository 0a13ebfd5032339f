"""DOT and Mermaid, parsed back."""

import re
import subprocess

import pytest

from promo_mypy.cli.lattices.graph_languages import dot, mermaid
from promo_mypy.cli.lattices.hasse import is_weak
from tests.cli.diagrams import DIAGRAMS
from tests.needed import needs_program

_HIGHLIGHTED = [name for name in DIAGRAMS if DIAGRAMS[name].highlight]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_dot(name: str) -> None:
    diagram, text = DIAGRAMS[name], dot(DIAGRAMS[name])
    assert tuple(re.findall(r'^  "(.+?)" -> "(.+?)"(?: \[.*\])?;$', text, re.MULTILINE)) == diagram.edges
    nodes = re.findall(r'^  "([^"]+)"(?: \[(.*)\])?;$', text, re.MULTILINE)
    assert tuple(node for node, _ in nodes) == diagram.nodes
    assert {node for node, attributes in nodes if "dashed" in attributes} == set(filter(is_weak, diagram.nodes))
    assert (text.count("{"), text.count("}")) == (1, 1)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_mermaid(name: str) -> None:
    diagram, text = DIAGRAMS[name], mermaid(DIAGRAMS[name])
    assert text.startswith("flowchart LR\n")
    nodes = dict(re.findall(r'^  (n\d+)\["([^"]+)"\]$', text, re.MULTILINE))
    assert tuple(nodes.values()) == diagram.nodes
    edges = re.findall(r"^  (n\d+) --> (n\d+)$", text, re.MULTILINE)
    assert tuple((nodes[low], nodes[high]) for low, high in edges) == diagram.edges
    weak = re.findall(r"^  class (\S+) weak$", text, re.MULTILINE)
    assert {nodes[node] for each in weak for node in each.split(",")} == set(filter(is_weak, diagram.nodes))


@pytest.mark.parametrize("name", _HIGHLIGHTED)
def test_the_highlighted_edges_are_the_thick_ones(name: str) -> None:
    diagram = DIAGRAMS[name]
    assert diagram.highlighted
    thick = re.findall(r'^  "(.+?)" -> "(.+?)" \[.*penwidth', dot(diagram), re.MULTILINE)
    assert set(thick) == diagram.highlighted.keys()
    styled = re.findall(r"^  linkStyle (\d+) stroke:#\w{6},stroke-width:3px", mermaid(diagram), re.MULTILINE)
    assert {diagram.edges[int(index)] for index in styled} == diagram.highlighted.keys()


@pytest.mark.parametrize("name", ["jax int32 float16", "torch all", "tensorflow ordinary"])
def test_graphviz_accepts_it(name: str) -> None:
    run = subprocess.run(
        [needs_program("dot"), "-Tsvg"], input=dot(DIAGRAMS[name]), capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count('class="edge"') == len(DIAGRAMS[name].edges)
