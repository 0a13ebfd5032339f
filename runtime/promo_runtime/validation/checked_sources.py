"""Change the tree of a module so that every annotated function, and the fields of every class, are checked."""

import ast
import builtins
from typing import Final

from promo_runtime.instrumentation.compiled_functions import CompiledFunctions

FUNCTION: Final = "__promo_checked__"
"""The decorator of functions in the changed tree: below all others, so that it gets the original function."""
CLASS: Final = "__promo_fields__"
"""The decorator of classes: above all others, so that `@dataclass` runs first."""


def with_checks(tree: ast.Module) -> ast.Module:
    """The same tree, changed."""
    return ast.fix_missing_locations(_Checks(CompiledFunctions(tree)).visit(tree))  # type: ignore[no-any-return] # ast


class _Checks(ast.NodeTransformer):
    def __init__(self, compiled: CompiledFunctions) -> None:
        self._compiled = compiled

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        self.generic_visit(node)
        if any(isinstance(each, ast.AnnAssign) and _may_mention_arrays(each.annotation) for each in node.body):
            node.decorator_list.insert(0, _name(CLASS, node))
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        if self._compiled.is_compiled(node) or _is_overload(node):
            return node
        self.generic_visit(node)
        given = node.args
        arguments = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        annotations = [argument.annotation for argument in arguments if argument is not None]
        if any(_may_mention_arrays(annotation) for annotation in (*annotations, node.returns)):
            node.decorator_list.append(_name(FUNCTION, node))
        return node


def _is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Never called; `typing.get_overloads` tells them apart by their first lines."""
    return any(ast.unparse(each).rpartition(".")[2] == "overload" for each in node.decorator_list)


def _may_mention_arrays(annotation: ast.expr | None) -> bool:
    """Whether it contains more than names of built-ins."""
    return annotation is not None and any(
        (isinstance(node, ast.Name) and not hasattr(builtins, node.id))
        or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in ast.walk(annotation)
    )


def _name(name: str, place: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.Name:
    # With the line of the definition itself, a function without decorators keeps its first line.
    return ast.Name(name, ast.Load(), lineno=place.lineno, col_offset=place.col_offset)
