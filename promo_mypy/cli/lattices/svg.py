"""Draw the layout of a Hasse diagram as one self-contained SVG picture, for light and dark pages."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from promo_mypy.cli.colours import DARK, LIGHT, Theme
from promo_mypy.cli.lattices.hasse import Hasse, is_weak
from promo_mypy.cli.lattices.layers import Edge, Layout
from promo_mypy.rules.lattices.lattice import kind_of

_MARGIN: Final = 20.0
_ROW: Final = 34.0
_BOX: Final = 25.0
_LETTER: Final = 7.9
"""The width of a monospaced letter of 13 px."""
_PADDING: Final = 9.0
_GAP: Final = 34.0
_ARROW: Final = 6.0
_LINE: Final = 19.0
_PROSE_LETTER: Final = 6.6
_LEAST_WIDTH: Final = 760.0


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a node in pixels: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Picture:
    """The boxes and edges in pixels."""

    width: float
    height: float
    boxes: dict[str, Box]
    curves: dict[Edge, tuple[tuple[float, float], ...]]
    """Edge -> points: its ends, and its crossings of the sides of each column that it passes."""


def picture(diagram: Hasse, placed: Layout) -> Picture:
    """The layout in pixels. A column is as wide as its widest name; a gap is wider if its edges are steep."""
    widths = [max(map(_box_width, column)) for column in placed.columns]
    lefts = list(_lefts(placed, widths))
    boxes = {
        node: Box(left + (width - _box_width(node)) / 2, _top(placed.rows[node]), _box_width(node), _BOX)
        for column, left, width in zip(placed.columns, lefts, widths, strict=True)
        for node in column
    }
    where = {node: index for index, column in enumerate(placed.columns) for node in column}
    curves = {}
    for low, high in diagram.edges:
        points = [(boxes[low].x + boxes[low].width, _middle(placed.rows[low]))]
        for index, row in enumerate(placed.bends[low, high], start=where[low] + 1):
            points += [(lefts[index], _middle(row)), (lefts[index] + widths[index], _middle(row))]
        points.append((boxes[high].x, _middle(placed.rows[high])))
        curves[low, high] = tuple(points)
    width = max(_LEAST_WIDTH, (lefts[-1] + widths[-1] if lefts else 0) + _MARGIN)
    bottom = _top(max(placed.rows.values(), default=-1.0) + 1) + 4
    bottom = max([bottom, *(_middle(row) + _ROW / 2 for rows in placed.bends.values() for row in rows)])
    if placed.alone:
        bottom += _LINE + 6 if placed.columns else _LINE
        bottom = _stand_alone(placed.alone, boxes, width, bottom)
    return Picture(width, bottom, boxes, curves)


def svg(diagram: Hasse, placed: Layout) -> str:
    """The picture as SVG, with a title, a legend and the caveats of the diagram."""
    drawn = picture(diagram, placed)
    words = list(_words(diagram, placed, drawn.width))
    height = drawn.height + len(words) * _LINE + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawn.width:.0f} {height:.0f}"'
        f' width="{drawn.width:.0f}" height="{height:.0f}" role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(diagram.title)}</title>',
        f'<desc id="description">{escape(" ".join(_description(diagram)))}</desc>',
        f"<style>{_style()}</style>",
        "<defs>",
        *(_arrow(name) for name in ("edge", "path0", "path1", "path2")),
        "</defs>",
        '<rect class="page" width="100%" height="100%" rx="8"/>',
        f'<text class="heading" x="{_MARGIN:.0f}" y="{_MARGIN + 8:.0f}">{escape(diagram.title)}</text>',
    ]
    # Highlighted edges last, so that nothing is drawn over them.
    edges = sorted(diagram.edges, key=lambda edge: edge in diagram.highlighted)
    lines += [_curve(edge, drawn.curves[edge], _edge_class(diagram, edge)) for edge in edges]
    if placed.alone:
        first = drawn.boxes[placed.alone[0]]
        lines.append(f'<text class="prose" x="{first.x:.0f}" y="{first.y - 8:.1f}">{_ALONE}</text>')
    lines += [_node(diagram, node, box) for node, box in drawn.boxes.items()]
    for index, (name, text) in enumerate(words):
        y = drawn.height + (index + 1) * _LINE
        lines.append(f'<text class="{name}" x="{_MARGIN:.0f}" y="{y:.1f}" xml:space="preserve">{escape(text)}</text>')
    return "\n".join([*lines, "</svg>", ""])


_ALONE: Final = "Joined with nothing but themselves:"


def _description(diagram: Hasse) -> Iterator[str]:
    for low in diagram.nodes:
        if diagram.covers[low]:
            yield f"{low} promotes to {', '.join(diagram.covers[low])}."
    if diagram.highlight:
        yield diagram.highlight.text + "."


def _words(diagram: Hasse, placed: Layout, width: float) -> Iterator[tuple[str, str]]:
    """The lines under the drawing: class and text."""
    if placed.columns:
        yield from _wrapped("prose", "An arrow leads to the dtypes directly above.", width)
    if any(map(is_weak, diagram.nodes)):
        yield from _wrapped(
            "prose",
            "Dashed border: weak, a Python number or an array made from one (i* int, f* float, c* complex).",
            width,
        )
    if diagram.highlight:
        for place, name in enumerate(diagram.highlight.names):
            sign = "━━━" if place % 2 == 0 else "╍╍╍"
            yield f"prose path{min(place, 2)}text", f"{sign} from {name}"
        yield from _wrapped("strong", diagram.highlight.text, width)
    for caveat in diagram.caveats:
        yield from _wrapped("prose", f"- {caveat}", width, "  ")


def _wrapped(name: str, text: str, width: float, indent: str = "") -> Iterator[tuple[str, str]]:
    for line in textwrap.wrap(text, int((width - 2 * _MARGIN) / _PROSE_LETTER), subsequent_indent=indent):
        yield name, line


def _box_width(node: str) -> float:
    return len(node) * _LETTER + 2 * _PADDING


def _middle(row: float) -> float:
    return _MARGIN * 2.4 + row * _ROW + _BOX / 2


def _top(row: float) -> float:
    return _middle(row) - _BOX / 2


def _lefts(placed: Layout, widths: Sequence[float]) -> Iterator[float]:
    """The left sides of the columns. A gap grows with the steepest edge in it, so that no curve is steep."""
    where = {node: index for index, column in enumerate(placed.columns) for node in column}
    climbs = [0.0] * len(widths)
    for (low, high), bends in placed.bends.items():
        rows = [placed.rows[low], *bends, placed.rows[high]]
        for offset in range(len(rows) - 1):
            gap = where[low] + offset
            climbs[gap] = max(climbs[gap], abs(rows[offset + 1] - rows[offset]))
    left = _MARGIN
    for width, climb in zip(widths, climbs, strict=True):
        yield left
        left += width + _GAP + 7 * climb


def _stand_alone(nodes: Sequence[str], boxes: dict[str, Box], width: float, top: float) -> float:
    """Put the nodes without edges in lines below the drawing; return the bottom of the last line."""
    x = _MARGIN
    for node in nodes:
        if x + _box_width(node) > width - _MARGIN:
            x, top = _MARGIN, top + _ROW
        boxes[node] = Box(x, top, _box_width(node), _BOX)
        x += _box_width(node) + 10
    return top + _ROW


def _node(diagram: Hasse, node: str, box: Box) -> str:
    classes = [f"kind-{kind_of(node)}"]
    if is_weak(node):
        classes.append("weak")
    if diagram.highlight:
        if node in diagram.highlight.operands:
            classes.append(f"path{min(diagram.highlight.operands.index(node), 2)}")
        if node == diagram.highlight.result:
            classes.append("result")
    return (
        f'<g><rect class="{" ".join(classes)}" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}"'
        f' height="{box.height:.1f}" rx="5"/><text class="name" x="{box.x + box.width / 2:.1f}"'
        f' y="{box.y + box.height / 2 + 4.5:.1f}">{escape(node)}</text></g>'
    )


def _edge_class(diagram: Hasse, edge: Edge) -> str:
    places = diagram.highlighted.get(edge, ())
    return f"path{min(places[0], 2)}" if places else "edge"


def _curve(edge: Edge, points: Sequence[tuple[float, float]], name: str) -> str:
    """Curves in the gaps between columns. They are horizontal inside a column, so that an edge never touches a node."""
    x, y = points[0]
    drawn = [f"M{x:.1f},{y:.1f}"]
    end = (points[-1][0] - _ARROW, points[-1][1])
    for index, (right, level) in enumerate([*points[1:-1], end]):
        if index % 2 == 0:
            middle = (x + right) / 2
            drawn.append(f"C{middle:.1f},{y:.1f} {middle:.1f},{level:.1f} {right:.1f},{level:.1f}")
        else:
            drawn.append(f"H{right:.1f}")
        x, y = right, level
    return (
        f'<path class="line {name}" d="{" ".join(drawn)}" marker-end="url(#{name}-arrow)">'
        f"<title>{escape(f'{edge[0]} promotes to {edge[1]}')}</title></path>"
    )


def _arrow(name: str) -> str:
    return (
        f'<marker id="{name}-arrow" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" refX="1" refY="4"'
        f' orient="auto"><path class="{name}-head" d="M0,0.5 L7,4 L0,7.5 Z"/></marker>'
    )


def _style() -> str:
    shape = (
        ".name{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle}"
        ".prose,.strong{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
        ".strong{font-weight:700}.heading{font:700 15px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
        "rect{stroke-width:1.3}.weak{stroke-dasharray:4 3}.line{fill:none;stroke-width:1.3}"
        ".line.path0,.line.path1,.line.path2{stroke-width:3.2}.line.path1{stroke-dasharray:9 4}"
        ".page{stroke:none}rect.path0,rect.path1,rect.path2{stroke-width:3}rect.result{stroke-width:4}"
    )
    return f"{shape}{_themed(LIGHT)}@media (prefers-color-scheme:dark){{{_themed(DARK)}}}"


def _themed(theme: Theme) -> str:
    kinds = "".join(f".kind-{name}{{fill:{fill};stroke:{theme.quiet}}}" for name, fill in theme.kinds.items())
    paths = "".join(
        f".line.path{place},rect.path{place}{{stroke:{colour}}}.path{place}-head,.path{place}text{{fill:{colour}}}"
        for place, colour in enumerate(theme.paths)
    )
    return (
        f".page{{fill:{theme.page}}}.name,.prose,.strong,.heading{{fill:{theme.ink}}}"
        f".line.edge{{stroke:{theme.quiet}}}.edge-head{{fill:{theme.quiet}}}{kinds}{paths}rect.result{{stroke:{theme.ink}}}"
    )
