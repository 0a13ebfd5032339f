"""Give each file of a repository one module name, which depends on its place alone.

The name is the one under which the programs of the repository can import the file, if there is one. Other files get
a name that no program can write: a second file of one name, a file called like a standard module, a file in a folder
`torch` without `__init__.py` beside an installed PyTorch. An import finds each file under its one name: mypy stops
when it finds a file under two.
"""

import os
from collections.abc import Iterable, Iterator, Set
from functools import cache
from typing import Final

from mypy.build import default_data_dir
from mypy.fscache import FileSystemCache
from mypy.modulefinder import (
    FindModuleCache,
    ModuleSearchResult,
    compute_search_paths,
    get_search_dirs,
    load_stdlib_py_versions,
    mypy_path,
)
from mypy.options import Options

from promo_mypy.checking.layout.bases import bases, has_init
from promo_mypy.checking.python_files import NOTEBOOK

#: What follows the first part of a name that no program can write.
_UNWRITABLE: Final = "-file"
_STUBS: Final = "-stubs"


@cache
def standard_modules() -> frozenset[str]:
    """The modules of the newest Python whose types mypy brings. The libraries import them: no file replaces one."""
    return frozenset(module for module, (_, last) in load_stdlib_py_versions(None).items() if last is None)


class Modules:
    """The module names of the files in a repository.

    Args:
        folder: a folder of the repository, as an absolute path.
        files: the files that will be checked, as absolute paths; they may be outside of it.
        options: mypy's options. Their search path gets the folders of the repository in which names begin.
        disk: through which mypy looks for files.
    """

    def __init__(self, folder: str, files: Iterable[str], options: Options, disk: FileSystemCache) -> None:
        named = [*mypy_path(), *options.mypy_path]  # mypy reads the variable MYPYPATH for itself
        found = dict.fromkeys((*map(os.path.abspath, named), *bases(folder, disk)))
        for file in files:
            if not _depth(file, found):
                found |= dict.fromkeys(bases(os.path.dirname(file), disk))
        self.bases: Final = tuple(found)
        sites = get_search_dirs(options.python_executable)[1]
        options.mypy_path = [each for each in self.bases if not _depth(each, sites)]
        self._options: Final = options
        self.disk: Final = disk
        self._own: Final = frozenset((*self.bases, os.getcwd()))
        self._left_out: Final[set[str]] = set()
        self.look_again()

    def look_again(self) -> None:
        """Look at the disk again."""
        paths = compute_search_paths([], self._options, default_data_dir())
        self._libraries = (*paths.package_path, *paths.typeshed_path)
        self._finder = FindModuleCache(paths, _Standard(self._own, self._left_out, self.disk), self._options)
        self._modules: dict[str, str] = {}
        self._owned: dict[str, bool] = {}

    def leave_out(self, path: str) -> None:
        """Let no import find a file."""
        self._left_out.add(path)
        self.look_again()

    def put_into_package(self, path: str) -> None:
        """Give a file a name with a package before it: mypy stops at `from . import name` in any other."""
        if "." not in self.module(path):
            self._modules[path] = self._unwritable(path)

    def is_left_out(self, path: str) -> bool:
        """Whether no import finds a file."""
        return path in self._left_out

    def module(self, path: str) -> str:
        """The name of a file or folder, given as an absolute path."""
        found = self._modules.get(path)
        if found is None:
            names = (name for name in self._writable(path) if self._means(name, path))
            found = self._modules[path] = next(names, None) or self._unwritable(path)
        return found

    def known_as(self, path: str) -> str:
        """The name that the user knows: the shortest one, whether or not it means another file, too."""
        folder, parts = _split(path.removesuffix(NOTEBOOK))
        while folder not in self._own or has_init(folder, self.disk):
            above, name = os.path.split(folder)
            if not name.isidentifier() or above == folder:
                break
            parts = [name, *parts]
            folder = above
        return ".".join(parts)

    def find(self, name: str) -> ModuleSearchResult:
        """The file or folder that an import of this name finds, in the repository or among the libraries."""
        return self._finder.find_module(name, fast_path=True)

    def owns(self, path: str) -> bool:
        """Whether a file belongs to the repository and not to a library."""
        found = self._owned.get(path)
        if found is None:
            found = self._owned[path] = 0 < _depth(path, self._own) >= _depth(path, self._libraries)
        return found

    def owns_module(self, name: str) -> bool:
        """Whether an import of this name finds a file of the repository."""
        found = self.find(name)
        return isinstance(found, str) and self.owns(found)

    def is_hidden(self, path: str, base: str) -> bool:
        """Whether a file or folder that is found from that folder has another name than its place there."""
        if base not in self._own or path == base:
            return False
        if path in self._left_out:
            return True
        folder, parts = _split(path)
        if folder != base:
            parts = [*os.path.relpath(folder, base).split(os.sep), *parts]
        return self.module(path) not in (".".join(parts), ".".join([parts[0].removesuffix(_STUBS), *parts[1:]]))

    def _writable(self, path: str) -> Iterator[str]:
        """The names that a file or folder may have, shorter ones first."""
        folder, (stem,) = _split(path)
        if "." in stem:
            return
        for prefix in self._prefixes(folder):
            if stem.endswith(_STUBS) and not prefix:
                yield stem.removesuffix(_STUBS)
            yield f"{prefix}{stem}"

    def _prefixes(self, folder: str) -> Iterator[str]:
        """What the names in a folder begin with."""
        if folder in self._own and not has_init(folder, self.disk):
            yield ""
        if _depth(os.path.dirname(folder), self.bases):
            yield f"{self.module(folder)}."

    def _means(self, name: str, path: str) -> bool:
        found = self.find(name)
        if found == path:
            return True
        if not isinstance(found, str) or not self.disk.isdir(path):
            return False
        # Several folders without __init__.py are one package.
        return os.path.dirname(found) == path or (self.disk.isdir(found) and not has_init(path, self.disk))

    def _unwritable(self, path: str) -> str:
        around = [base for base in self.bases if _depth(path, (base,))]
        root = min(around, key=len, default=os.path.dirname(path))
        folder, parts = _split(path)
        if folder != root:
            parts = [*os.path.relpath(folder, root).split(os.sep), *parts]
        first = f"{os.path.basename(root) or 'root'}{_UNWRITABLE}"
        parts = [part.replace(".", ",") for part in (first, *parts)]
        return ".".join(parts) + ("-stub" if path.endswith(".pyi") else "")


class _Standard(FileSystemCache):
    """mypy's view of the file system, in which no file of the repository replaces a standard module."""

    def __init__(self, own: frozenset[str], left_out: Set[str], disk: FileSystemCache) -> None:
        super().__init__()
        self._own, self._left_out, self._disk = own, left_out, disk

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """The properties of a file."""
        return self._disk.stat_or_none(path)

    def listdir(self, path: str) -> list[str]:
        """The names in a folder. Raises OSError."""
        return self._disk.listdir(path)

    def isfile_case(self, path: str, prefix: str) -> bool:
        """Whether an import finds the file."""
        if path in self._left_out:
            return False
        if prefix in self._own:
            first = path[len(prefix) :].lstrip(os.sep).partition(os.sep)[0].partition(".")[0]
            if first in standard_modules():
                return False
        return super().isfile_case(path, prefix)


def _split(path: str) -> tuple[str, list[str]]:
    """The folder in which a module is, and the last part of its name."""
    folder, name = os.path.split(path)
    if name.endswith((".pyi", ".py")) and not os.path.isdir(path):
        name = name.rpartition(".")[0]
        if name == "__init__":
            folder, name = os.path.split(folder)
    return folder, [name]


def _depth(path: str, folders: Iterable[str]) -> int:
    """The length of the longest of some folders that a path is or is below; 0 for other paths."""
    around = (each for each in folders if path == each or path.startswith(each.rstrip(os.sep) + os.sep))
    return max(map(len, around), default=0)
