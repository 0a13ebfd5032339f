"""mypy's view of the file system: which parser reads a file, which files an import finds, and other texts of files.

A file is read by the parser that counts the columns of its expressions correctly. mypy's native parser (ast_serialize
0.13) miscounts columns in lines with characters outside ASCII. Its other parser is Python's own `ast`. mypy supports a
parser per module, but passes several files at a time without their text, which that parser needs. mypy itself reads a
file that does not really exist. (tests/program/test_places.py)
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from mypy.fscache import FileSystemCache
from mypy.options import Options
from mypy.util import hash_digest

from promo_mypy.plugin.interface.runs import UNSAVED, mypy_versions


class Names(Protocol):
    """Knows the one name of each file of a repository."""

    def is_hidden(self, path: str, base: str) -> bool:
        """Whether a file or folder that is found from that folder has another name than its place there."""


def _decides(path: str, status: os.stat_result | None) -> bool:
    return status is None or not stat.S_ISREG(status.st_mode) or path.endswith((".py", ".pyi", "py.typed"))


class Files(FileSystemCache):
    """mypy's view of the file system, with some files for `ast` only, and each found under one name.

    Texts of an editor, of standard input or of a notebook take the place of files, for mypy and for the plugin.
    """

    def __init__(self) -> None:
        super().__init__()
        self._for_ast: Final[set[str]] = set()
        self._names: Names | None = None
        self._is_looking = False
        self._contents: Final[dict[str, bytes]] = {}

    def put(self, path: str, content: bytes) -> None:
        """Read this content in place of the file, which need not exist."""
        self._contents[path] = content
        UNSAVED[path] = content.decode("utf-8", "replace")

    def discard(self, path: str) -> None:
        """Read the file again."""
        self._contents.pop(path, None)
        UNSAVED.pop(path, None)

    def discard_all(self) -> None:
        """Read all files again."""
        for path in list(self._contents):
            self.discard(path)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        content = self._contents.get(path)
        return super().read(path) if content is None else content

    def hash_digest(self, path: str) -> str:
        """The digest of the content."""
        content = self._contents.get(path)
        return super().hash_digest(path) if content is None else hash_digest(content)

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """The properties of a file; a text without a file looks like one."""
        found = super().stat_or_none(path)
        content = self._contents.get(path)
        if found is not None or content is None:
            return found
        return os.stat_result((stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(content), 0, 0, 0))

    def told(self) -> Mapping[str, os.stat_result | None]:
        """What mypy was told about every path that it asked for, in this run: None where there was nothing.

        Of a file that is no module mypy asks only whether it is a folder.
        """
        return {path: each for path, each in self.stat_or_none_cache.items() if _decides(path, each)}

    def listed(self) -> list[str]:
        """The folders whose names mypy has read. In those of packages it looks up only what it finds there."""
        return list(self.listdir_cache)

    def find_by_name(self, names: Names) -> None:
        """Let imports find each file under its one name only. mypy stops when it finds a file under two names."""
        self._names = names

    def isfile_case(self, path: str, prefix: str) -> bool:
        """Whether an import finds the file. mypy asks this of nothing else."""
        with self._looking():
            found = super().isfile_case(path, prefix)
        return found and not self._is_hidden(path, prefix)

    def exists_case(self, path: str, prefix: str) -> bool:
        """Whether an import finds the folder. mypy asks this of nothing else, but of the folders around a file, too."""
        if self._is_looking:
            return super().exists_case(path, prefix)
        with self._looking():
            found = super().exists_case(path, prefix)
        return found and not self._is_hidden(path, prefix)

    @contextmanager
    def _looking(self) -> Iterator[None]:
        """mypy remembers what is on disk without the folder that it starts from: nothing is hidden meanwhile."""
        self._is_looking = True
        try:
            yield
        finally:
            self._is_looking = False

    def _is_hidden(self, path: str, prefix: str) -> bool:
        return self._names is not None and self._names.is_hidden(path, prefix)

    def leave_to_ast(self, path: str, module: str, options: Options) -> None:
        """Let `ast` parse a module that mypy is going to check."""
        self._for_ast.add(path)
        mypy_versions.parse_by_ast(options.per_module_options.setdefault(module, {}))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether the file exists; `real_only`: whether a parser could open it."""
        if not real_only:
            return super().exists(path)
        return path not in self._for_ast and path not in self._contents and super().exists(path, real_only)
