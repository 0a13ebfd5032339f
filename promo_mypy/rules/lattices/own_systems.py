"""User-defined promotion systems: the lattice that the user wrote, and the system built on it."""

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
    """A system from a file. `proof` shows whether its lattice really is a lattice."""

    name: str
    base: str
    """The system whose operators it uses."""
    extends: bool
    """Whether its lattice starts from the lattice of `base`."""
    lattice: Lattice
    start: Lattice
    source: Source
    added: tuple[tuple[tuple[str, str], Source], ...]
    """Added edge -> its place in the file."""

    @property
    def proof(self) -> Proof:
        """The proof that every pair of nodes joins, or the faults."""
        return prove(self.lattice, self.start)

    def place_of(self, cycle: tuple[str, ...]) -> Source:
        """The place that closes a cycle: the last added edge on it."""
        steps = set(itertools.pairwise(cycle))
        return next((place for edge, place in reversed(self.added) if edge in steps), self.source)

    def build(self, torch_default_dtype: str) -> PromotionSystem:
        """The promotion system. Its base must come with this package or be registered."""
        return LatticeSystem(self.name, self.lattice, get_system(self.base, torch_default_dtype=torch_default_dtype))

    def checked(self) -> "OwnSystem":
        """Returns itself. Raises NoLatticeError if it is not a lattice."""
        faults = self.proof.faults
        if faults:
            place = self.place_of(faults[0].nodes) if faults[0].kind == "cycle" else self.source
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise NoLatticeError(str(place.error(f"{self.name} is not a lattice: {faults[0]}{more}")))
        return self

    def fingerprint(self) -> list[object]:
        """All that affects a result, as plain JSON data. A user-defined base contributes only its name."""
        rows = [[node, *above] for node, above in self.lattice.covers.items()]
        refused = sorted(sorted(pair) for pair in self.lattice.refused)
        return [self.base, rows, refused, sorted([*row, repr(node)] for row, node in self.lattice.floors.items())]


def register(systems: Iterable[OwnSystem], torch_default_dtype: str = "float32") -> None:
    """Register these systems, so that get_system finds them."""
    for system in systems:
        register_system(system.name, partial(system.build, torch_default_dtype))
