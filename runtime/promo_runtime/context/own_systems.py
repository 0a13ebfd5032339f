"""Register user-defined promotion systems from a file."""

from os import PathLike
from pathlib import Path

from promo_mypy.rules.lattices.system_files import register_file, without_systems
from promo_mypy.rules.lattices.toml_sources import TomlError


def register_systems(file: str | PathLike[str]) -> tuple[str, ...]:
    """Register the promotion systems of a TOML file, and return their names.

    The file has the form that the plugin reads: a `pyproject.toml` or `promo-mypy.toml` with a table of systems, or a
    file with the keys of one system, which is named after the file. The systems are registered for the whole process.
    Another file replaces systems of the same names. Existing arrays keep their system.

    Raises TomlError, a ValueError that names file, line and key, for a fault in it, for a system that is not a lattice
    and for a file without systems; OSError if it cannot be read.
    """
    names = register_file(Path(file))
    if not names:
        raise TomlError(without_systems(Path(file)))
    return names
