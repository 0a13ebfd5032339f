"""The facts that a run of mypy was computed from: see `promo_mypy.checking.kept`."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mypy.modulefinder import get_search_dirs

from promo_mypy.checking.kept.facts import Facts, Listing, gathered
from promo_mypy.checking.kept.questions import loaded_code
from promo_mypy.checking.kept.stamps import is_younger, status_of
from promo_mypy.checking.runs import Request

#: Where the configuration of a virtual environment is, from its interpreter.
_ENVIRONMENTS: Final = ("pyvenv.cfg", "../pyvenv.cfg")


@dataclass(frozen=True, slots=True)
class Watch:
    """A run from its beginning: create it before anything is read.

    Attributes:
        started: when it began, in nanoseconds.
    """

    started: int = field(default_factory=time.time_ns)

    def facts(
        self,
        request: Request,
        others: Iterable[Path],
        *,
        variables: Iterable[str] = (),
        earlier: Facts | None = None,
    ) -> Facts | None:
        """The facts of the run; None if files changed in the meantime.

        Args:
            request: what mypy was asked, finished.
            others: further files that decided, present or absent. They were read after the beginning.
            variables: the names of variables of the environment that decided.
            earlier: the facts of an earlier run.
        """
        told = dict(request.file_system.told())
        paths = [*map(str, others), *request.files, *loaded_code(tuple(request.options.plugins))]
        listings = dict.fromkeys((folder, Listing.IMPORTS) for folder in request.file_system.listed())
        listings.update(dict.fromkeys((folder, Listing.PROGRAM) for folder in _folders(request)))
        executable = request.options.python_executable
        if executable is not None:
            folders = dict.fromkeys(folder for found in get_search_dirs(executable) for folder in found)
            listings.update(dict.fromkeys((folder, Listing.PATHS) for folder in folders))
            paths += [executable, *_interpreter_files(Path(executable), folders)]
        for path in dict.fromkeys(paths):
            if is_younger(told.setdefault(path, status_of(path)), self.started):
                return None
        return gathered(told, listings, variables, self.started, earlier)


def _folders(request: Request) -> Iterator[str]:
    """The folders in which modules of the program are, and those between them and the current folder."""
    here = Path.cwd()
    seen: set[Path] = set()
    for source in request.sources:
        for folder in Path(str(source.path)).absolute().parents:
            if folder in seen:
                break
            seen.add(folder)
            yield str(folder)
            if folder == here or not folder.is_relative_to(here):
                break
    if here not in seen:
        yield str(here)


def _interpreter_files(executable: Path, folders: Iterable[str]) -> Iterator[str]:
    yield from (str(executable.parent / place) for place in _ENVIRONMENTS)
    for folder in folders:
        yield from map(str, Path(folder).glob("*.pth"))
