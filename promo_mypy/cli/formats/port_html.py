"""Write a survey as one self-contained HTML page, in light and dark."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from promo_mypy.cli.formats.html_page import page, scrolling
from promo_mypy.cli.formats.port_text import summary
from promo_mypy.port.findings import Cause, Place, Survey

_STYLE: Final = """
body{margin:1.5rem;max-width:72rem;font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;\
background:var(--page);color:var(--ink)}
h1{font-size:1.3rem;margin:0 0 .6rem}h2{font:700 1rem/1.4 ui-monospace,Menlo,Consolas,monospace;margin:0}
details{margin:1.2rem 0}summary{cursor:pointer}summary h2{display:inline}
.scroll{overflow-x:auto;border:1px solid var(--quiet);border-radius:6px;margin-top:.5rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}
td code{white-space:nowrap}
th{background:var(--head);white-space:nowrap}
code{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.differs{background:var(--differs)}.number{text-align:right;font-variant-numeric:tabular-nums}
"""


def port_html(survey: Survey) -> str:
    """The page: one table for each file, one row for each cause."""
    title = f"From {survey.source} to {survey.target}"
    said = (summary(survey), *(f"Left out: {each}" for each in survey.left_out))
    body = [f"<p>{escape(text)}</p>" for text in said]
    body += [line for path in survey.findings for line in _file(survey, path)]
    return page(title, _STYLE, body)


def _file(survey: Survey, path: Path) -> Iterator[str]:
    yield f"<details open><summary><h2>{escape(path.as_posix())}</h2> ({survey.count(path)})</summary>"
    yield f"{scrolling(path.as_posix())}<table><thead><tr>"
    heads = ("Operation", survey.source, survey.target, "Count", "Lines", "To make it portable")
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads).replace(">Count", ' class="number">Count')
    yield "</tr></thead><tbody>"
    for cause, places in survey.findings[path].items():
        yield _row(cause, places)
    yield "</tbody></table></div></details>"


def _row(cause: Cause, places: tuple[Place, ...]) -> str:
    there = f"<code>{escape(cause.ported)}</code>" if cause.ported else f"rejected: {escape(cause.reason)}"
    lines = ", ".join(str(line) for line in dict.fromkeys(place.line for place in places))
    return (
        f"<tr><td><code>{escape(cause.operation)}</code></td><td><code>{escape(cause.result)}</code></td>"
        f'<td class="differs">{there}</td><td class="number">{len(places)}</td><td>{lines}</td>'
        f"<td>{escape(cause.remedy)}</td></tr>"
    )
