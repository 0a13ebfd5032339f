"""Colours for colour-blind readers: the palette of Okabe and Ito.

Source: Masataka Okabe and Kei Ito, "Color Universal Design" (2008). No colour is used alone: a dash, a sign or a word
says the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ORANGE: Final = "#E69F00"
GREEN: Final = "#009E73"
BLUE: Final = "#0072B2"
VERMILION: Final = "#D55E00"


#: For the first highlighted operand, the second, and all others.
PATHS: Final = (BLUE, VERMILION, "#8F4A73")


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a page."""

    page: str
    ink: str
    head: str
    """Behind the headers of a table."""
    quiet: str
    """Edges and borders."""
    kinds: Mapping[str, str]
    """Kind of dtype -> fill, only a hint: the name says the kind."""
    differs: str
    """Behind a cell that differs."""


LIGHT: Final = Theme(
    "#ffffff", "#1f2328", "#f0f2f4", "#6e7781",
    {"b": "#eceff1", "u": "#e0f1fc", "i": "#cfe3f1", "f": "#d5efe6", "c": "#f7e2ed"}, "#fbe3b0",
)  # fmt: skip
DARK: Final = Theme(
    "#0d1117", "#e6edf3", "#1c232b", "#8b949e",
    {"b": "#2a3038", "u": "#173a52", "i": "#0c3150", "f": "#0b4033", "c": "#4b2a3d"}, "#6b4700",
)  # fmt: skip
