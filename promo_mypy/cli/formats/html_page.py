"""Make one self-contained HTML page, in light and dark, from the lines of its body."""

from collections.abc import Iterable
from html import escape

from promo_mypy.cli.colours import DARK, LIGHT, Theme


def page(title: str, style: str, body: Iterable[str]) -> str:
    """The page, with the title as its heading. `style` may use the colours of a theme as variables: `var(--ink)`."""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        f"<style>{_themes()}{style}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *body,
        "</body></html>",
        "",
    ]
    return "\n".join(lines)


def scrolling(label: str) -> str:
    """The start tag of a scrolling region. It must be reachable by keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'


def _themes() -> str:
    return f":root{{{_variables(LIGHT)}}}@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}"


def _variables(theme: Theme) -> str:
    values = {
        "page": theme.page,
        "ink": theme.ink,
        "quiet": theme.quiet,
        "line": f"color-mix(in srgb,{theme.quiet} 35%,transparent)",
        "head": theme.head,
        "differs": theme.differs,
        **theme.kinds,
    }
    return ";".join(f"--{name}:{value}" for name, value in values.items())
