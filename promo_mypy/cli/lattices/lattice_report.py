"""Report on a user-defined system for `lattice check`: as text, and as JSON in the form of docs/command-line.md."""

import io
import json
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table

from promo_mypy.rules.dtypes import DTYPES, ORDINARY, PYTHON_SCALARS
from promo_mypy.rules.lattices.laws import Laws, laws
from promo_mypy.rules.lattices.own_systems import OwnSystem
from promo_mypy.rules.lattices.proofs import Proof
from promo_mypy.rules.lattices.system_differences import Difference, cells, differences, operands_of
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.reasons import SYMBOLS

#: Increases when a key of the JSON changes its meaning or is removed, not when a key is added.
VERSION: Final = 1
_REFUSED: Final = "rejected"


@dataclass(frozen=True, slots=True)
class Report:
    """The proof, and more facts if it is a lattice."""

    name: str
    file: str
    line: int
    base: str
    """The system that it is compared with."""
    extends: bool
    proof: Proof
    fault_lines: tuple[int, ...]
    laws: Laws | None = None
    """The laws of "promote"."""
    left_out: tuple[str, ...] = ()
    """Dtypes that only the base has."""
    brought_in: tuple[str, ...] = ()
    """Dtypes that the base lacks."""
    differences: tuple[Difference, ...] = ()
    """Cells of the base that differ, without the cells of removed dtypes."""

    @property
    def is_lattice(self) -> bool:
        """Whether the proof has no fault."""
        return not self.proof.faults


def report(own: OwnSystem) -> Report:
    """Prove the lattice, and compare it with its base, which must come with this package or be registered."""
    proof = own.proof
    places = (own.place_of(fault.nodes) if fault.kind == "cycle" else own.source for fault in proof.faults)
    lines = tuple(place.line for place in places)
    proved = Report(own.name, str(own.source.file), own.source.line, own.base, own.extends, proof, lines)
    if proof.faults:
        return proved
    base, system = get_system(own.base), own.build("float32")
    return replace(
        proved,
        laws=laws(system, "promote"),
        left_out=_names(base, system),
        brought_in=_names(system, base),
        differences=tuple(differences(base, system, operands_of(system))),
    )


def report_json(reports: Sequence[Report]) -> str:
    """All reports as one JSON object."""
    return json.dumps({"version": VERSION, "systems": [_content(each) for each in reports]}, indent=1)


def _content(each: Report) -> dict[str, Any]:
    content = asdict(each)
    proof = content.pop("proof")
    lines = content.pop("fault_lines")
    faults = [{**fault, "line": line} for fault, line in zip(proof.pop("faults"), lines, strict=True)]
    return {"is_lattice": each.is_lattice, **content, **proof, "faults": faults}


def _names(of: PromotionSystem, beside: PromotionSystem) -> tuple[str, ...]:
    theirs = set(operands_of(beside))
    return tuple(operand.dtype.name for operand in operands_of(of) if operand not in theirs)


def report_text(reports: Sequence[Report], width: int) -> str:
    """All reports, no line longer than `width`."""
    return "\n\n".join("\n".join(_lines(each, width)) for each in reports)


def _lines(report: Report, width: int) -> list[str]:
    place, proof = f"{report.file}:{report.line}: {report.name}", report.proof
    if not report.is_lattice:
        faults = zip(proof.faults, report.fault_lines, strict=True)
        said = [f"  {fault} (line {line})" if line != report.line else f"  {fault}" for fault, line in faults]
        return [f"{place} is not a lattice", *(line for each in said for line in _wrapped(each, width))]
    joined = "each with one least upper bound"
    if proof.refused:
        where = f"rejected here or in {report.base}" if report.extends else "rejected here"
        joined = f"{proof.pairs - proof.refused} with one least upper bound, {proof.refused} {where}"
    said = [
        f"{place} is a lattice",
        f"  {proof.nodes} nodes, {proof.pairs} pairs: {joined}",
        f"  {_laws(report.laws)}" if report.laws else "",
        f"  without {_usual(report.left_out)}" if report.left_out else "",
        f"  new: {_usual(report.brought_in)}" if report.brought_in else "",
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
        counted = {"differ": laws.differ, "rejected in one grouping only": laws.one_side_refused}
        broken = [f"{count} triples {what}" for what, count in counted.items() if count]
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
    """A row for each change, with left and right operands. A change that is the same in both orders of the operands is
    listed once.
    """
    found = {(d.operands, operation, d.before, d.after) for d in differences for operation in d.operations}
    rows: dict[tuple[str, tuple[str, ...], str | None, str | None], list[str]] = {}
    listed: set[tuple[str, ...]] = set()
    for each in differences:
        left, right = each.operands[0], each.operands[-1]
        swapped = (right, left)
        either = [o for o in each.operations if left != right and (swapped, o, each.before, each.after) in found]
        one = [operation for operation in each.operations if operation not in either]
        other = "alone" if len(each.operands) == 1 else _spelled(right)
        if one:
            side = f"{other} on the right" if left != right else other
            rows.setdefault((_spelled(left), tuple(one), each.before, each.after), []).append(side)
        if either and swapped not in listed:
            rows.setdefault((_spelled(left), tuple(either), each.before, each.after), []).append(other)
        listed.add(each.operands)
    merged: dict[tuple[str, str, str, str], list[str]] = {}
    for (left, operations, before, after), others in rows.items():
        rest = (", ".join(others), _symbols(operations), before or _REFUSED, after or _REFUSED)
        merged.setdefault(rest, []).append(left)
    return [(", ".join(lefts), *rest) for rest, lefts in merged.items()]


def _symbols(operations: Sequence[str]) -> str:
    return " ".join(SYMBOLS.get(name, name) for name in operations)


def _spelled(name: str) -> str:
    return f"Python {name.removeprefix('py_')}" if name in PYTHON_SCALARS else name


def _usual(names: Sequence[str]) -> str:
    """The ordinary dtypes by name, the number of others, and the weak ones by name."""
    ordinary = [name for name in names if name in DTYPES and (DTYPES[name].weak or DTYPES[name] in ORDINARY)]
    others = len(names) - len(ordinary)
    return ", ".join(ordinary + ([f"{others} smaller or rarer dtypes"] if others else []))


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
