"""Find errors about values that the stubs take for Python's numbers, though they may be arrays.

`sum` is declared to return 0 if there are no items, the loops of `jax.lax` what they begin with, and `1 == x` a bool.
What is computed from such a value, or holds it, is of a wrong type, too. So is a number variable after an array that
mypy rejects for it: stock mypy goes on with the number.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Final

from promo_mypy.plugin.containers import FILLING
from tests.mypy_runs import Message

#: Functions and methods that the stubs say return a number.
_MAKERS: Final = frozenset({"sum", "while_loop", "fori_loop", "scan", "item", "tolist"})
_TO_A_NUMBER: Final = r'expression has type "(?:Array|Tensor)[^"]*", (?:variable|target) has type "(?:int|float)"'
#: A message that names a number, or rejects the items of a dict of numbers. After an error a deleted variable stays so.
_NAMED: Final = (
    r"\b(?:int|float|complex|bool|Literal\[0\])(?!\w)|^Trying to read deleted variable"
    r'|^No overload variant of "update" of "MutableMapping"'
)

#: A union of an array or scalar of NumPy and a number.
_ARRAY_OR_NUMBER: Final = r'"[^"]*\b(?:ndarray|floating|signedinteger)\[[^"]* \| (?:int|float|complex|builtins\.bool)"'


def is_of_sums(message: Message, modules: Mapping[str, str]) -> bool:
    """Whether an error of stock mypy is about a number beside an array of NumPy that comes from a sum of arrays."""
    return re.search(_ARRAY_OR_NUMBER, message.text) is not None and _follows(message, [], modules, _is_sum)


def is_of_stub_numbers(message: Message, others: Sequence[Message], modules: Mapping[str, str]) -> bool:
    """Whether an error of stock mypy is about such a value.

    `others`: the errors with the plugin. `modules`: the sources of the program, in which a name is of one value.
    """
    if not re.search(_NAMED, message.text):
        return False
    rejected = [each for each in others if each.code == "assignment" and re.search(_TO_A_NUMBER, each.text)]
    return _follows(message, rejected, modules, _is_made)


def is_after(message: Message, lost: Sequence[Message], modules: Mapping[str, str]) -> bool:
    """Whether an error with the plugin is about a value that stock mypy does not know after a wrong error of its own.

    `lost`: the errors of stock mypy that the plugin rightly takes away.
    """
    return bool(lost) and _follows(message, lost, modules, _never)


def _follows(
    message: Message, errors: Sequence[Message], modules: Mapping[str, str], begins: Callable[[ast.AST], bool]
) -> bool:
    """Whether a message is about a value that is bound in a line with one of the errors, or begins otherwise."""
    trees = {name: ast.parse(source) for name, source in modules.items()}
    bound = {name for each in errors for name in _names_in(trees[Path(each.file).stem], each.line)}
    known = _names_from(trees.values(), bound, begins)
    line = _nodes_in(trees[Path(message.file).stem], message.line)
    return any(begins(node) or _is_any_of(node, known) for node in line)


def _names_from(trees: Iterable[ast.AST], known: Set[str], begins: Callable[[ast.AST], bool]) -> Set[str]:
    """The names of variables and attributes that may hold such values, or those of known names."""
    statements = [node for tree in trees for node in ast.walk(tree)]
    found, size = set(known), -1
    while size != len(found):
        size = len(found)
        for node in statements:
            values, targets = _bound(node)
            parts = (part for value in values for part in ast.walk(value))
            if any(begins(part) or _is_any_of(part, found) for part in parts):
                found.update(name for target in targets for name in _names(target))
    return found


def _never(_: ast.AST) -> bool:
    return False


def _nodes_in(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree) if getattr(node, "lineno", None) == line)


def _names_in(tree: ast.AST, line: int) -> Iterator[str]:
    """The names that the statements in a line bind."""
    for node in _nodes_in(tree, line):
        for target in _bound(node)[1]:
            yield from _names(target)


def _is_made(node: ast.AST) -> bool:
    """Whether this calls a function that returns a number to the stubs, or compares with one."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in _MAKERS
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq(), *_]):
            return not isinstance(left, ast.Attribute)  # a shape, a dtype, or a number of axes
        case _:
            return False


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum"


def _is_any_of(node: ast.AST, known: Set[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in known
        case _:
            return False


def _bound(node: ast.AST) -> tuple[list[ast.expr], list[ast.AST]]:
    """What a statement or expression binds or puts into a container, and the targets."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [value], [*targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return [value], [target]
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            return [value], [target]
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            return [value], [target]
        case ast.Match(subject=value, cases=cases):
            return [value], [case.pattern for case in cases]
        case ast.Call(func=ast.Attribute(value=holder, attr=name), args=given) if name in FILLING:
            return given, [holder]
        case _:
            return [], []


def _names(target: ast.AST) -> Iterator[str]:
    """The names in a target: those that it binds, and the containers that it fills."""
    for node in ast.walk(target):
        match node:
            case ast.Name(id=name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                yield name
            case ast.Attribute(attr=name):
                yield name
            case ast.MatchMapping(rest=str() as name):
                yield name
            case _:
                pass
