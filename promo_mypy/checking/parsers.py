"""Files to the parser that tells where their expressions stand.

mypy's native parser (ast_serialize 0.13) miscounts columns in lines with characters outside ASCII. Its other parser is
Python's own `ast`. mypy lets that be chosen for each module, but several files at a time are handed over without their
text, which that parser needs. A file that is not really there is read by mypy itself. (tests/inference/test_places.py)
"""

from typing import Final

from mypy.fscache import FileSystemCache
from mypy.options import Options

from promo_mypy.plugin import mypy_versions


class Files(FileSystemCache):
    """mypy's view of the files, some of which only `ast` parses."""

    def __init__(self) -> None:
        super().__init__()
        self._for_ast: Final[set[str]] = set()

    def leave_to_ast(self, path: str, module: str, options: Options) -> None:
        """Have a module that mypy is going to check parsed by `ast`."""
        self._for_ast.add(path)
        mypy_versions.parse_by_ast(options.per_module_options.setdefault(module, {}))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether there is such a file; `real_only` asks whether a parser could open it."""
        if not real_only:
            return super().exists(path)
        return path not in self._for_ast and super().exists(path, real_only)
