"""Write coverage as one self-contained HTML page, in light and dark."""

from collections.abc import Iterator
from html import escape
from typing import Final

from promo_mypy.cli.colours import GREEN
from promo_mypy.cli.formats.coverage_text import annotated, columns, compared, floored, summary
from promo_mypy.cli.formats.html_page import page, scrolling
from promo_mypy.program.against import Comparison
from promo_mypy.program.counts import Counts, Coverage, FileCoverage

_STYLE: Final = f"""
body{{margin:1.5rem auto;padding:0 1rem;max-width:72rem;\
font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:var(--page);color:var(--ink)}}
h1{{font-size:1.3rem;margin:0 0 .6rem}}h2{{font-size:1.1rem;margin:1.6rem 0 .4rem}}
h3{{font:700 1rem/1.4 ui-monospace,Menlo,Consolas,monospace;margin:0;display:inline}}
details{{margin:.8rem 0}}summary{{cursor:pointer}}
.scroll{{overflow-x:auto;border:1px solid var(--quiet);border-radius:6px;margin-top:.5rem}}
table{{border-collapse:collapse;width:100%}}
th,td{{padding:.3rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}}
tr:last-child>*{{border-bottom:0}}thead th{{background:var(--head);white-space:nowrap}}
tbody th{{font-weight:400}}tr.sum>*{{font-weight:700}}
code{{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}}
.number{{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}}
.bar{{display:flex;width:9rem;height:.8rem;border:1px solid var(--quiet);border-radius:3px;overflow:hidden;\
margin:.3rem 0}}
.exact{{background:{GREEN}}}.several{{background:repeating-linear-gradient(45deg,{GREEN} 0 3px,var(--page) 3px 6px)}}
.key{{display:inline-block;width:1.4rem;height:.8rem;border:1px solid var(--quiet);vertical-align:-.05rem;\
margin:0 .3rem 0 1rem}}
"""
_HEADS: Final = ("Arrays", "Exact", "Several", "Relative", "No dtype", "Unknown", "Known")


def coverage_html(coverage: Coverage, against: Comparison | None = None) -> str:
    """The page: a table of files, the causes of all, and for each file its causes with their lines."""
    said = (
        summary(coverage),
        annotated(coverage),
        compared(coverage, against),
        *(f"Left out: {each}" for each in coverage.left_out),
    )
    body = [f"<p>{escape(text)}</p>" for text in said if text]
    if coverage.counts.total:
        body += [*_files(coverage), *_causes(coverage)]
    return page("Known dtypes", _STYLE, body)


def _files(coverage: Coverage) -> Iterator[str]:
    yield '<p>Share of the array expressions that have<span class="key exact"></span>exactly one possible dtype,'
    yield '<span class="key several"></span>one of several known ones or that of a parameter,'
    yield '<span class="key"></span>an unknown one.</p>'
    yield f'{scrolling("Files")}<table><thead><tr><th scope="col">File</th><th scope="col">Share</th>'
    yield "".join(f'<th scope="col" class="number">{head}</th>' for head in _HEADS) + "</tr></thead><tbody>"
    for file in coverage.files:
        if file.counts.total:
            yield f'<tr><th scope="row"><code>{escape(file.path)}</code></th>{_cells(file.counts)}</tr>'
    yield f'<tr class="sum"><th scope="row">All</th>{_cells(coverage.counts)}</tr></tbody></table></div>'


def _cells(counts: Counts) -> str:
    shares = [("exact", counts.share(counts.exact)), ("several", counts.share(counts.several + counts.relative))]
    parts = "".join(f'<div class="{name}" style="width:{share:.2f}%"></div>' for name, share in shares)
    figures = (*columns(counts), f"{floored(counts.percent)} %")
    numbers = "".join(f'<td class="number">{figure}</td>' for figure in figures)
    return f'<td><div class="bar" aria-hidden="true">{parts}</div></td>{numbers}'


def _causes(coverage: Coverage) -> Iterator[str]:
    if not coverage.causes:
        return
    yield "<h2>What the unknown ones come from</h2>"
    yield f'{scrolling("Causes")}<table><thead><tr><th scope="col" class="number">Count</th><th scope="col">Cause</th>'
    yield "</tr></thead><tbody>"
    for cause, count in coverage.causes.items():
        yield f'<tr><td class="number">{count}</td><td><code>{escape(cause.text)}</code></td></tr>'
    yield "</tbody></table></div><h2>By file</h2>"
    for file in coverage.files:
        if file.causes:
            yield from _file(file)


def _file(file: FileCoverage) -> Iterator[str]:
    yield f"<details><summary><h3>{escape(file.path)}</h3> ({file.counts.unknown} unknown)</summary>"
    yield f'{scrolling(file.path)}<table><thead><tr><th scope="col" class="number">Count</th>'
    yield '<th scope="col">Cause</th><th scope="col">Lines</th></tr></thead><tbody>'
    for cause, places in file.causes.items():
        numbers = ", ".join(map(str, dict.fromkeys(place.line for place in places)))
        cells = f'<td class="number">{len(places)}</td><td><code>{escape(cause.text)}</code></td><td>{numbers}</td>'
        yield f"<tr>{cells}</tr>"
    yield "</tbody></table></div></details>"
