"""Find the lines of a program that belong together."""

import ast


def statement_around(text: str, line: int) -> range:
    """The lines of the innermost statement that has the line."""
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return min(spans, key=len)
