"""Collect the report of `lattice check` about a user-defined system."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from promo_mypy.rules.lattices.laws import Laws, laws
from promo_mypy.rules.lattices.own_systems import OwnSystem
from promo_mypy.rules.lattices.proofs import Proof
from promo_mypy.rules.lattices.system_differences import Difference, differences, operands_of
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


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
    """All reports as one JSON object, in the form that docs/command-line.md describes."""
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
