"""Find the folders of a repository in which the names of modules begin.

These are its root, the roots of the projects in it, folders such as `src` beside them, those that `pyproject.toml` and
`setup.cfg` name, and the folders around packages. Only names of files are read, and the two files of options.
"""

import configparser
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mypy.fscache import FileSystemCache

from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT

#: The files that the root of a project has.
_PROJECT_FILES: Final = (PYPROJECT, OWN_FILE, "setup.py", "setup.cfg")
#: Folders in which a project keeps its packages.
_SOURCES: Final = ("src", "python", "lib")
#: Keys of `pyproject.toml` whose value is a folder, several of them, or a table from packages to folders.
_FOLDERS: Final = (
    "tool.mypy.mypy_path",
    "tool.pyright.extraPaths",
    "tool.ruff.src",
    "tool.pytest.ini_options.pythonpath",
    "tool.setuptools.package-dir",
    "tool.setuptools.packages.find.where",
    "tool.hatch.build.dev-mode-dirs",
    "tool.pdm.build.package-dir",
    "tool.maturin.python-source",
    "tool.uv.build-backend.module-root",
)
#: Keys whose values are packages: the folder around each counts.
_PACKAGES: Final = ("tool.hatch.build.targets.wheel.packages",)
#: Names that are no folders of code.
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "site-packages"})
_FILES: Final = (".py", ".pyi", ".pyc", ".so", ".md", ".txt", ".json", ".csv", ".png", ".jpg", ".npy", ".npz")
#: A folder with more entries contains data.
_MOST_ENTRIES: Final = 2000


def bases(folder: str, disk: FileSystemCache) -> tuple[str, ...]:
    """The folders around and below a folder in which names begin; the root of the repository first.

    Without a repository or project around it, the folder itself is the root.

    Args:
        folder: an absolute path.
        disk: through which everything is looked up, so that mypy's caches know of it.
    """
    projects = _projects_around(folder, disk)
    root = projects[-1]
    below = list(_folders(root, 2, disk))
    projects += [each for each in below if _is_project(each, disk)]
    of_projects = (base for project in projects for base in _bases_of(project))
    found = dict.fromkeys(path for each in (root, *of_projects) if disk.isdir(path := os.path.normpath(each)))
    # A folder in `src` is a package without `__init__.py`. Another one may have programs, and packages beside them.
    beside = (each for each in below if next(above for above in _above(each) if above in found) in projects)
    return tuple(dict.fromkeys((*found, *(each for each in beside if _has_packages(each, disk)))))


def has_init(folder: str, disk: FileSystemCache) -> bool:
    """Whether a folder is a package with a file that says so."""
    return any(disk.isfile(os.path.join(folder, f"__init__{suffix}")) for suffix in (".py", ".pyi"))


def _projects_around(folder: str, disk: FileSystemCache) -> list[str]:
    """The projects around a folder, nearest first; the last one is the root of the repository, if there is one."""
    found = []
    for each in (folder, *_above(folder)):
        is_repository = disk.exists(os.path.join(each, ".git"))
        if is_repository or _is_project(each, disk):
            found.append(each)
        if is_repository:
            return found
    return found[:1] or [folder]


def _above(folder: str) -> Iterator[str]:
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above


def _is_project(folder: str, disk: FileSystemCache) -> bool:
    return any(disk.isfile(os.path.join(folder, name)) for name in _PROJECT_FILES)


def _folders(folder: str, depth: int, disk: FileSystemCache) -> Iterator[str]:
    """The folders below a folder that may have code, as deep as that, in the order of their names."""
    try:
        names = sorted(disk.listdir(folder)) if depth else []
    except OSError:
        return
    for name in names[:_MOST_ENTRIES]:
        if name.startswith(".") or name in _SKIPPED or name.endswith(_FILES):
            continue
        below = os.path.join(folder, name)
        if disk.isdir(below) and not os.path.islink(below) and not disk.isfile(os.path.join(below, "pyvenv.cfg")):
            yield below
            yield from _folders(below, depth - 1, disk)


def _has_packages(folder: str, disk: FileSystemCache) -> bool:
    return not has_init(folder, disk) and any(has_init(each, disk) for each in _folders(folder, 1, disk))


def _bases_of(project: str) -> Iterator[str]:
    names = (*_SOURCES, *_named_in_toml(Path(project)), *_named_in_cfg(Path(project)))
    return (os.path.join(project, name) for name in ("", *names))


def _named_in_toml(project: Path) -> Iterator[str]:
    try:
        content = tomllib.loads((project / PYPROJECT).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # whoever needs the options reports what is wrong with them
        return
    for key in _FOLDERS:
        yield from (text.replace("$MYPY_CONFIG_FILE_DIR", str(project)) for text in _texts(_value(content, key)))
    for key in _PACKAGES:
        yield from (os.path.dirname(text.rstrip("/")) for text in _texts(_value(content, key)))
    packages = _value(content, "tool.poetry.packages")
    for each in packages if isinstance(packages, list) else ():
        yield from _texts(each.get("from") if isinstance(each, dict) else None)


def _named_in_cfg(project: Path) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(project / "setup.cfg", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield from filter(None, [line.partition("=")[2].strip()])
    yield from parser.get("options.packages.find", "where", fallback="").split()


def _value(content: Mapping[str, Any], key: str) -> object:
    found: object = content
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _texts(value: object) -> Iterable[str]:
    """The folders in a value: a text with commas or colons, a list, or a table."""
    match value:
        case str():
            return [text for text in re.split(r"[,:]", value) if text.strip()]
        case list():
            return [text for text in value if isinstance(text, str)]
        case dict():
            return [text for text in value.values() if isinstance(text, str)]
        case _:
            return ()
