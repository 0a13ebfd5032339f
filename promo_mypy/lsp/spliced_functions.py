"""Give a function in mypy's tree of a file a new body and signature, and let mypy check only what depends on them.

mypy's daemon checks single functions when something changes that they depend on, but reads and checks a file anew when
its text changes. This joins the two: the new function takes the place of the old one, and all that is below moves.
"""

from collections.abc import Iterator

from mypy.build import BuildManager, State
from mypy.errors import ErrorInfo, Errors
from mypy.fastparse import parse
from mypy.nodes import ClassDef, Decorator, FuncDef, MypyFile, Node
from mypy.types import CallableType

from promo_mypy.lsp.function_edits import FunctionEdit
from promo_mypy.plugin.interface.runs import mypy_versions
from promo_mypy.plugin.interface.trees import drop_cache, nodes_as_written


def splice(state: State, manager: BuildManager, edit: FunctionEdit) -> FuncDef | None:
    """Replace the body and signature of the function, and return it; None, without a change, if that is impossible."""
    tree = state.tree
    function = _function(tree, edit) if tree is not None else None
    if tree is None or function is None or mypy_versions.infers_outer_variables(function):
        return None
    errors = Errors(manager.options)
    part = parse(edit.text, state.xpath, state.id, errors, state.options)
    new = _function(part, FunctionEdit(("_", edit.names[-1])[-len(edit.names) :], edit.line, 0, "", 0))
    if new is None or errors.is_errors():
        return None
    if edit.moved:
        _move(tree, manager.errors.error_info_map.get(state.xpath, []), edit)
    if edit.signature:
        _take_signature(function, new)
    function.body = new.body
    function.end_line = new.end_line
    kept = {line: codes for line, codes in tree.ignored_lines.items() if not edit.line <= line <= edit.last_line}
    moved = {line + (edit.moved if line > edit.last_line else 0): codes for line, codes in kept.items()}
    tree.ignored_lines = moved | part.ignored_lines
    # The plugin knows a text by the identity of its list of statements.
    tree.defs = list(tree.defs)
    drop_cache()
    return function


def _take_signature(function: FuncDef, new: FuncDef) -> None:
    """Take parameters and result as they are written. mypy keeps the analyzed type until it has compared both."""
    function.arguments, function.arg_names, function.arg_kinds = new.arguments, new.arg_names, new.arg_kinds
    function.max_pos, function.min_args = new.max_pos, new.min_args
    function.unanalyzed_type = new.unanalyzed_type
    if isinstance(function.unanalyzed_type, CallableType):
        function.unanalyzed_type.definition = function


def _function(tree: MypyFile, edit: FunctionEdit) -> FuncDef | None:
    """The function of an edit."""
    found: list[Node] = [each for each in tree.defs if _names(each) == edit.names[0]]
    if len(edit.names) == 2:
        found = [
            each
            for statement in found
            if isinstance(statement, ClassDef)
            for each in statement.defs.body
            if _names(each) == edit.names[1]
        ]
    functions = [each.func if isinstance(each, Decorator) else each for each in found]
    if len(functions) != 1 or not isinstance(functions[0], FuncDef) or functions[0].line != edit.line:
        return None
    return functions[0]


def _names(statement: Node) -> str | None:
    """The name that a function or class gets."""
    if isinstance(statement, Decorator):
        return statement.func.name
    return statement.name if isinstance(statement, FuncDef | ClassDef) else None


def _move(tree: MypyFile, errors: list[ErrorInfo], edit: FunctionEdit) -> None:
    """Move all that is below the function."""
    for node in _below(tree, edit.last_line):
        node.line += edit.moved
        if node.end_line is not None:
            node.end_line += edit.moved
    for error in errors:
        if error.line > edit.last_line:
            mypy_versions.move(error, edit.moved)


def _below(tree: MypyFile, line: int) -> Iterator[Node]:
    for statement in tree.defs:
        if (statement.end_line or statement.line) > line:
            yield from (node for node in list(nodes_as_written(statement)) if node.line > line)
