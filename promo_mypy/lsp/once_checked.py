"""Walk through the parts of a file that mypy checks once. What it checks again may have another dtype each time."""

import ast
from collections.abc import Iterator


def once_checked(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, outer ones first, without what is in a lambda or in the body of a `finally`."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            for name, value in ast.iter_fields(node):
                children = value if isinstance(value, list) else [value]
                if name != "finalbody":
                    waiting += [child for child in children if isinstance(child, ast.AST)]
