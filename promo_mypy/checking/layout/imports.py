"""Find the file that each import of a repository means, as Python does when it runs the importing file.

A script imports from its own folder, a test from the folders around it, everything from the bases of the repository.
mypy has one module of each name, so it must read some of these imports under other names: see `renamed`.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from promo_mypy.checking.layout.bases import has_init
from promo_mypy.checking.layout.modules import Modules

_FROM: Final = re.compile(
    r"^[ \t]*from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n;]*)",
    re.MULTILINE,
)
_IMPORT: Final = re.compile(r"^[ \t]*import[ \t]+(?P<names>\w[^\n;]*)", re.MULTILINE)
_COMMENT: Final = re.compile(r"#[^\n]*")
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class Import:
    """`from ..module import names` with two dots, or `import module` with None for the names."""

    dots: int
    module: str
    names: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Meant:
    """What an import of a file of the repository means.

    Attributes:
        modules: the module, after the packages around it that `import a.b.c` names.
        parts: imported name -> its module, for the names that are modules.
        paths: the files that are imported.
        is_renamed: whether mypy would look for other names.
    """

    modules: tuple[str, ...]
    parts: dict[str, str]
    paths: tuple[str, ...]
    is_renamed: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """What some files import, directly or not.

    Attributes:
        anew: the files that mypy's cache cannot have: they have no name that a program can write, or import some file
            under another name.
        names: the names under which mypy would look for imported files that have other names.
    """

    anew: frozenset[str]
    names: frozenset[str]


class Imports:
    """The files that imports mean.

    Args:
        modules: the module names of the repository.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules: Final = modules
        self._found = lru_cache(maxsize=None)(self._find)

    def look_again(self) -> None:
        """Look at the disk again."""
        self.modules.look_again()
        self._found.cache_clear()

    def leave_out(self, path: str) -> None:
        """Let no import find a file."""
        self.modules.leave_out(path)
        self._found.cache_clear()

    def meant(self, importer: str, found: Import) -> Meant | None:
        """What an import in a file means.

        None for a module of a library, and for one that is not found.
        """
        path = self._found(os.path.dirname(importer), found)
        if path is None or path == importer:
            return None
        written = self._written(importer, found)
        parts = self._parts(path, found.names or ())
        modules = [self.modules.module(each) for each in self._chain(path, found)]
        renamed = modules[-1] != written or any(
            self.modules.module(part) != f"{written}.{name}" for name, part in parts.items()
        )
        named = {name: self.modules.module(part) for name, part in parts.items()}
        return Meant(tuple(modules), named, (path, *parts.values()), renamed)

    def reached(self, files: Iterable[str], read: Callable[[str], bytes]) -> Reached:
        """What some files import.

        Args:
            files: absolute paths.
            read: the content of a file; raises OSError.
        """
        waiting, seen = list(files), set(files)
        for path in files:
            if any(not (each.module or self._written(path, each)) for each in _imports_of(path, read)):
                self.modules.put_into_package(path)
        anew, names = set[str](), set[str]()
        while waiting:
            path = waiting.pop()
            if self._is_unwritable(path):
                anew.add(path)
            for each, meant in self._imported(path, read):
                if meant.is_renamed:
                    anew.add(path)
                    names.update(_prefixes(self._written(path, each)))
                new = {file for found in meant.paths for file in self._with_packages(found)} - seen
                seen |= new
                waiting += new
        return Reached(frozenset(anew), frozenset(names))

    def _imported(self, path: str, read: Callable[[str], bytes]) -> Iterator[tuple[Import, Meant]]:
        for each in _imports_of(path, read):
            meant = self.meant(path, each)
            if meant is not None:
                yield each, meant

    def unnamed(self, importer: str, content: bytes) -> frozenset[str]:
        """The modules that a file imports, and that mypy does not find by name."""
        found = {
            module
            for _, meant in self._imported(importer, lambda _: content)
            for module in (*meant.modules, *meant.parts.values())
        }
        return frozenset(module for module in found if not isinstance(self.modules.find(module), str))

    def _is_unwritable(self, path: str) -> bool:
        return self.modules.find(self.modules.module(path)) != path

    def _parts(self, path: str, names: Iterable[str]) -> dict[str, str]:
        """The files and folders of those names that are modules of a package."""
        is_package = self.modules.disk.isdir(path) or os.path.basename(path).startswith("__init__.")
        folder = path if self.modules.disk.isdir(path) else os.path.dirname(path)
        found = {name: self._in_folder(folder, (name,)) for name in names} if is_package else {}
        return {name: part for name, part in found.items() if part is not None}

    def _chain(self, path: str, found: Import) -> list[str]:
        """The packages that `import a.b.c` names, and the module."""
        chain = [path]
        for _ in range(found.module.count(".") if found.names is None else 0):
            above = os.path.dirname(chain[0])
            above = os.path.dirname(above) if os.path.basename(chain[0]).startswith("__init__.") else above
            chain.insert(0, self._in_folder(above, ()) or above)
        return chain

    def _written(self, importer: str, found: Import) -> str:
        """The name that mypy looks for."""
        if not found.dots:
            return found.module
        parts = self.modules.module(importer).split(".")
        up = found.dots - os.path.basename(importer).startswith("__init__.")
        return ".".join([*(parts[:-up] if up else parts), *filter(None, [found.module])]) if len(parts) > up else ""

    def _find(self, folder: str, found: Import) -> str | None:
        """The file, or the folder of a package without `__init__.py`, that a file in a folder imports."""
        parts = tuple(found.module.split(".")) if found.module else ()
        if found.dots:
            for _ in range(found.dots - 1):
                folder = os.path.dirname(folder)
            return self._in_folder(folder, parts)
        top = self.modules.find(parts[0])
        if isinstance(top, str) and not self.modules.owns(top):
            return None
        around = list(self._around(folder))
        of_script = self._beside((each for each in around if not has_init(each, self.modules.disk)), parts, found)
        if of_script is not None:
            return of_script
        path = self.modules.find(found.module)
        if isinstance(path, str):
            return path if self.modules.owns(path) else None
        return self._beside((each for each in around if has_init(each, self.modules.disk)), parts, found)

    def _around(self, folder: str) -> Iterator[str]:
        """A folder and those around it that belong to the repository."""
        yield folder
        above = os.path.dirname(folder)
        if above != folder and self.modules.owns(above):
            yield from self._around(above)

    def _beside(self, folders: Iterable[str], parts: tuple[str, ...], found: Import) -> str | None:
        for folder in folders:
            path = self._in_folder(folder, parts)
            # A folder of any name is no package yet: one must be imported from it.
            if path is not None and (not self.modules.disk.isdir(path) or self._parts(path, found.names or ())):
                return path
        return None

    def _in_folder(self, folder: str, parts: tuple[str, ...]) -> str | None:
        """The file of a module, or the folder of a package without `__init__.py`."""
        place = os.path.join(folder, *parts)
        endings = ("/__init__.pyi", "/__init__.py", *((".pyi", ".py") if parts else ()))
        files = (f"{place}{ending}" for ending in endings if self.modules.disk.isfile(f"{place}{ending}"))
        found = next((file for file in files if not self.modules.is_left_out(file)), None)
        return found or (place if self.modules.disk.isdir(place) else None)

    def _with_packages(self, path: str) -> Iterator[str]:
        """A file, and the files of the packages around it, which an import reads, too."""
        if self.modules.disk.isfile(path):
            yield path
        folder = os.path.dirname(path)
        while (package := self._in_folder(folder, ())) is not None and package != folder:
            yield package
            folder = os.path.dirname(folder)


def _imports_of(path: str, read: Callable[[str], bytes]) -> Iterator[Import]:
    try:
        content = read(path)
    except OSError:  # mypy reports the reason
        return
    yield from imports_in(content.decode("utf-8", "replace"))


def imports_in(text: str) -> Iterator[Import]:
    """The imports in a text, found by their form. A text in a string may look like one: more is found, and no less."""
    for found in _FROM.finditer(text):
        yield Import(len(found["dots"]), found["module"], tuple(_names(found["names"].strip("()"))))
    for found in _IMPORT.finditer(text):
        yield from (Import(0, name, None) for name in _names(found["names"]))


def names_in(content: bytes) -> frozenset[str]:
    """The full names that the absolute imports in a text may mean: `a` and `a.b` for `from a import b`."""
    found = [each for each in imports_in(content.decode("utf-8", "replace")) if not each.dots]
    parts = (f"{each.module}.{name}" for each in found for name in each.names or ())
    return frozenset((*(each.module for each in found), *parts))


def _names(text: str) -> Iterator[str]:
    for part in _COMMENT.sub("", text).split(","):
        match = _NAME.match(part.strip())
        if match is not None:
            yield match[0]


def _prefixes(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]
