"""Find the one function that an edit changes, so that mypy need not check the rest of the file again at once."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from promo_mypy.lsp.line_shift import LineShift

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: What binds names outside the body, or changes how the function is called.
_FAR_REACHING: Final = (
    ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Await,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FunctionEdit:
    """An edit of one function.

    Attributes:
        names: the class, if there is one, and the function.
        line: the line of its `def`, before and after the edit.
        last_line: its last line before the edit.
        text: its new text, with the line numbers of the file; a method is in a class `_`.
        moved: by how many lines the rest of the file has moved.
        signature: whether parameters, defaults or the result may have changed, and not only the body.
    """

    names: tuple[str, ...]
    line: int
    last_line: int
    text: str
    moved: int
    signature: bool = False


def function_edit(
    before: ast.Module, old_lines: Sequence[str], after: ast.Module, new_lines: Sequence[str]
) -> FunctionEdit | None:
    """The edit, if it changes one annotated function and nothing that others see but its signature; else None."""
    changed = LineShift(old_lines, new_lines).changed
    old = next(((names, each) for names, each in _functions(before) if _has(each, changed)), None)
    if old is None:
        return None
    names, function = old
    moved = len(new_lines) - len(old_lines)
    same = [each for found, each in _functions(after) if (found, each.lineno) == (names, function.lineno)]
    if len(same) != 1 or _end(same[0]) != _end(function) + moved or len(before.body) != len(after.body):
        return None
    if not (_is_closed(function) and _is_closed(same[0])):
        return None
    signature = changed.start < function.body[0].lineno
    if signature and (type(function) is not type(same[0]) or not (_is_plain(function) and _is_plain(same[0]))):
        return None
    body = new_lines[function.lineno - 1 : _end(same[0])]
    above = "\n" * (function.lineno - 1) if len(names) == 1 else "\n" * (function.lineno - 2) + "class _:\n"
    return FunctionEdit(names, function.lineno, _end(function), above + "\n".join(body) + "\n", moved, signature)


def _functions(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], _Function]]:
    """The functions and methods at the top of a file."""
    for node in tree.body:
        if isinstance(node, _Function):
            yield (node.name,), node
        elif isinstance(node, ast.ClassDef):
            yield from (((node.name, each.name), each) for each in node.body if isinstance(each, _Function))


def _has(function: _Function, changed: range) -> bool:
    """Whether all the changed lines are between `def`, or what is below the decorators, and the end."""
    last = max(changed.start, changed.stop) - 1
    return function.lineno <= changed.start and last <= _end(function)


def _is_plain(function: _Function) -> bool:
    """Whether the signature is what others see of the function, and binds no name."""
    if function.decorator_list or getattr(function, "type_params", None):  # since Python 3.12
        return False
    return not any(isinstance(node, ast.NamedExpr) for node in ast.walk(function.args))


def _is_closed(function: _Function) -> bool:
    """Whether no other function depends on the body, below the declared result."""
    if function.returns is None or function.returns.end_lineno is None:
        return False
    if function.returns.end_lineno >= function.body[0].lineno:
        return False
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    if any(each.annotation is None and each.arg not in ("self", "cls") for each in arguments):
        return False
    return not any(
        isinstance(node, _FAR_REACHING) or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
        for statement in function.body
        for node in ast.walk(statement)
    )


def _end(function: _Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno
