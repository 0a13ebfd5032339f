"""Find the test files whose results depend on the libraries that are installed.

They ask `tests/needed.py`, or import what asks it. All others give the same result in every environment with `.[test]`.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_ASKED: Final = "tests.needed"


@cache
def asking() -> frozenset[Path]:
    """The files below `tests`, as absolute paths."""
    files = {".".join(file.relative_to(ROOT).with_suffix("").parts): file for file in ROOT.glob("tests/**/*.py")}
    return frozenset(files[module] for module in importers(_ASKED, {name: _imports(files[name]) for name in files}))


def importers(name: str, imports: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The modules that import a module, or one that imports it, and so on. `imports`: module -> what it imports."""
    found = {module for module, names in imports.items() if name in names}
    while more := {module for module, names in imports.items() if names & found} - found:
        found |= more
    return frozenset(found)


def _imports(file: Path) -> frozenset[str]:
    return frozenset(_imported(ast.parse(file.read_text(encoding="utf-8"))))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Modules, and what is imported from them, which may be modules."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module, *(f"{module}.{each.name}" for each in names))
