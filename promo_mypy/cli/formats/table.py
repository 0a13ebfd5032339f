"""Write a promotion table: as text, Markdown, an HTML page, and as JSON in the form of docs/command-line.md."""

import json
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from rich.text import Text

from promo_mypy.cli.formats.html_page import page, paragraphs, scrolling
from promo_mypy.cli.formats.table_cells import REFUSED, Cell, Outcome, Table, meaning
from promo_mypy.rules.dtypes import DTYPES, PythonScalar
from promo_mypy.rules.operands import Operand

#: Increases when a key of the JSON changes its meaning or is removed, not when a key is added.
VERSION: Final = 1
#: On orange, which colour-blind readers do not confuse with the terminal's background. The sign says the same.
_DIFFERS: Final = "black on orange1"
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


def table_text(table: Table, width: int) -> Text:
    """The table in blocks of columns that fit into `width`, with a legend. No line is longer than `width`."""
    names = [table.short(operand) for operand in table.operands]
    head = max(map(len, names))
    cell = max(head, *(len(each.text) for each in table.cells.values()))
    most = max(1, (width - head) // (cell + 1))
    # Blocks of one size: ceiling division, twice.
    per_block = -(-len(names) // -(-len(names) // most))
    result = Text().append(f"{table.title}\n", style="bold")
    for first in range(0, len(names), per_block):
        _block(result, table, table.operands[first : first + per_block], head, cell)
    result.append("\n")
    entries = [f"{brief} {name}" for brief, name in table.legend.items()]
    for paragraph in (", ".join(entries), *table.notes):
        if paragraph:
            result.append(textwrap.fill(paragraph, width, break_on_hyphens=False) + "\n", style="dim")
    result.rstrip()
    return result


def _block(result: Text, table: Table, columns: Sequence[Operand], head: int, cell: int) -> None:
    result.append("\n")
    header = " ".join(table.short(right).ljust(cell) for right in columns)
    result.append(f"{' ' * head} {header}".rstrip() + "\n", style="bold")
    for left in table.operands:
        result.append(table.short(left).ljust(head), style="bold")
        for right in columns:
            found = table.cells[left, right]
            result.append(" ")
            result.append(found.text, style=_DIFFERS if found.differs else "dim" if found.text == REFUSED else "")
            if right is not columns[-1]:
                result.append(" " * (cell - len(found.text)))
        result.append("\n")


def table_markdown(table: Table) -> str:
    """The table as GitHub shows it; differing cells are bold, too."""
    names = [table.short(operand).replace("*", "\\*") for operand in table.operands]
    lines = [
        f"**{table.title.replace('*', chr(92) + '*')}**",
        "",
        f"| | {' | '.join(names)} |",
        f"|---|{'---|' * len(names)}",
    ]
    for left, name in zip(table.operands, names, strict=True):
        cells = [table.cells[left, right] for right in table.operands]
        shown = [each.text.replace("*", "\\*") for each in cells]
        marked = [f"**{each}**" if cell.differs else each for each, cell in zip(shown, cells, strict=True)]
        lines.append(f"| **{name}** | {' | '.join(marked)} |")
    legend = ", ".join(f"{brief} {name}" for brief, name in table.legend.items()).replace("*", "\\*")
    return "\n".join([*lines, "", f"{legend}.", "", " ".join(table.notes), ""])


def table_html(table: Table) -> str:
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


def table_json(table: Table) -> str:
    """The table as one JSON object."""
    content = {
        "version": VERSION,
        "system": table.system,
        "versus": table.versus,
        "operation": table.operation,
        "operands": [_operand(operand, table.short(operand)) for operand in table.operands],
        "absent": list(table.absent),
        "differing": table.differing if table.versus else None,
        "cells": [
            {"left": _name(left), "right": _name(right), **_answer(cell.outcome)}
            | ({"versus": _answer(cell.versus), "differs": cell.differs} if cell.versus else {})
            for (left, right), cell in table.cells.items()
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _operand(operand: Operand, short: str) -> dict[str, Any]:
    dtype = operand.dtype
    form = "python scalar" if issubclass(dtype, PythonScalar) else "weak dtype" if dtype.weak else "dtype"
    return {"name": _name(operand), "short": short, "form": form}


def _name(operand: Operand) -> str:
    """The unique name that every command accepts: "py_bool", because "bool" is the dtype."""
    return operand.dtype.name


def _answer(outcome: Outcome) -> dict[str, str | None]:
    return {"result": outcome.result, "reason": outcome.reason, "remedy": outcome.remedy}
