"""Find the Python files under some paths."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from promo_mypy.linting.exclusions import is_excluded

_SUFFIXES: Final = (".py", ".pyi")
#: The suffix of notebooks. No import finds them.
NOTEBOOK: Final = ".ipynb"
#: Folders with code that no repository owns. Folders whose names begin with a dot are skipped, too.
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages"})
#: Folders that builds write, unless they are packages.
_BUILT: Final = frozenset({"build", "dist"})


def python_files(paths: Iterable[Path], exclude: Iterable[str], *, notebooks: bool = False) -> list[Path]:
    """The files among some paths, and the Python files in the folders among them; each once, sorted in a folder.

    `notebooks`: whether those in folders count, too.

    A file that is named is taken whatever it is called. A stub beside a module of the same name stands for it.
    """
    patterns, suffixes = tuple(exclude), (*_SUFFIXES, NOTEBOOK) if notebooks else _SUFFIXES
    found: dict[Path, None] = {}
    for path in paths:
        files = _in_folder(path, patterns, suffixes) if path.is_dir() else [path]
        found.update(dict.fromkeys(files))
    return list(found)


def _in_folder(folder: Path, patterns: tuple[str, ...], suffixes: tuple[str, ...]) -> Iterator[Path]:
    for home, folders, files in os.walk(folder):
        here = Path(home)
        folders[:] = sorted(name for name in folders if not _is_skipped(here / name, patterns))
        names = {name for name in files if name.endswith(suffixes) and not name.startswith(".")}
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
