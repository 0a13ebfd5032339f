"""Write the drawing of a Hasse diagram as one self-contained SVG picture, for light and dark pages."""

from typing import Final
from xml.sax.saxutils import escape

from rich.console import Console
from rich.style import Style
from rich.text import Text

from promo_mypy.cli.colours import DARK, LIGHT
from promo_mypy.cli.lattices.hasse import Hasse
from promo_mypy.cli.lattices.lanes import drawing

#: The letters of a line.
_COLUMNS: Final = 96
#: Pixels of a letter, of a line and of the margin. Lanes are unbroken if a line is hardly higher than its font.
_LETTER: Final = 7.9
_LINE: Final = 15
_MARGIN: Final = 20

_STYLE: Final = (
    "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}"
    f"text,tspan{{fill:currentColor}}svg{{color:{LIGHT.ink}}}rect{{fill:{LIGHT.page}}}"
    f"@media (prefers-color-scheme:dark){{svg{{color:{DARK.ink}}}rect{{fill:{DARK.page}}}}}"
)


def svg(diagram: Hasse) -> str:
    """The drawing as SVG. Its description has the edges as sentences, for readers who do not see it."""
    lines = drawing(diagram, _COLUMNS).split("\n")
    width = max(line.cell_len for line in lines) * _LETTER + 2 * _MARGIN
    height = len(lines) * _LINE + 2 * _MARGIN
    sentences = [f"{low} promotes to {', '.join(high)}." for low, high in diagram.covers.items() if high]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}"'
            f' height="{height}" role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(diagram.title)}</title>',
            f'<desc id="description">{escape(" ".join(sentences))}</desc>',
            f"<style>{_STYLE}</style>",
            '<rect width="100%" height="100%" rx="8"/>',
            *(_line(line, _MARGIN + (number + 1) * _LINE) for number, line in enumerate(lines) if line.plain),
            "</svg>",
            "",
        ]
    )


def _line(line: Text, y: int) -> str:
    parts = ((escape(text), style) for text, style, _ in line.render(Console()))
    spans = (f'<tspan style="{_css(style)}">{text}</tspan>' if style else text for text, style in parts)
    return f'<text x="{_MARGIN}" y="{y}" xml:space="preserve">{"".join(spans)}</text>'


def _css(style: Style) -> str:
    colour = f"color:{style.color.get_truecolor().hex};" if style.color is not None else ""
    return colour + ("font-weight:bold" if style.bold else "opacity:0.75")
