"""What `lattice check` says about a system, for a terminal."""

import io
import textwrap
from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from promo_mypy.cli.lattice_report import Report
from promo_mypy.rules.laws import Laws
from promo_mypy.rules.reasons import SYMBOLS
from promo_mypy.rules.system_differences import Difference, cells

REFUSED: Final = "refused"


def text(reports: Sequence[Report], width: int) -> str:
    """All reports, no line longer than `width`."""
    return "\n\n".join("\n".join(_lines(each, width)) for each in reports)


def _lines(report: Report, width: int) -> list[str]:
    place, proof = f"{report.file}:{report.line}: {report.name}", report.proof
    if not report.is_lattice:
        faults = zip(proof.faults, report.fault_lines, strict=True)
        said = [f"  {fault} (line {line})" if line != report.line else f"  {fault}" for fault, line in faults]
        return [f"{place} is no lattice", *(line for each in said for line in _wrapped(each, width))]
    refused = f"; {proof.refused} of them do not promote" if proof.refused else ""
    every = f"each with one least upper bound{refused}" if not refused else f"one least upper bound{refused}"
    said = [
        f"{place} is a lattice",
        f"  {proof.nodes} nodes, {proof.pairs} pairs: {every}",
        f"  {_laws(report.laws)}" if report.laws else "",
        f"  without {', '.join(report.left_out)}" if report.left_out else "",
        f"  new: {', '.join(report.brought_in)}" if report.brought_in else "",
    ]
    lines = [line for each in said if each for line in _wrapped(each, width)]
    count = cells(report.differences)
    if not count:
        return [*lines, f"  every {'other ' if report.left_out else ''}cell is as in {report.base}"]
    differ = "cell differs" if count == 1 else "cells differ"
    return [*lines, f"  {count} {differ} from {report.base}:", _table(report, width)]


def _laws(laws: Laws) -> str:
    over = f"over {len(laws.names)} dtypes ({laws.pairs} pairs, {laws.triples} triples)"
    if laws.commutative and laws.associative:
        return f"promotion is commutative and associative {over}"
    said = []
    if laws.first_noncommutative:
        said.append(
            f"not commutative: {laws.noncommutative} pairs, the first {' and '.join(laws.first_noncommutative)}"
        )
    if laws.counter_example:
        broken = [f"{laws.differ} triples differ"] if laws.differ else []
        broken += [f"{laws.one_side_refused} are refused in one grouping only"] if laws.one_side_refused else []
        said.append(f"not associative: {', '.join(broken)}, the first {', '.join(laws.counter_example)}")
    return f"promotion {over} is {'; '.join(said)}"


def _table(report: Report, width: int) -> str:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("operand", "with", "operations", report.base, report.name):
        table.add_column(heading, overflow="fold")
    for row in _rows(report.differences):
        table.add_row(*row)
    written = io.StringIO()
    Console(file=written, width=width, color_system=None, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines() if line.strip())


def _rows(differences: Sequence[Difference]) -> list[tuple[str, str, str, str, str]]:
    """A row for each left operand and change, the right operands together; pairs that differ alike in either order
    are listed once.
    """
    found = set(differences)
    rows: dict[tuple[str, tuple[str, ...], str | None, str | None], list[str]] = {}
    seen: set[Difference] = set()
    for each in differences:
        swapped = Difference(each.operands[::-1], each.operations, each.before, each.after)
        if len(each.operands) == 2 and each.operands[0] != each.operands[1]:
            if swapped in seen:
                continue
            other = each.operands[1] if swapped in found else f"{each.operands[1]} (on the right)"
        else:
            other = each.operands[-1] if len(each.operands) == 2 else "-"
        seen.add(each)
        rows.setdefault((each.operands[0], each.operations, each.before, each.after), []).append(other)
    return [
        (
            left,
            ", ".join(others),
            " ".join(SYMBOLS.get(name, name) for name in operations),
            before or REFUSED,
            after or REFUSED,
        )
        for (left, operations, before, after), others in rows.items()
    ]


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
