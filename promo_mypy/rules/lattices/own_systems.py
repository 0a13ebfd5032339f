"""A promotion system of the user's own: the lattice that was written, and the system that is built on it."""

import itertools
from collections.abc import Iterable
from functools import partial

from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.proofs import Proof, prove
from promo_mypy.rules.lattices.toml_sources import Source, TomlError
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import get_system, register_system
from promo_mypy.rules.systems.lattices import LatticeSystem


class NoLatticeError(TomlError):
    """The lattice of a system has pairs without a least upper bound, or a cycle."""


@record
class OwnSystem:
    """A system that was read; whether its lattice is one, `proof` tells."""

    name: str
    base: str
    """The system whose operators it has."""
    extends: bool
    """Whether its lattice starts from that of `base`."""
    lattice: Lattice
    start: Lattice
    source: Source
    added: tuple[tuple[tuple[str, str], Source], ...]
    """Each added edge, and where it is written."""

    @property
    def proof(self) -> Proof:
        """Whether every pair of nodes joins as it has to."""
        return prove(self.lattice, self.start)

    def place_of(self, cycle: tuple[str, ...]) -> Source:
        """Where a cycle was closed: the last added edge on it."""
        steps = set(itertools.pairwise(cycle))
        return next((place for edge, place in reversed(self.added) if edge in steps), self.source)

    def build(self, torch_default_dtype: str) -> PromotionSystem:
        """The promotion system. Its base is one that comes with this package or is registered."""
        return LatticeSystem(self.name, self.lattice, get_system(self.base, torch_default_dtype=torch_default_dtype))

    def checked(self) -> "OwnSystem":
        """Itself. Raises NoLatticeError if it is not a lattice."""
        faults = self.proof.faults
        if faults:
            place = self.place_of(faults[0].nodes) if faults[0].kind == "cycle" else self.source
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise NoLatticeError(str(place.error(f"{self.name} is not a lattice: {faults[0]}{more}")))
        return self

    def fingerprint(self) -> list[object]:
        """All that changes a result, as plain JSON data; of the base only the name, if it is an own system, too."""
        rows = [[node, *above] for node, above in self.lattice.covers.items()]
        refused = sorted(sorted(pair) for pair in self.lattice.refused)
        return [self.base, rows, refused, sorted([*row, repr(node)] for row, node in self.lattice.floors.items())]


def register(systems: Iterable[OwnSystem], torch_default_dtype: str = "float32") -> None:
    """Let get_system know these systems."""
    for system in systems:
        register_system(system.name, partial(system.build, torch_default_dtype))
