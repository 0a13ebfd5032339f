"""Change the tree of a module so that its values pass through a function that records them.

`x * y` becomes `see(x * y, 7)`. A parameter is seen by a statement at the start of its function, a result where it is
returned, an attribute where it is bound. Every node keeps its place.
"""

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from typing import Final

from promo_mypy.rules.profiles import ATTRIBUTE, EXPRESSION, PARAMETER, RESULT, Function, Place, lines_of, source_digest
from promo_mypy.rules.recorded_functions import Definition, recorded_function
from promo_runtime.instrumentation.compiled_functions import CompiledFunctions

SEE: Final = "__promo_see__"
"""The function. It gets a value and the number of the place, and returns the value."""

Numbered = Callable[[Function, Place], int]
"""The number of a place."""

_WHOLE: Final = (0, 0, 0, 0)
#: The expressions that may be arrays. Displays and constants never are.
_KINDS: Final = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp,
    ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom,
)  # fmt: skip
_NOT_EVALUATED: Final = ("annotation", "returns", "type_params")


def with_records(tree: ast.Module, source: str, numbered: Numbered) -> ast.Module:
    """The same tree, changed. `numbered` gives a number to each place that is recorded."""
    return _Records(tree, lines_of(source), numbered).changed(tree)


class _Records:
    def __init__(self, tree: ast.Module, lines: list[str], numbered: Numbered) -> None:
        self._lines = lines
        self._numbered = numbered
        self._compiled = CompiledFunctions(tree)
        self._never = frozenset(_imported(tree))
        self._function = Function("", source_digest(lines))
        self._first = 1
        self._classes: tuple[str, ...] = ()
        self._own: str | None = None

    def changed(self, tree: ast.Module) -> ast.Module:
        self._fields(tree)
        return tree

    def _visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._definition(node)
            case ast.ClassDef():
                outer = self._classes, self._own
                self._classes, self._own = (*outer[0], node.name), None
                self._fields(node)
                self._classes, self._own = outer
                return node
            case ast.Return(value=ast.expr()):
                self._fields(node)
                assert node.value is not None
                node.value = self._seen(node.value, Place(RESULT, "", _WHOLE), node.value)
                return node
            case ast.Assign() | ast.AnnAssign() if node.value is not None:
                return self._assignment(node)
            case ast.JoinedStr() if sys.version_info < (3, 12):  # before, nodes inside have wrong places
                return node
            case ast.pattern():
                return node
            case ast.expr():
                return self._expression(node)
        self._fields(node)
        return node

    def _fields(self, node: ast.AST, left_out: tuple[str, ...] = ()) -> None:
        for name, value in ast.iter_fields(node):
            if name in _NOT_EVALUATED or name in left_out:
                continue
            if isinstance(value, list):
                value[:] = [self._visit(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self._visit(value))

    def _definition(self, node: Definition) -> Definition:
        if self._compiled.is_compiled(node):
            return node
        recorded = recorded_function(node, self._classes, self._lines)
        self._fields(node, ("body",))
        outer = self._function, self._first, self._own, self._classes
        self._function, self._first = recorded.function, recorded.first
        positional = [*node.args.posonlyargs, *node.args.args]
        is_method = outer[2] is None and bool(self._classes) and bool(positional) and not _is_static(node)
        self._own = positional[0].arg if is_method else None
        for place, statement in enumerate(node.body):
            node.body[place] = self._visit(statement)  # type: ignore[call-overload]  # a statement stays one
        is_described = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        node.body[is_described:is_described] = list(self._parameters([*positional, *node.args.kwonlyargs]))
        self._function, self._first, self._own, self._classes = outer
        return node

    def _parameters(self, arguments: list[ast.arg]) -> Iterator[ast.stmt]:
        for argument in arguments:
            if argument.arg != self._own:
                name = ast.copy_location(ast.Name(argument.arg, ast.Load()), argument)
                seen = self._seen(name, Place(PARAMETER, argument.arg, _WHOLE), name)
                yield ast.copy_location(ast.Expr(seen), argument)

    def _assignment(self, node: ast.Assign | ast.AnnAssign) -> ast.stmt:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        attributes = [each.attr for each in targets if isinstance(each, ast.Attribute) and self._is_own(each.value)]
        self._fields(node)
        for attribute in attributes:
            place = Place(ATTRIBUTE, ".".join((*self._classes, attribute)), _WHOLE)
            assert node.value is not None
            node.value = self._seen(node.value, place, node.value)
        return node

    def _is_own(self, owner: ast.expr) -> bool:
        return isinstance(owner, ast.Name) and self._own is not None and owner.id == self._own

    def _expression(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Call):
            self._callee(node.func)
            self._fields(node, ("func",))
        else:
            self._fields(node)
        if not isinstance(node, _KINDS) or not isinstance(getattr(node, "ctx", None), ast.Load | None):
            return node
        if isinstance(node, ast.Name) and (node.id in self._never or node.id == self._own):
            return node
        line, end_line = node.lineno - self._first, (node.end_lineno or node.lineno) - self._first
        return self._seen(
            node, Place(EXPRESSION, "", (line, node.col_offset, end_line, node.end_col_offset or 0)), node
        )

    def _callee(self, node: ast.expr) -> None:
        """Visit the owner of a method. A function is no array."""
        if isinstance(node, ast.Attribute):
            node.value = self._expression(node.value)
        elif not isinstance(node, ast.Name):
            self._fields(node)

    def _seen(self, value: ast.expr, place: Place, at: ast.expr) -> ast.expr:
        number = ast.copy_location(ast.Constant(self._numbered(self._function, place)), at)
        name = ast.copy_location(ast.Name(SEE, ast.Load()), at)
        return ast.copy_location(ast.Call(name, [value, number], []), at)


def _is_static(node: Definition) -> bool:
    """Whether the first parameter of a function in a class is like any other."""
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names of modules, functions and classes, which are no arrays, and of the built-in functions."""
    yield from dir(builtins)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ({(each.asname or each.name).partition(".")[0] for each in node.names} - bound)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name not in bound:
            yield node.name
