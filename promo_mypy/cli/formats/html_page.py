"""Make one self-contained HTML page, in light and dark, of paragraphs and tables."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from typing import Final

from promo_mypy.cli.colours import DARK, LIGHT, Theme

_STYLE: Final = """
body{margin:1.5rem auto;padding:0 1rem;max-width:72rem;\
font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:var(--page);color:var(--ink)}
h1{font-size:1.3rem;margin:0 0 .6rem}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
h3{font:700 1rem/1.4 ui-monospace,Menlo,Consolas,monospace;margin:0;display:inline}
details{margin:.8rem 0}summary{cursor:pointer}
.scroll{overflow:auto;max-height:85vh;border:1px solid var(--quiet);border-radius:6px;margin-top:.5rem}
table{border-collapse:separate;border-spacing:0;width:100%}
th,td{padding:.3rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}thead th{position:sticky;top:0;background:var(--head);white-space:nowrap}
code{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
"""
#: The columns of numbers, beside those that a table names.
_NUMBERS: Final = ("Count",)


def page(title: str, body: Iterable[str], style: str = "") -> str:
    """The page, with the title as its heading. `style` may use the colours of a theme as variables: `var(--ink)`."""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        f"<style>{_themes()}{_STYLE}{style}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *body,
        "</body></html>",
        "",
    ]
    return "\n".join(lines)


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """The texts that are not empty."""
    return (f"<p>{escape(text)}</p>" for text in texts if text)


def section(name: str, note: object, lines: Iterable[str], *, is_open: bool) -> Iterator[str]:
    """Lines that fold below a name with a note."""
    yield f"<details{' open' * is_open}><summary><h3>{escape(name)}</h3> ({note})</summary>"
    yield from lines
    yield "</details>"


def table(
    label: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[str] = _NUMBERS
) -> Iterator[str]:
    """A table of cells that are HTML. `label` says what it is about, for readers who do not see it."""
    classes = [' class="number"' if head in numbers else "" for head in heads]
    yield f"{scrolling(label)}<table><thead><tr>"
    yield "".join(f'<th scope="col"{each}>{escape(head)}</th>' for head, each in zip(heads, classes, strict=True))
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td{each}>{cell}</td>' for cell, each in zip(row, classes, strict=True))}</tr>"
    yield "</tbody></table></div>"


def code(text: str) -> str:
    """A cell of code."""
    return f"<code>{escape(text)}</code>"


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
