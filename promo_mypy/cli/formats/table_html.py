"""Write a promotion table as one self-contained HTML page: fixed header row and column, light and dark."""

from collections.abc import Iterator
from html import escape
from typing import Final

from promo_mypy.cli.formats.html_page import page, paragraphs, scrolling
from promo_mypy.cli.formats.table_cells import REFUSED, Cell, Outcome, Table, meaning
from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.operands import Operand

_STYLE: Final = """
body{max-width:none}.scroll{max-width:100%;width:fit-content}
table{font:13px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
th,td{padding:.3rem .55rem;white-space:nowrap;border-right:1px solid var(--line)}
th{background:var(--head)}thead th{z-index:1}tbody th{position:sticky;left:0}
thead td{position:sticky;left:0;top:0;z-index:2;background:var(--head)}
.kind-b{background:var(--b)}.kind-u{background:var(--u)}.kind-i{background:var(--i)}
.kind-f{background:var(--f)}.kind-c{background:var(--c)}
td.differs{background:var(--differs);font-weight:700;box-shadow:inset 0 0 0 2px var(--ink)}
td.refused{color:var(--quiet)}td.refused.differs{color:inherit}
.other{display:block;font-weight:400}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.1rem 1rem;padding:0}
dl div{display:flex;gap:.6rem}dt{font-family:monospace;font-weight:700;min-width:4em}dd{margin:0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
"""


def html(table: Table) -> str:
    """The page. The tooltip of a cell shows its operands, its result and the reason of a refusal."""
    body = [
        f"{scrolling(table.title)}<table>",
        f'<caption class="hidden">{escape(" ".join(table.notes))}</caption>',
        "<thead><tr><td></td>",
        *(_head(table, operand, "col") for operand in table.operands),
        "</tr></thead><tbody>",
        *(line for left in table.operands for line in _row(table, left)),
        "</tbody></table></div>",
        *paragraphs(table.notes),
        "<dl>",
        *(f"<div><dt>{escape(brief)}</dt><dd>{escape(name)}</dd></div>" for brief, name in table.legend.items()),
        "</dl>",
    ]
    return page(table.title, body, _STYLE)


def _head(table: Table, operand: Operand, scope: str) -> str:
    return f'<th scope="{scope}" title="{escape(meaning(operand))}">{escape(table.short(operand))}</th>'


def _row(table: Table, left: Operand) -> Iterator[str]:
    yield f"<tr>{_head(table, left, 'row')}"
    for right in table.operands:
        yield _cell(table, f"{meaning(left)} with {meaning(right)}", table.cells[left, right])
    yield "</tr>"


def _cell(table: Table, operands: str, cell: Cell) -> str:
    tooltip = f"{operands}: {_result_text(cell.outcome)}"
    shown = _shown(cell.outcome)
    classes = [_class(cell.outcome)]
    if cell.versus is not None and cell.differs:
        classes.append("differs")
        tooltip += f"; {table.versus}: {_result_text(cell.versus)}"
        shown += f'<span class="other">≠&nbsp;{_shown(cell.versus)}</span>'
    return f'<td class="{" ".join(classes)}" title="{escape(tooltip)}">{shown}</td>'


def _shown(outcome: Outcome) -> str:
    if outcome.result is None:
        return f'<span aria-hidden="true">{REFUSED}</span><span class="hidden">rejected</span>'
    return escape(outcome.brief)


def _class(outcome: Outcome) -> str:
    return "refused" if outcome.result is None else f"kind-{DTYPES[outcome.result].kind}"


def _result_text(outcome: Outcome) -> str:
    return outcome.result or f"rejected, {outcome.reason}; {outcome.remedy}"
