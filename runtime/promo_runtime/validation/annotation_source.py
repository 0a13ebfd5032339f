"""Find the text of an annotation in the source, for messages."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from promo_runtime.validation.annotation_strings import annotations_of, forward_text


def annotation_text(owner: Callable[..., Any] | type, name: str) -> str:
    """The annotation of a parameter, of a field, or of the result ("return"); its repr if there is no source."""
    written = annotations_of(owner).get(name)
    return _source_text(owner, name) or forward_text(written) or inspect.formatannotation(written)


def _source_text(owner: Callable[..., Any] | type, name: str) -> str | None:
    try:
        source = textwrap.dedent(inspect.getsource(owner))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return None
    for written, annotation in _annotations(tree.body[0]):
        if written == name:
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                return annotation.value
            text = ast.get_source_segment(source, annotation)
            return " ".join(text.split()) if text else None
    return None


def _annotations(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                yield statement.target.id, statement.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None and argument.annotation is not None:
                yield argument.arg, argument.annotation
        if node.returns is not None:
            yield "return", node.returns
