"""Find the modules that a file imports."""

import ast
from collections.abc import Iterator


def imported_modules(tree: ast.Module | None) -> Iterator[str]:
    """The full names that a file imports, anywhere in it: `a` and `a.b` for `from a import b`, as b may be a module."""
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")
