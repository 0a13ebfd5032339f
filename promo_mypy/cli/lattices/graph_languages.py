"""Write a Hasse diagram in the languages of drawing programs: Graphviz's DOT, and Mermaid as GitHub shows it."""

from collections.abc import Iterator

from promo_mypy.cli.colours import PATHS
from promo_mypy.cli.lattices.hasse import Hasse, is_weak


def dot(diagram: Hasse) -> str:
    """A digraph for Graphviz. Weak dtypes are dashed, highlighted paths coloured and thick, the second one dashed."""
    lines = [
        f"digraph {_quoted(diagram.system)} {{",
        "  rankdir=LR;",
        f"  label={_quoted(diagram.title)};",
        '  node [shape=box, style=rounded, fontname="monospace"];',
        *(f"  // {caveat}" for caveat in diagram.caveats),
    ]
    for node in diagram.nodes:
        attributes = ['style="rounded,dashed"'] if is_weak(node) else []
        attributes += _dot_highlight(diagram, node)
        lines.append(f"  {_quoted(node)}{_bracketed(attributes)};")
    for low, high in diagram.edges:
        places = diagram.highlighted.get((low, high), ())
        attributes = [f'color="{PATHS[min(places[0], 2)]}"', "penwidth=3"] if places else []
        attributes += ["style=dashed"] if places and places[0] == 1 else []
        lines.append(f"  {_quoted(low)} -> {_quoted(high)}{_bracketed(attributes)};")
    return "\n".join([*lines, "}", ""])


def mermaid(diagram: Hasse) -> str:
    """A flowchart for Mermaid. Weak dtypes are dashed, highlighted paths coloured and thick, the second one dashed."""
    identifiers = {node: f"n{index}" for index, node in enumerate(diagram.nodes)}
    lines = ["flowchart LR", *(f"  %% {line}" for line in (diagram.title, *diagram.caveats))]
    lines += [f'  {identifiers[node]}["{node}"]' for node in diagram.nodes]
    lines += [f"  {identifiers[low]} --> {identifiers[high]}" for low, high in diagram.edges]
    weak = [identifiers[node] for node in diagram.nodes if is_weak(node)]
    if weak:
        lines += ["  classDef weak stroke-dasharray:4 3", f"  class {','.join(weak)} weak"]
    lines += _mermaid_highlight(diagram, identifiers)
    return "\n".join([*lines, ""])


def _mermaid_highlight(diagram: Hasse, identifiers: dict[str, str]) -> Iterator[str]:
    if diagram.highlight is None:
        return
    yield f"  %% {diagram.highlight.text}"
    for index, edge in enumerate(diagram.edges):
        places = diagram.highlighted.get(edge, ())
        if places:
            dashes = ",stroke-dasharray:9 4" if places[0] == 1 else ""
            yield f"  linkStyle {index} stroke:{PATHS[min(places[0], 2)]},stroke-width:3px{dashes}"
    for place, node in enumerate(diagram.highlight.operands):
        if node != diagram.highlight.result:
            yield f"  style {identifiers[node]} stroke:{PATHS[min(place, 2)]},stroke-width:3px"
    if diagram.highlight.result is not None:
        yield f"  style {identifiers[diagram.highlight.result]} stroke-width:5px"


def _dot_highlight(diagram: Hasse, node: str) -> list[str]:
    if diagram.highlight is None:
        return []
    if node == diagram.highlight.result:
        return ["penwidth=4"]
    if node in diagram.highlight.operands:
        place = min(diagram.highlight.operands.index(node), 2)
        return [f'color="{PATHS[place]}"', "penwidth=3"]
    return []


def _bracketed(attributes: list[str]) -> str:
    return f" [{', '.join(attributes)}]" if attributes else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
