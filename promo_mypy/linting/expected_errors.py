"""Find the lines of tests in which an error is expected: what fails there is meant to fail."""

import ast
from collections.abc import Iterator
from typing import Final

#: The functions and methods of pytest, unittest and numpy.testing that expect an error or a warning.
_EXPECTING: Final = frozenset(
    {
        "raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "assert_raises",
        "assert_raises_regex", "assert_warns",
    }
)  # fmt: skip


def lines_meant_to_fail(tree: ast.Module | None) -> frozenset[int]:
    """The lines of `with pytest.raises(...)` and of `self.assertRaises(...)`."""
    return frozenset(_lines(tree)) if tree is not None else frozenset()


def _lines(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                is_meant = _expects(node)
            case ast.With() | ast.AsyncWith():
                is_meant = any(_expects(item.context_expr) for item in node.items)
            case _:
                continue
        if is_meant:
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _expects(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in _EXPECTING
    return False
