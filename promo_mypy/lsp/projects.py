"""Find what to check in a folder: its options, as `promo-mypy check` reads them, and the settings of the editor."""

import sys
from dataclasses import dataclass
from pathlib import Path

from promo_mypy.checking.kept import cache_folder
from promo_mypy.checking.project import Project, option_files, project_of
from promo_mypy.linting.environment import in_environment
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.lsp.settings import Settings
from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT

#: The files with options.
OPTION_FILES = (PYPROJECT, OWN_FILE)


@dataclass(frozen=True, slots=True)
class FolderCheck:
    """The check of a folder, its baseline if there is one, and when the files with options were written."""

    request: LintRequest
    baseline: Path | None
    stamps: tuple[int, ...]


def check_of(folder: Path, settings: Settings) -> FolderCheck:
    """The check of a folder.

    Raises:
        ConfigError: its options are invalid.
    """
    stamps = option_stamps(folder)
    project = project_of(folder, None)
    options = project.options
    python = _path(project, settings.python, options.python)
    cache = _path(project, None, options.cache_dir) or cache_folder.beside(project.home if project.file else folder)
    request = LintRequest(
        paths=(),
        exclude=options.exclude,
        python=in_environment(python) if python is not None else None,
        cache=cache_folder.usable(cache.resolve(), _note),
        selection=Selection(settings.select, settings.ignore),
        respect_type_ignore=options.respect_type_ignore,
        pyproject=project.file,
    )
    return FolderCheck(request, _path(project, None, options.baseline), stamps)


def option_stamps(folder: Path) -> tuple[int, ...]:
    """When the files that decide on the options of a folder were written; 0 for one that is not there."""
    return tuple(map(_stamp, option_files(folder, None)))


def root_of(file: Path) -> Path:
    """The folder of a file that is in no folder of the editor: the nearest one with options, or its own."""
    named = (home for home in file.parents if any((home / name).is_file() for name in OPTION_FILES))
    return next(named, file.parent)


def _note(text: str) -> None:
    """Editors show what a server writes to stderr in its log."""
    sys.stderr.write(f"promo-mypy: {text}\n")


def _path(project: Project, given: Path | None, configured: str | None) -> Path | None:
    path = project.path(given, configured)
    return path.absolute() if path is not None else None


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
