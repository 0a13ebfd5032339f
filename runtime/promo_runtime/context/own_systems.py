"""A file with promotion systems of the user's own to their names, which every function here then takes."""

from os import PathLike
from pathlib import Path

from promo_mypy.rules.lattices.system_files import register_file, without_systems
from promo_mypy.rules.lattices.toml_sources import TomlError


def register_systems(file: str | PathLike[str]) -> tuple[str, ...]:
    """Make the promotion systems of a TOML file known by their names, and return these.

    The file is one that the plugin reads: a `pyproject.toml` or `promo-mypy.toml` with a table of systems, or a file
    with the keys of one system, which then has the file's name. They are known in the whole process; another file
    replaces those of the same names, and arrays keep the system that they were made with.

    Raises TomlError, a ValueError that names file, line and key, for a fault in it, for a lattice that is none and for
    a file without systems; OSError if it cannot be read.
    """
    names = register_file(Path(file))
    if not names:
        raise TomlError(without_systems(Path(file)))
    return names
