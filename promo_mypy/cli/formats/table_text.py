"""Write a promotion table for a terminal, and as Markdown."""

import textwrap
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from promo_mypy.cli.formats.table_cells import REFUSED, Table
from promo_mypy.rules.operands import Operand

#: On orange, which colour-blind readers do not confuse with the terminal's background. The sign says the same.
_DIFFERS: Final = "black on orange1"


def text(table: Table, width: int) -> Text:
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


def markdown(table: Table) -> str:
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
