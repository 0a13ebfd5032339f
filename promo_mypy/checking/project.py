"""Find the file with the options of a repository, and read those of the check."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from promo_mypy.checking.repository_folders import ROOT, folders_around
from promo_mypy.config import Config
from promo_mypy.config.check_options import CheckOptions
from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT


@dataclass(frozen=True, slots=True)
class Project:
    """The options of a repository.

    Attributes:
        file: the file that has them, or beside which they stand; None for a repository without options.
        options: the options of the check.
    """

    file: Path | None
    options: CheckOptions

    @property
    def home(self) -> Path:
        """The folder that paths in the options are relative to."""
        return self.file.parent if self.file is not None else Path()

    def paths(self, given: Sequence[Path]) -> tuple[Path, ...]:
        """The paths that are given, or those of the options, or the current folder."""
        if given:
            return tuple(given)
        return tuple(_shown(self.home / path) for path in self.options.paths) or (Path(),)

    def path(self, given: Path | None, configured: str | None) -> Path | None:
        """A path that is given, or one of the options."""
        return given if given is not None or configured is None else _shown(self.home / configured)


def project_of(folder: Path, named: Path | None) -> Project:
    """The options in a file that is named, or in the nearest folder that has some; the repository's root is the last.

    Raises:
        ConfigError: they are invalid.
    """
    file = named if named is not None else _nearest(folder)
    return Project(file, Config.load(str(file)).check if file is not None else CheckOptions())


def option_files(folder: Path, named: Path | None) -> tuple[Path, ...]:
    """The paths, present or absent, that decide which file has the options."""
    if named is not None:
        return (named, named.with_name(OWN_FILE))
    homes = list(folders_around(folder))
    nearest = next((place for place, home in enumerate(homes) if _has_options(home)), len(homes))
    return tuple(home / name for home in homes[: nearest + 1] for name in (PYPROJECT, OWN_FILE, ROOT))


def _nearest(folder: Path) -> Path | None:
    return next((home / PYPROJECT for home in folders_around(folder) if _has_options(home)), None)


def _has_options(home: Path) -> bool:
    return (home / PYPROJECT).is_file() or (home / OWN_FILE).is_file()


def _shown(path: Path) -> Path:
    """A path relative to the current folder, if it is below it."""
    here = Path.cwd()
    resolved = path.resolve()
    return resolved.relative_to(here) if resolved.is_relative_to(here) else path
