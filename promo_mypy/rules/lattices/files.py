"""Read user-defined promotion systems from `[systems.<name>]` in TOML, or report one fault with file, line and key.

Keys of a system, all optional:

    `extends = "jax"`                                     the system whose lattice and operators this one starts from
    `operators = "numpy"`                                 without `extends`: the system whose operators apply after
                                                          the operands are joined; "jax" by default
    `dtypes = ["int32", "float32"]`                       the dtypes that it has; weak nodes stay
    `remove = ["uint64 -> f*"]`                           edges of the start to leave out
    `add = ["int32 -> float32 -> float64"]`               edges to add
    `refuse = ["int64 + float16 bfloat16"]`               pairs that do not promote
    `allow = ["uint16 + int32"]`                          pairs that `extends` rejects and this one joins
    `floors = ["float beside int32 int64 -> float64"]`    the nodes that Python numbers count as

They take effect in this order. `systems.<name>` may also be the path of a TOML file with these keys at its top level.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from promo_mypy.rules.lattices import edits as edits
from promo_mypy.rules.lattices import notation as notation
from promo_mypy.rules.lattices.edits import Start
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.notation import NotationError
from promo_mypy.rules.lattices.own_systems import OwnSystem
from promo_mypy.rules.lattices.proofs import prove
from promo_mypy.rules.lattices.toml_sources import Source, source_of
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_mypy.rules.wording.near_matches import suggestion

KEYS: Final = ("extends", "operators", "dtypes", "remove", "add", "refuse", "allow", "floors")
DEFAULT_OPERATORS: Final = "jax"
RESERVED: Final = ("library", *SYSTEM_NAMES)

Read = TypeVar("Read")

Added = tuple[tuple[str, str], Source]
"""An edge that a file adds, and where it is written."""


def read_file(file: Path) -> Mapping[str, OwnSystem]:
    """The system of a file with these keys at its top level, named after the file. Raises TomlError, OSError."""
    source = source_of(file)
    return read_systems({file.stem: tomllib.loads(source.text)}, lambda _name: source)


def read_table(table: object, source: Source) -> Mapping[str, OwnSystem]:
    """The systems of a `systems` table at `source`. Raises TomlError."""
    if not isinstance(table, dict):
        raise source.error('expected a table of promotion systems, as in [systems.mine] with extends = "jax"')
    tables, sources = dict(table), {name: source.at(name) for name in table}
    for name, value in table.items():
        if isinstance(value, str):
            file = source.file.parent / value
            try:
                sources[name] = source_of(file)
            except OSError as error:
                raise source.at(name).error(f"{file} cannot be read: {error.strerror}") from error
            tables[name] = tomllib.loads(sources[name].text)
    return read_systems(tables, sources.__getitem__)


def read_systems(tables: Mapping[str, object], place_of: Callable[[str], Source]) -> Mapping[str, OwnSystem]:
    """The systems of these tables, each after the systems that it extends. Raises TomlError."""
    reading = _Reading(tables, place_of)
    for name in tables:
        reading.read(name, ())
    return reading.done


class _Reading:
    def __init__(self, tables: Mapping[str, object], place_of: Callable[[str], Source]) -> None:
        self._tables = tables
        self._place_of = place_of
        self.done: dict[str, OwnSystem] = {}

    def read(self, name: str, below: tuple[str, ...]) -> OwnSystem:
        """One system, `below` being the systems that extend it."""
        if name in self.done:
            return self.done[name]
        source, table = self._place_of(name), self._tables[name]
        if name in RESERVED:
            raise source.error(f'"{name}" is already the name of a promotion system: choose another one')
        if not name.replace("-", "_").isidentifier():
            raise source.error(f'"{name}" is not a valid name for a system: use letters, digits, - and _')
        if not isinstance(table, dict):
            raise source.error('expected a table such as { extends = "jax" } or the path of a TOML file')
        for key in table:
            if key not in KEYS:
                raise source.at(key).error(f"no such key{suggestion(key, KEYS)}; the keys are {', '.join(KEYS)}")
        if "extends" in table and "operators" in table:
            raise source.at("operators").error("the operators are those of the system that is extended: leave this out")
        key = "extends" if "extends" in table else "operators"
        base = table.get(key, DEFAULT_OPERATORS)
        base_lattice = self._base(base, source.at(key), (*below, name))
        start = Start(base, base_lattice) if key == "extends" else Start("the empty lattice")
        self.done[name] = _edited(name, base, start, _Entries(table, source))
        return self.done[name]

    def _base(self, base: object, source: Source, below: tuple[str, ...]) -> Lattice:
        names = (*SYSTEM_NAMES, *self._tables)
        if not isinstance(base, str) or base not in names:
            shown = f'"{base}"' if isinstance(base, str) else base
            near = suggestion(base, names)
            raise source.error(f"no promotion system is called {shown}{near}; allowed: {', '.join(names)}")
        if base in below:
            chain = " extends ".join((*below[below.index(base) :], base))
            raise source.error(f"a system cannot be built on itself: {chain}")
        if base in self._tables:
            return self.read(base, below).checked().lattice
        system = get_system(base)
        if system.lattice is None:
            raise source.error(f"{base} has no lattice: its promotion is not a join")
        if source.table[-1] == "extends" and not system.is_lattice:
            raise source.error(
                f"{base} is not a lattice: {prove(system.lattice, system.lattice).faults[0]}; "
                f'write the edges in add, and operators = "{base}" in place of extends'
            )
        return system.lattice


def _edited(name: str, base: str, start: Start, entries: "_Entries") -> OwnSystem:
    extends = start.name == base
    kept = [node for nodes, source in entries.of("dtypes", notation.nodes) for node in _strong(nodes, source)]
    lattice = edits.restricted(start.lattice, kept) if kept else start.lattice
    lattice = _without_edges(start.name, lattice, entries)
    lattice, added = _with_edges(lattice, kept, entries)
    lattice = _with_refusals(start.name, lattice, entries)
    lattice = _with_floors(lattice, entries)
    if not lattice.covers:
        raise entries.source.error('a lattice without nodes: write extends = "jax", or edges in add')
    return OwnSystem(name, base, extends, lattice, start.lattice, entries.source, added)


def _without_edges(name: str, lattice: Lattice, entries: "_Entries") -> Lattice:
    for found, source in entries.of("remove", notation.edges):
        for edge in found:
            lattice = _placed(source, edits.without_edge, Start(name, lattice), *edge)
    return lattice


def _with_edges(lattice: Lattice, kept: list[str], entries: "_Entries") -> tuple[Lattice, tuple[Added, ...]]:
    """The lattice, and the edges that were added with their places. `kept`: the dtypes, where the file names them."""
    added = []
    for found, source in entries.of("add", notation.edges):
        for node in (node for edge in found for node in edge):
            if kept and node not in kept and not edits.is_weak(node):
                raise source.error(f"{node} is not among the dtypes: add it there, or leave the edge out")
        lattice = edits.with_edges(lattice, found)
        added += [(edge, source) for edge in found]
    return lattice, tuple(added)


def _with_refusals(name: str, lattice: Lattice, entries: "_Entries") -> Lattice:
    for pairs, source in entries.of("refuse", notation.pairs):
        for pair in pairs:
            lattice = _placed(source, edits.with_refused, lattice, pair)
    for pairs, source in entries.of("allow", notation.pairs):
        for pair in pairs:
            lattice = _placed(source, edits.without_refused, Start(name, lattice), pair)
    return lattice


def _with_floors(lattice: Lattice, entries: "_Entries") -> Lattice:
    for floors, source in entries.of("floors", notation.floors):
        lattice = edits.with_floors(lattice, floors)
        for counted in floors.values():
            if counted and counted not in lattice.covers:
                raise source.error(f"{counted} is not in this lattice{suggestion(counted, lattice.covers)}")
    return lattice


def _strong(nodes: tuple[str, ...], source: Source) -> tuple[str, ...]:
    for node in nodes:
        if edits.is_weak(node):
            raise source.error(f"{node} is a weak node, and those stay: leave it out")
    return nodes


class _Entries:
    """The arrays of strings of a table."""

    def __init__(self, table: dict[str, Any], source: Source) -> None:
        self._table = table
        self.source = source

    def of(self, key: str, read: Callable[[str], Read]) -> list[tuple[Read, Source]]:
        """The parsed strings of an array, with their places."""
        here, value = self.source.at(key), self._table.get(key, [])
        if not isinstance(value, list):
            raise here.error(f"expected an array of strings{_such_as(key)}")
        if key == "dtypes" and key in self._table and not value:
            raise here.error("the list is empty: a system needs dtypes")
        found = []
        for number, text in enumerate(value):
            if not isinstance(text, str):
                raise here.at(number).error(f"expected a string{_such_as(key)}")
            found.append((_placed(here.at(number), read, text), here.at(number)))
        return found


_EXAMPLES: Final = {
    "dtypes": "float32",
    "remove": "uint64 -> f*",
    "add": "int32 -> float32",
    "refuse": "int64 + float32",
    "allow": "int64 + float32",
    "floors": "float beside int32 -> float64",
}


def _such_as(key: str) -> str:
    return f', such as "{_EXAMPLES[key]}"'


def _placed(source: Source, function: Callable[..., Read], *arguments: Any) -> Read:
    """The result of a function. A NotationError gets its place."""
    try:
        return function(*arguments)
    except NotationError as error:
        raise source.error(str(error)) from error
