"""Draw outcomes: one bar per contender, as long as its time, in groups of one operation."""

from collections.abc import Sequence
from html import escape

from tests.runtime.benchmarks.large import Outcome

_LABELS, _BARS, _ROW, _GAP = 290, 420, 18, 16
_OURS, _OTHERS, _TEXT = "#1f6feb", "#b6bec9", "#24292f"


def svg(outcomes: Sequence[Outcome], title: str) -> str:
    """An SVG picture. Each group has its own scale, since only the ratio counts."""
    parts: list[str] = []
    top = 48
    for outcome in outcomes:
        longest = max(outcome.seconds.values())
        parts.append(f'<text x="12" y="{top + 13}" font-weight="bold">{escape(outcome.case.name)}</text>')
        for name, seconds in outcome.seconds.items():
            width = _BARS * seconds / longest
            ours = name == "promo_runtime"
            note = "" if ours else f"  (ours takes {outcome.ratio(name):.2f} of it)"
            parts += [
                f'<text x="{_LABELS - 8}" y="{top + 13}" text-anchor="end">{escape(name)}</text>',
                f'<rect x="{_LABELS}" y="{top + 2}" width="{width:.1f}" height="{_ROW - 4}" '
                f'fill="{_OURS if ours else _OTHERS}"/>',
                f'<text x="{_LABELS + width + 6:.1f}" y="{top + 13}">{seconds * 1e3:.1f} ms{note}</text>',
            ]
            top += _ROW
        top += _GAP
    width = _LABELS + _BARS + 240
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" font-family="sans-serif" '
            f'font-size="12" fill="{_TEXT}">',
            f'<rect width="{width}" height="{top}" fill="white"/>',
            f'<text x="12" y="26" font-size="15">{escape(title)}</text>',
            *parts,
            "</svg>\n",
        ]
    )
