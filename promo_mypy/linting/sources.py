"""Give each file a module name under which mypy checks it.

mypy stops for names that a repository may well have: two files called `conftest.py`, a script called `random.py`, a
package in a folder whose name is no identifier. Such a file gets a name of its own here, which nothing imports.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mypy.find_sources import InvalidSourceList, SourceFinder
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, load_stdlib_py_versions
from mypy.options import Options

from promo_mypy.linting.python_files import NOTEBOOK


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
        is_free = name not in taken and name.partition(".")[0] not in standard and file.suffix != NOTEBOOK
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
        return finder.crawl_up(str(file.with_suffix(".py") if file.suffix == NOTEBOOK else file))
    except InvalidSourceList:
        return file.stem, str(file.absolute().parent)


def _name_of_its_own(file: Path, taken: set[str]) -> str:
    stem = re.sub(r"\W", "_", "_".join(file.with_suffix("").parts)).strip("_") or "module"
    name, number = f"{stem}_file", 1
    while name in taken:
        number += 1
        name = f"{stem}_file_{number}"
    return name
