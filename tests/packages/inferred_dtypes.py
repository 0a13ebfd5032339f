"""Lost errors that need no review: stock mypy takes the dtype and shape of a variable from its first value.

The program annotates no dtype there, so the variable may hold any other array. (`inferred_targets` in CONTRIBUTING)
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from tests.mypy_runs import Message

_OF_ARRAYS: Final = re.compile(
    r'Incompatible types in assignment \(expression has type "ndarray\[([^"]*)\]"'
    r', variable has type "ndarray\[([^"]*)\]"\)'
)


def is_of_stubs_dtypes(message: Message, root: Path) -> bool:
    """Whether an error is about the dtype or shape of an array in an unannotated variable; `root` is above its file."""
    found = _OF_ARRAYS.fullmatch(message.text)
    if found is None or "ndarray" in found[1] + found[2]:
        return False
    tree = _tree(root / message.file)
    targets = set(_targets(tree, message.line))
    return bool(targets) and not targets & set(_annotated(tree))


@lru_cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _targets(tree: ast.Module, line: int) -> Iterator[str]:
    """The names and attributes that the assignment in a line binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or line):
            for target in node.targets:
                yield from filter(None, map(_name, ast.walk(target)))


def _annotated(tree: ast.Module) -> Iterator[str]:
    """The names and attributes that have an annotation anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and (name := _name(node.target)) is not None:
            yield name
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.arg


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
