"""Read which names an import binds."""

import ast
from collections.abc import Iterator


def imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that an import of a module, or from a module of another package, binds, and its full name."""
    match node:
        case ast.Import(names=names):
            for each in names:
                top = each.name.partition(".")[0]
                yield (each.asname, each.name) if each.asname else (top, top)
        case ast.ImportFrom(module=str(module), level=0, names=names):
            yield from ((each.asname or each.name, f"{module}.{each.name}") for each in names)
