"""Find the mistakes about values that have no known dtype: mypy cannot report them.

The values that come to the place of the mistake are revealed: those of an annotated variable, results of a function,
and arguments of its calls.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.agreement.dialects import Dialect
from tests.provenance_programs.checking import Modules, messages_of
from tests.provenance_programs.places import PLACE
from tests.provenance_programs.samples import TypedSample

_SHAPE = re.compile(r"tuple\[Any, \.\.\.\]")
_ANY = re.compile(r"\bAny\b")


def are_unknown(samples: Sequence[TypedSample], dialect: Dialect, folder: Path, cache: Path) -> list[bool]:
    """Whether mypy knows no dtype of any value that comes to the place of the mistake, for each program."""
    programs = [_revealing(sample) for sample in samples]
    found = messages_of(programs, dialect, folder, cache, plugin=True)
    revealed = [[each.revealed for name in modules for each in found.get(name, ())] for modules in programs]
    return [any(types) and all(map(_is_unknown, filter(None, types))) for types in revealed]


def _is_unknown(revealed: str) -> bool:
    return _ANY.search(_SHAPE.sub("tuple", revealed)) is not None


def _revealing(sample: TypedSample) -> Modules:
    trees = {name: ast.parse(text) for name, text in sample.sample.modules().items()}
    parameters = {
        function.name: (number, parameter.arg)
        for tree in trees.values()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for number, parameter in enumerate(function.args.args)
        if _mentions(parameter.annotation, sample.place)
    }
    revealing = _Revealing(sample.place, parameters)
    return {
        name: PLACE.sub(lambda match: sample.types[match[0]], ast.unparse(revealing.visit(tree)))
        for name, tree in trees.items()
    }


class _Revealing(ast.NodeTransformer):
    """Puts `reveal_type` around the values that come to a place."""

    def __init__(self, place: str, parameters: Mapping[str, tuple[int, str]]) -> None:
        self._place = place
        self._parameters = parameters

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        self.generic_visit(node)
        if node.value is not None and _mentions(node.annotation, self._place):
            node.value = _revealed(node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        if _mentions(node.returns, self._place):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    each.value = _revealed(each.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        number, name = self._parameters.get(node.func.id, (None, "")) if isinstance(node.func, ast.Name) else (None, "")
        if number is not None and number < len(node.args):
            node.args[number] = _revealed(node.args[number])
        for keyword in node.keywords:
            if number is not None and keyword.arg == name:
                keyword.value = _revealed(keyword.value)
        return node


def _mentions(annotation: ast.expr | None, place: str) -> bool:
    return annotation is not None and any(
        isinstance(node, ast.Name) and node.id == place for node in ast.walk(annotation)
    )


def _revealed(value: ast.expr) -> ast.expr:
    """The value, or the items of a display: mypy takes the type of a display from its annotation."""
    match value:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            value.elts = [_revealed(each) for each in items]
        case ast.Dict(values=items):
            value.values = [_revealed(each) for each in items]
        case _:
            return ast.Call(ast.Name("reveal_type"), [value], [])
    return value
