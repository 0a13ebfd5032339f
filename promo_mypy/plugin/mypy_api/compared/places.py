"""The places of nodes as mypy reports them."""

from mypy.nodes import Node

#: Line, column, end line and end column.
Place = tuple[int, int, int, int]


def place_of(node: Node) -> Place:
    """The place of a node, completed as mypy does."""
    end_line = max(node.line, node.end_line or node.line)
    end_column = node.column + 1 if node.end_column is None else node.end_column
    if end_line == node.line:
        end_column = max(end_column, node.column + 1)
    return node.line, node.column, end_line, end_column


def start_of(node: Node) -> Place:
    """The first character of a node."""
    return node.line, node.column, node.line, node.column + 1
