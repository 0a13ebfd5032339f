"""A file to the user's own promotion systems in it, and their names to every command that takes a system."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from promo_mypy.cli.output import fail
from promo_mypy.config import OWN_FILE, PYPROJECT, TOOL_TABLE
from promo_mypy.rules import lattice_files, own_systems
from promo_mypy.rules.own_systems import OwnSystem
from promo_mypy.rules.systems import SYSTEM_NAMES, system_names, unregister_systems
from promo_mypy.rules.toml_sources import TomlError, source_of

_TABLE: Final = "systems"


def systems_in(file: Path) -> Mapping[str, OwnSystem]:
    """The own systems of a file, whether or not their lattices are lattices.

    They stand in `[tool.promo-mypy.systems]`, in `[systems]` of a promo-mypy.toml, or there is one and its keys are at
    the top. Raises TomlError, OSError.
    """
    source = source_of(file)
    content = tomllib.loads(source.text)
    tool = content.get("tool", {})
    table = tool.get(TOOL_TABLE) if isinstance(tool, dict) else None
    if isinstance(table, dict) and _TABLE in table:
        return lattice_files.read_table(table[_TABLE], source.at("tool", TOOL_TABLE, _TABLE))
    if _TABLE in content:
        return lattice_files.read_table(content[_TABLE], source.at(_TABLE))
    if table is not None or file.name in (PYPROJECT, OWN_FILE):
        return {}
    return lattice_files.read_file(file)


def use_config(file: Path | None) -> Path | None:
    """Let get_system know the systems of the file that `--config` names, and no others so far.

    Exits with status 2 for a fault in it, and for a file without systems.
    """
    unregister_systems()
    if file is not None and not _register(file):
        fail(missing(file))
    return file


def use_folder() -> None:
    """Let get_system know the systems of the current folder, unless it knows those of `--config`.

    Called for a name that no built-in system has: a fault in the file matters to nobody else. Exits with status 2.
    """
    if len(system_names()) > len(SYSTEM_NAMES):
        return
    for file in (Path(PYPROJECT), Path(OWN_FILE)):
        if file.is_file() and _register(file):
            return


def names_in_folder() -> tuple[str, ...]:
    """The names of the systems of the current folder, for completion; none of files that cannot be read."""
    names: list[str] = []
    for file in (Path(PYPROJECT), Path(OWN_FILE)):
        try:
            names += systems_in(file)
        except (TomlError, OSError):
            continue
    return tuple(names)


def missing(file: Path) -> str:
    """What is wrong with a file without systems."""
    return f'{file} has no systems: write [tool.promo-mypy.systems.mine] with extends = "jax"'


def _register(file: Path) -> bool:
    """Whether there are any."""
    try:
        systems = [system.checked() for system in systems_in(file).values()]
    except TomlError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    own_systems.register(systems)
    return bool(systems)
