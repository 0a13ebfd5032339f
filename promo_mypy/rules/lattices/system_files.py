"""Read the user-defined promotion systems of a file, in any of three forms."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from promo_mypy.rules.lattices import own_systems
from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT, TOOL_TABLE
from promo_mypy.rules.lattices.files import read_file, read_table
from promo_mypy.rules.lattices.own_systems import OwnSystem
from promo_mypy.rules.lattices.toml_sources import source_of

_TABLE: Final = "systems"


def systems_in(file: Path) -> Mapping[str, OwnSystem]:
    """The systems of a file. Their lattices need not be lattices.

    They are in `[tool.promo-mypy.systems]`, in `[systems]` of a promo-mypy.toml, or the file is one system with its
    keys at the top level. Raises TomlError, OSError.
    """
    source = source_of(file)
    content = tomllib.loads(source.text)
    tool = content.get("tool", {})
    table = tool.get(TOOL_TABLE) if isinstance(tool, dict) else None
    if isinstance(table, dict) and _TABLE in table:
        return read_table(table[_TABLE], source.at("tool", TOOL_TABLE, _TABLE))
    if _TABLE in content:
        return read_table(content[_TABLE], source.at(_TABLE))
    if table is not None or file.name in (PYPROJECT, OWN_FILE):
        return {}
    return read_file(file)


def register_file(file: Path) -> tuple[str, ...]:
    """Register the systems of a file, if it has any, and return their names.

    Raises TomlError for a fault in the file and for a system that is not a lattice, OSError if it cannot be read.
    """
    systems = [system.checked() for system in systems_in(file).values()]
    own_systems.register(systems)
    return tuple(system.name for system in systems)


def without_systems(file: Path) -> str:
    """The error for a file without systems."""
    return f'{file} has no systems: write [tool.promo-mypy.systems.mine] with extends = "jax"'
