"""Find the mistakes about values that have no known dtype: mypy cannot report them.

The values that come to the place of the mistake are revealed: those of an annotated variable, results and defaults of a
function, arguments of its calls, and those that stand beside it in a call such as `lax.scan(f, init, xs)`.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
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
    unknown = [any(types) and all(map(_is_unknown, filter(None, types))) for types in revealed]
    return [each or _is_behind_protocol(sample) for each, sample in zip(unknown, samples, strict=True)]


def _is_behind_protocol(sample: TypedSample) -> bool:
    """Whether the place is a parameter of a method for which a protocol declares Any: every dtype fits."""
    nodes = [node for text in sample.sample.modules().values() for node in ast.walk(ast.parse(text))]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    protocols = [each for each in classes if any(ast.unparse(base) == "Protocol" for base in each.bases)]
    open_methods = {
        method.name
        for protocol in protocols
        for method in protocol.body
        if isinstance(method, ast.FunctionDef)
        and any(sample.types.get(ast.unparse(each.annotation)) == "Any" for each in method.args.args if each.annotation)
    }
    methods = [method for each in classes for method in each.body if isinstance(method, ast.FunctionDef)]
    return any(
        method.name in open_methods and any(_mentions(each.annotation, sample.place) for each in method.args.args)
        for method in methods
    )


def _is_unknown(revealed: str) -> bool:
    return _ANY.search(_SHAPE.sub("tuple", revealed)) is not None


def _revealing(sample: TypedSample) -> Modules:
    trees = {name: ast.parse(text) for name, text in sample.sample.modules().items()}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    parameters = {name: found for node in nodes for name, found in _parameters(node, sample.place)}
    revealing = _Revealing(sample.place, parameters)
    return {
        name: PLACE.sub(lambda match: sample.types[match[0]], ast.unparse(revealing.visit(tree)))
        for name, tree in trees.items()
    }


def _parameters(node: ast.AST, place: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """What is called with a value for the place: its name, the position and the name of the parameter.

    A function, a class with a field, and a variable that is declared as a function.
    """
    match node:
        case ast.FunctionDef(name=name, args=arguments) | ast.AsyncFunctionDef(name=name, args=arguments):
            for number, parameter in enumerate(arguments.args):
                if _mentions(parameter.annotation, place):
                    yield name, (number, parameter.arg)
        case ast.ClassDef(name=name, body=body):
            fields = [each for each in body if isinstance(each, ast.AnnAssign)]
            for number, each in enumerate(fields):
                if _mentions(each.annotation, place):
                    yield name, (number, ast.unparse(each.target))
        case ast.AnnAssign(
            target=ast.Name(id=name), annotation=ast.Subscript(slice=ast.Tuple(elts=[ast.List() as given, _]))
        ):
            for number, declared in enumerate(given.elts):
                if _mentions(declared, place):
                    yield name, (number, "")


class _Revealing(ast.NodeTransformer):
    """Puts `reveal_type` around the values that come to a place."""

    def __init__(self, place: str, parameters: Mapping[str, tuple[int, str]]) -> None:
        self._place = place
        self._parameters = parameters

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        self.generic_visit(node)
        match node:
            case ast.AnnAssign(
                value=ast.Lambda() as function, annotation=ast.Subscript(slice=ast.Tuple(elts=[_, result]))
            ):
                if _mentions(result, self._place):
                    function.body = _revealed(function.body)
            case ast.AnnAssign(value=ast.expr() as value) if _mentions(node.annotation, self._place):
                node.value = self._result(node.annotation, value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        given = node.args
        for number, parameter in enumerate(given.args[len(given.args) - len(given.defaults) :]):
            if _mentions(parameter.annotation, self._place):
                given.defaults[number] = _revealed(given.defaults[number])
        if _mentions(node.returns, self._place):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    each.value = self._result(node.returns, each.value)
        return node

    def _result(self, annotation: ast.expr | None, value: ast.expr) -> ast.expr:
        """A result or the value of a variable; of a tuple display only the items for the place."""
        match annotation, value:
            case ast.Subscript(slice=ast.Tuple(elts=parts)), ast.Tuple(elts=items) if _are_pairs(parts, items):
                pairs = zip(parts, items, strict=True)
                value.elts = [_revealed(item) if _mentions(part, self._place) else item for part, item in pairs]
                return value
            case _:
                return _revealed(value)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        number, name = self._parameters.get(node.func.id, (None, "")) if isinstance(node.func, ast.Name) else (None, "")
        if number is not None and number < len(node.args):
            node.args[number] = _revealed(node.args[number])
        for keyword in node.keywords:
            if number is not None and keyword.arg == name:
                keyword.value = _revealed(keyword.value)
        passed = [isinstance(each, ast.Name) and each.id in self._parameters for each in node.args]
        if any(passed) and number is None:
            pairs = zip(node.args, passed, strict=True)
            node.args = [each if is_function else _revealed(each) for each, is_function in pairs]
        return node


def _are_pairs(parts: Sequence[ast.expr], items: Sequence[ast.expr]) -> bool:
    """Whether a tuple type has one part for each item."""
    return len(parts) == len(items) and ast.unparse(parts[-1]) != "..."


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
