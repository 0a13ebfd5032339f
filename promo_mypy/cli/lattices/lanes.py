"""Draw a Hasse diagram as text, one dtype in each line, as `git log --graph` draws commits.

A lane leads down to one dtype. All edges to that dtype share its lane.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from promo_mypy.cli.lattices.hasse import Hasse, is_weak

_STYLES: Final = ("bold deep_sky_blue3", "bold dark_orange3", "bold medium_orchid3")
_SIGNS: Final = "●○"
_BLANK: Final = str.maketrans(_SIGNS, "  ")
#: The sides by which lines leave a cell (left, up, right, down) -> the letter.
_CORNERS: Final = {
    "": " ", "lr": "─", "ud": "│", "rd": "╭", "ld": "╮", "ur": "╰", "lu": "╯",
    "lrd": "┬", "lur": "┴", "urd": "├", "lud": "┤", "lurd": "┼",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One line: the lanes, and the dtype in one of them. A line in which lanes only turn has no dtype."""

    lanes: str
    node: str | None = None
    below: str = ""
    """The lanes that continue below the dtype, for text of more than one line."""


def lines(diagram: Hasse) -> Iterator[Line]:
    """The drawing, bottom of the order first. Dtypes without edges are left out."""
    tops = {high for _, high in diagram.edges}
    above = ""
    for line in _packed(diagram):
        sign = next((index for index, letter in enumerate(line.lanes) if letter in _SIGNS), len(line.lanes))
        if line.node not in tops and above[sign : sign + 1] in tuple(_SIGNS):
            # A bottom in a lane that ended in the line above would seem connected to the dtype there.
            yield Line(line.lanes.translate(_BLANK).rstrip())
        yield line
        above = line.lanes


def _packed(diagram: Hasse) -> Iterator[Line]:
    """The lines, without an empty line between a top and the bottom that takes its lane."""
    touched = {node for edge in diagram.edges for node in edge}
    ends = {node: [low for low, high in diagram.edges if high == node] for node in diagram.nodes}
    # A dtype with one dtype below and none above is drawn beside the lane of that dtype.
    hangs = {node for node in touched if len(ends[node]) == 1 and not diagram.covers[node]}
    lanes: list[str | None] = []
    for node in diagram.nodes:
        if node not in touched or node in hangs:
            continue
        if node not in lanes:
            _open(lanes, node)
        here = lanes.index(node)
        upper = [cover for cover in diagram.covers[node] if cover not in hangs]
        leaves = [cover for cover in diagram.covers[node] if cover in hangs]
        sign = "○" if is_weak(node) else "●"
        yield Line(_passing(lanes, here, sign), node, _passing(lanes, here, "│" if diagram.covers[node] else " "))
        for leaf in leaves:
            last = leaf == leaves[-1] and not upper
            yield Line(_hanging(lanes, here, "╰" if last else "├", "○" if is_weak(leaf) else "●"), leaf)
        yield from _turn(lanes, here, upper)


def _open(lanes: list[str | None], node: str, near: int = 0) -> int:
    """Open a lane for a dtype: the first free one at or after `near`, otherwise a new one."""
    free = next((index for index in range(near, len(lanes)) if lanes[index] is None), None)
    if free is None:
        lanes.append(node)
        return len(lanes) - 1
    lanes[free] = node
    return free


def _turn(lanes: list[str | None], here: int, upper: Sequence[str]) -> Iterator[Line]:
    """Lead the lane of a dtype to the dtypes above it, in at most one line; no line if it goes straight on."""
    before = list(lanes)
    lanes[here] = None
    targets = [lanes.index(cover) if cover in lanes else _open(lanes, cover, here) for cover in upper]
    while lanes and lanes[-1] is None:
        lanes.pop()
    if targets in ([], [here]):
        return
    before[here] = "the dtype above"
    left, right = min(here, *targets), max(here, *targets)
    drawn = ""
    for index in range(max(len(before), len(lanes))):
        up = index < len(before) and before[index] is not None
        down = index < len(lanes) and lanes[index] is not None
        crossed = up and down and index != here and index not in targets
        sides = ("l" if left < index <= right and not crossed else "") + ("u" if up else "")
        sides += ("r" if left <= index < right and not crossed else "") + ("d" if down else "")
        drawn += _CORNERS[sides] + ("─" if left <= index < right else " ")
    yield Line(drawn.rstrip())


def _passing(lanes: Sequence[str | None], here: int, sign: str) -> str:
    """The lanes of a line, with `sign` in one of them."""
    return " ".join(sign if index == here else "│" if lane else " " for index, lane in enumerate(lanes)).rstrip()


def _hanging(lanes: Sequence[str | None], here: int, corner: str, sign: str) -> str:
    """The lanes of a line whose dtype is drawn beside a lane: in the first free lane to its right."""
    place = next((index for index in range(here + 1, len(lanes)) if lanes[index] is None), len(lanes))
    drawn = ""
    for index, lane in enumerate([*lanes, None][: max(len(lanes), place + 1)]):
        letter = {here: corner, place: sign}.get(index, "│" if lane else " ")
        drawn += letter + ("─" if here <= index < place else " ")
    return drawn.rstrip()


def drawing(diagram: Hasse, width: int) -> Text:
    """The whole text: title, drawing with names and what each dtype promotes to directly, legend, caveats."""
    drawn = list(lines(diagram))
    width = max(width, 40)
    room = max((len(line.lanes) for line in drawn), default=0) + 2
    names = max((len(line.node or "") for line in drawn), default=0) + (4 if diagram.highlight else 2)
    text = Text().append(f"{diagram.title}\n\n", style="bold")
    for line in drawn:
        text.append(line.lanes)
        if line.node is not None:
            text.append(" " * (room - len(line.lanes)))
            _name(text, diagram, line.node, names, max(20, width - room - names), line.below.ljust(room))
        text.append("\n")
    alone = [node for node in diagram.nodes if not any(node in edge for edge in diagram.edges)]
    if alone:
        heading = "Joined with nothing but themselves: " if drawn else "All dtypes: "
        text.append(textwrap.fill(heading + ", ".join(alone), width, subsequent_indent="  ") + "\n")
    text.append("\n")
    if drawn:
        text.append("● a dtype, and → the dtypes directly above it; lower dtypes come first\n")
    if any(map(is_weak, diagram.nodes)):
        text.append("○ weak: a Python number or an array made from one (i* int, f* float, c* complex)\n")
    _highlight(text, diagram, width)
    for caveat in diagram.caveats:
        text.append(textwrap.fill(f"- {caveat}", width, subsequent_indent="  ") + "\n")
    text.rstrip()
    return text


def _name(text: Text, diagram: Hasse, node: str, names: int, room: int, below: str) -> None:
    """The dtype of a line with its covers, wrapped into a column."""
    places = _places(diagram, node)
    sign = "*" if diagram.highlight and node == diagram.highlight.result else "".join(map(str, places))
    text.append(node, style=_STYLES[min(places[0] - 1, 2)] if places else "bold")
    text.append(f" {sign}" if sign else "")
    covers = diagram.covers[node]
    if covers:
        text.append(" " * (names - len(node) - (len(sign) + 1 if sign else 0)))
        wrapped = textwrap.wrap(f"→ {', '.join(covers)}", room, subsequent_indent="  ", break_on_hyphens=False)
        for index, piece in enumerate(wrapped):
            text.append(f"\n{below}{' ' * names}" if index else "")
            text.append(piece, style="dim")


def _places(diagram: Hasse, node: str) -> tuple[int, ...]:
    paths = diagram.highlight.paths if diagram.highlight else ()
    return tuple(place for place, path in enumerate(paths, start=1) if node in path)


def _highlight(text: Text, diagram: Hasse, width: int) -> None:
    if diagram.highlight is None:
        return
    text.append(f"\n{textwrap.fill(diagram.highlight.text, width)}\n", style="bold")
    for place, path in enumerate(diagram.highlight.paths, start=1):
        chain = textwrap.fill(f"{place}  {' → '.join(path)}", width, subsequent_indent="   ")
        text.append(chain + "\n", style=_STYLES[min(place - 1, 2)])
    if diagram.caveats:
        text.append("\n")
