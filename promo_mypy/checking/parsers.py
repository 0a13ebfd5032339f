"""mypy's view of the file system: which parser reads a file, which files no import finds, and other texts of files.

A file is read by the parser that counts the columns of its expressions correctly. mypy's native parser (ast_serialize
0.13) miscounts columns in lines with characters outside ASCII. Its other parser is Python's own `ast`. mypy supports a
parser per module, but passes several files at a time without their text, which that parser needs. mypy itself reads a
file that does not really exist. (tests/inference/test_places.py)
"""

import os
import stat
from collections.abc import Mapping
from typing import Final

from mypy.fscache import FileSystemCache
from mypy.options import Options
from mypy.util import hash_digest

from promo_mypy.plugin import mypy_versions
from promo_mypy.plugin.trees.file_texts import UNSAVED


class Files(FileSystemCache):
    """mypy's view of the file system, with some files for `ast` only, and some that no import finds.

    Texts of an editor, of standard input or of a notebook take the place of files, for mypy and for the plugin.
    """

    def __init__(self) -> None:
        super().__init__()
        self._for_ast: Final[set[str]] = set()
        self._hidden: Final[set[str]] = set()
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
        """What mypy was told about every path that it asked for, in this run: None where there was nothing."""
        return dict(self.stat_or_none_cache)

    def listed(self) -> list[str]:
        """The folders whose names mypy has read. In those of packages it looks up only what it finds there."""
        return list(self.listdir_cache)

    def hide(self, path: str) -> None:
        """Let no import find a file. mypy checks it under a name that is not the one of its place."""
        self._hidden.add(os.path.abspath(path))  # noqa: PTH100 -- as mypy makes paths absolute

    def isfile_case(self, path: str, prefix: str) -> bool:
        """Whether an import finds the file. mypy asks this of nothing else."""
        return path not in self._hidden and super().isfile_case(path, prefix)

    def leave_to_ast(self, path: str, module: str, options: Options) -> None:
        """Let `ast` parse a module that mypy is going to check."""
        self._for_ast.add(path)
        mypy_versions.parse_by_ast(options.per_module_options.setdefault(module, {}))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether the file exists; `real_only`: whether a parser could open it."""
        if not real_only:
            return super().exists(path)
        return path not in self._for_ast and path not in self._contents and super().exists(path, real_only)
