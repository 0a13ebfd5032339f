"""Find the Python files under some paths."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

_SUFFIXES: Final = (".py", ".pyi")
#: The suffix of notebooks. No import finds them.
NOTEBOOK: Final = ".ipynb"
#: Folders with code that no repository owns. Folders whose names begin with a dot are skipped, too.
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages"})
#: Folders that builds write, unless they are packages.
_BUILT: Final = frozenset({"build", "dist"})


def python_files(paths: Iterable[Path], is_left_out: Callable[[Path], bool], *, notebooks: bool = False) -> list[Path]:
    """The files among some paths, and the Python files in the folders among them; each once, sorted in a folder.

    A file that is named is taken whatever it is called. A stub beside a module of the same name stands for it, and a
    file for the links to it.

    Args:
        paths: files and folders.
        is_left_out: whether a file or folder that is found in a folder is left out.
        notebooks: whether the notebooks in folders count, too.
    """
    suffixes = (*_SUFFIXES, NOTEBOOK) if notebooks else _SUFFIXES
    found: dict[Path, None] = {}
    for path in paths:
        files = _in_folder(path, is_left_out, suffixes) if path.is_dir() else [path]
        found.update(dict.fromkeys(files))
    return list(found)


def searched(paths: Iterable[Path], is_left_out: Callable[[Path], bool]) -> tuple[list[Path], list[Path]]:
    """The folders that `python_files` looks into, and the paths that decide which folders it skips."""
    looked, deciding = [], []
    for path in paths:
        for here, folders, _ in _walked(path, is_left_out):
            looked.append(here)
            named = [name for name in folders if not (name.startswith(".") or name in _SKIPPED)]
            deciding += [here / name / "__init__.py" for name in named if name in _BUILT]
            deciding += [here / name / "pyvenv.cfg" for name in named]
    return looked, deciding


def _in_folder(folder: Path, is_left_out: Callable[[Path], bool], suffixes: tuple[str, ...]) -> Iterator[Path]:
    top = folder.resolve()
    for here, _, files in _walked(folder, is_left_out):
        names = {name for name in files if name.endswith(suffixes) and not name.startswith(".")}
        for name in sorted(names):
            if (name.endswith(".py") and f"{name}i" in names) or is_left_out(here / name):
                continue
            if not ((here / name).is_symlink() and (here / name).resolve().is_relative_to(top)):
                yield here / name


def _walked(folder: Path, is_left_out: Callable[[Path], bool]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Each folder that is looked into, with the names of all folders in it, and of all files."""
    for home, folders, files in os.walk(folder):
        here, every = Path(home), list(folders)
        folders[:] = sorted(name for name in folders if not (_is_skipped(here / name) or is_left_out(here / name)))
        yield here, every, files


def _is_skipped(folder: Path) -> bool:
    return (
        folder.name.startswith(".")
        or folder.name in _SKIPPED
        or (folder.name in _BUILT and not (folder / "__init__.py").is_file())
        or (folder / "pyvenv.cfg").is_file()
    )
