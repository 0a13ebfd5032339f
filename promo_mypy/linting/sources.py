"""Find the Python files under some paths, and give each a module name under which mypy checks it.

mypy stops for names that a repository may well have: two files called `conftest.py`, a script called `random.py`, a
package in a folder whose name is no identifier. Such a file gets a name of its own here, which nothing imports.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from mypy.find_sources import InvalidSourceList, SourceFinder
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, load_stdlib_py_versions
from mypy.options import Options

from promo_mypy.linting.exclusions import is_excluded

_SUFFIXES: Final = (".py", ".pyi")
#: Folders with code that no repository owns. Folders whose names begin with a dot are skipped, too.
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages"})
#: Folders that builds write, unless they are packages.
_BUILT: Final = frozenset({"build", "dist"})


def python_files(paths: Iterable[Path], exclude: Iterable[str]) -> list[Path]:
    """The files among some paths, and the Python files in the folders among them; each once, sorted in a folder.

    A file that is named is taken whatever it is called. A stub beside a module of the same name stands for it.
    """
    patterns = tuple(exclude)
    found: dict[Path, None] = {}
    for path in paths:
        files = _in_folder(path, patterns) if path.is_dir() else [path]
        found.update(dict.fromkeys(files))
    return list(found)


def _in_folder(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    for home, folders, files in os.walk(folder):
        here = Path(home)
        folders[:] = sorted(name for name in folders if not _is_skipped(here / name, patterns))
        names = {name for name in files if name.endswith(_SUFFIXES) and not name.startswith(".")}
        for name in sorted(names):
            if not (name.endswith(".py") and f"{name}i" in names) and not is_excluded(here / name, patterns):
                yield here / name


def _is_skipped(folder: Path, patterns: tuple[str, ...]) -> bool:
    return (
        folder.name.startswith(".")
        or folder.name in _SKIPPED
        or (folder.name in _BUILT and not (folder / "__init__.py").is_file())
        or (folder / "pyvenv.cfg").is_file()
        or is_excluded(folder, patterns)
    )


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A file under the module name that it has in the run, and the name that imports and options have for it."""

    source: BuildSource
    name: str


def named_sources(
    files: Iterable[Path], file_system: FileSystemCache, options: Options, others: Iterable[str] = ()
) -> tuple[NamedSource, ...]:
    """The files with their module names, each name once, and none that the modules of other files have."""
    finder = SourceFinder(file_system, options)
    taken, standard = set(others), _standard_modules()
    sources = []
    for file in files:
        name, base = _name(finder, file)
        is_free = name not in taken and name.partition(".")[0] not in standard
        module = name if is_free else _name_of_its_own(file, taken)
        taken.add(module)
        sources.append(NamedSource(BuildSource(str(file), module, None, base), name))
    return tuple(sources)


@cache
def _standard_modules() -> frozenset[str]:
    """The modules of the newest Python whose types mypy brings. The libraries import them: no file replaces one."""
    return frozenset(module for module, (_, last) in load_stdlib_py_versions(None).items() if last is None)


def _name(finder: SourceFinder, file: Path) -> tuple[str, str]:
    try:
        return finder.crawl_up(str(file))
    except InvalidSourceList:
        return file.stem, str(file.absolute().parent)


def _name_of_its_own(file: Path, taken: set[str]) -> str:
    stem = re.sub(r"\W", "_", "_".join(file.with_suffix("").parts)).strip("_") or "module"
    name, number = f"{stem}_file", 1
    while name in taken:
        number += 1
        name = f"{stem}_file_{number}"
    return name
