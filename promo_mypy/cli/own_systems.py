"""Make the user's own promotion systems available to every command that takes a system."""

from pathlib import Path

from promo_mypy.cli.output import fail
from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT
from promo_mypy.rules.lattices.system_files import register_file, systems_in, without_systems
from promo_mypy.rules.lattices.toml_sources import TomlError
from promo_mypy.rules.systems import SYSTEM_NAMES, system_names, unregister_systems


def use_config(file: Path | None) -> Path | None:
    """Register the systems of the file that `--config` names, and no others.

    Exits with status 2 for a fault in it, and for a file without systems.
    """
    unregister_systems()
    if file is not None and not _register(file):
        fail(without_systems(file))
    return file


def use_folder() -> None:
    """Register the systems of the current folder, unless `--config` is given.

    Called for a name without a built-in system, so that a fault in the file affects no other command. Exits with status
    2.
    """
    if len(system_names()) > len(SYSTEM_NAMES):
        return
    for file in (Path(PYPROJECT), Path(OWN_FILE)):
        if file.is_file() and _register(file):
            return


def names_in_folder() -> tuple[str, ...]:
    """The names of the systems of the current folder, for completion; unreadable files are ignored."""
    names: list[str] = []
    for file in (Path(PYPROJECT), Path(OWN_FILE)):
        try:
            names += systems_in(file)
        except (TomlError, OSError):
            continue
    return tuple(names)


def _register(file: Path) -> bool:
    """Register the systems; return whether there are any."""
    try:
        return bool(register_file(file))
    except TomlError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
