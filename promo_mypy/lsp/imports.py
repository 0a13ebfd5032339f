"""Find the modules that a file imports."""

import ast
from collections.abc import Iterator
from typing import Final

#: The parts of statements in which other statements are.
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")


def imported_modules(tree: ast.Module | None) -> Iterator[str]:
    """The full names that a file imports, anywhere in it: `a` and `a.b` for `from a import b`, as b may be a module."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")


def _statements(tree: ast.Module | None) -> Iterator[ast.AST]:
    """The statements of a file. `ast.walk` visits every expression, too, and takes ten times as long."""
    waiting: list[ast.AST] = [tree] if tree is not None else []
    while waiting:
        node = waiting.pop()
        yield node
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                waiting += block
