"""mypy's view of the file system: which parser reads a file, and which files no import finds.

A file is read by the parser that counts the columns of its expressions correctly. mypy's native parser (ast_serialize
0.13) miscounts columns in lines with characters outside ASCII. Its other parser is Python's own `ast`. mypy supports a
parser per module, but passes several files at a time without their text, which that parser needs. mypy itself reads a
file that does not really exist. (tests/inference/test_places.py)
"""

import os
from typing import Final

from mypy.fscache import FileSystemCache
from mypy.options import Options

from promo_mypy.plugin import mypy_versions


class Files(FileSystemCache):
    """mypy's view of the file system, with some files for `ast` only, and some that no import finds."""

    def __init__(self) -> None:
        super().__init__()
        self._for_ast: Final[set[str]] = set()
        self._hidden: Final[set[str]] = set()

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
        return path not in self._for_ast and super().exists(path, real_only)
