"""Find the functions of a module's source as a profile names them: by name and by a digest of their bodies.

The digest leaves out annotations, so that a profile stays valid when a function is annotated.
"""

import ast
from collections.abc import Iterator, Sequence

from promo_mypy.rules.profiles import Function, source_digest
from promo_mypy.rules.records import record

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@record
class RecordedFunction:
    """A function of a source file.

    Attributes:
        node: its definition.
        function: its name and digest.
        first: the line from which the lines of its places count.
    """

    node: Definition
    function: Function
    first: int


def recorded_function(node: Definition, classes: Sequence[str], lines: Sequence[str]) -> RecordedFunction:
    """A definition inside these classes."""
    start = node.body[0].lineno
    header = [node.lineno, *(_end(each) for each in ast.iter_child_nodes(node.args)), _end(node.returns)]
    first = node.lineno if max(header) >= start else start
    every = (*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg)
    names = ",".join(each.arg for each in every if each is not None)
    defaults = ",".join(ast.unparse(each) for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None)
    text = [names, defaults, *lines[first - 1 : node.end_lineno]]
    return RecordedFunction(node, Function(".".join((*classes, node.name)), source_digest(text)), first)


def recorded_functions(tree: ast.Module, lines: Sequence[str]) -> Iterator[RecordedFunction]:
    """Every function of a module, also inside others."""
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        node, classes = waiting.pop()
        if isinstance(node, Definition):
            yield recorded_function(node, classes, lines)
        if isinstance(node, ast.ClassDef):
            classes = (*classes, node.name)
        waiting += [(child, classes) for child in ast.iter_child_nodes(node)]


def _end(node: ast.AST | None) -> int:
    return getattr(node, "end_lineno", None) or 0
