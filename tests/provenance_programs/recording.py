"""Execute a program of places, and record the values that come to each place."""

import ast
import contextlib
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any, Final, NamedTuple, TypeGuard

import numpy as np

from promo_runtime.actual_dtypes import library_of_class
from tests.agreement.execution import executed
from tests.provenance_programs.places import PLACE, bound_places
from tests.provenance_programs.samples import PACKAGE
from tests.time_limits import time_limit

_NOTE: Final = "_note"
_ITEMS = frozenset({"list", "set", "Sequence", "Iterable", "Collection"})
_YIELDED = frozenset({"Iterator", "Generator", "Iterable", "AsyncIterator"})


class Seen(NamedTuple):
    """One value that came to a place.

    Attributes:
        kind: the library of an array or NumPy scalar; else the name of the value's class.
        dtype: of an array or scalar.
        is_scalar: whether it is a scalar of NumPy.
        is_weak: whether its dtype gives way to that of an array.
        shape: of an array.
    """

    kind: str
    dtype: str = ""
    is_scalar: bool = False
    is_weak: bool = False
    shape: tuple[int, ...] = ()


Record = dict[str, set[Seen]]


def record(modules: Mapping[str, str]) -> Record:
    """Execute the modules in their order. Raises their exceptions, or TimeLimitError."""
    notes = _Notes()
    with _importable(modules) as made, warnings.catch_warnings(), time_limit(_shown(modules)):
        warnings.simplefilter("ignore")
        for name, source in modules.items():
            tree = ast.fix_missing_locations(_Noting(source).visit(ast.parse(source)))
            vars(made[name]).update({**bound_places(), _NOTE: notes.note})
            exec(compile(tree, name, "exec"), vars(made[name]))
    notes.finish()
    return notes.seen


def lines_of(modules: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """The modules and lines that are executed without an exception, in the time of one program."""
    lines: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in modules:
            return None
        place = (frame.f_code.co_filename, frame.f_lineno)
        if event == "line":
            lines.add(place)
        elif event == "exception":  # Python leaves the frame with another event at the same line
            lines.discard(place)
        return trace

    with _importable(modules) as made, warnings.catch_warnings(), time_limit(_shown(modules)):
        warnings.simplefilter("ignore")
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            for name, source in modules.items():
                with contextlib.suppress(Exception):  # JAX's abstract evaluation accepts more
                    exec(compile(source, name, "exec"), vars(made[name]))
        finally:
            sys.settrace(before)
    return frozenset(lines)


def _shown(modules: Mapping[str, str]) -> str:
    return "\n".join(f"# {name}.py\n{source}" for name, source in modules.items())


@contextmanager
def _importable(modules: Mapping[str, str]) -> Iterator[dict[str, ModuleType]]:
    """Empty modules that an import finds."""
    full = {name: f"{PACKAGE}.{name}" for name in modules}
    made = {name: ModuleType(place) for name, place in full.items()}
    sys.modules[PACKAGE] = ModuleType(PACKAGE)
    sys.modules.update({place: made[name] for name, place in full.items()})
    try:
        yield made
    finally:
        for place in (PACKAGE, *full.values()):
            del sys.modules[place]


class _Notes:
    """What the places have seen."""

    def __init__(self) -> None:
        self.seen: Record = {}
        self._again: list[tuple[ast.expr, Any]] = []

    def note(self, annotation: str, value: Any) -> Any:
        """Record a value of that annotation, and return it."""
        tree = ast.parse(annotation, mode="eval").body
        if isinstance(value, list | dict | set):
            self._again.append((tree, value))
        return self._noted(tree, value)

    def finish(self) -> None:
        """Record what containers hold at the end."""
        for tree, value in self._again:
            self._noted(tree, value)

    def _noted(self, tree: ast.expr, value: Any) -> Any:
        match tree:
            case ast.Name(id=name) if PLACE.fullmatch(name):
                self.seen.setdefault(name, set()).add(_described(value))
            case ast.BinOp(left=left, right=right) if value is not None:
                return self._noted(left if _fits(left, value) else right, value)
            case ast.Subscript(value=ast.Name(id=name), slice=inside):
                return self._inside(name, inside, value)
        return value

    def _inside(self, name: str, inside: ast.expr, value: Any) -> Any:
        parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        if name in _ITEMS and isinstance(value, list | set | tuple):
            self._each(parts[0], value)
        elif name in ("dict", "Mapping") and isinstance(value, Mapping):
            self._each(parts[1], value.values())
        elif name == "tuple" and isinstance(value, tuple):
            whole = len(parts) == 2 and isinstance(parts[1], ast.Constant)
            for place, item in enumerate(value):
                self._noted(parts[0 if whole else place], item)
        elif name == "Callable" and callable(value):
            return self._called(parts, value)
        elif name not in ("Iterator", "type", "Callable", *_ITEMS):
            self._each(parts[0], vars(value).values() if hasattr(value, "__dict__") else ())
        return value

    def _each(self, tree: ast.expr, values: Iterable[Any]) -> None:
        for each in values:
            self._noted(tree, each)

    def _called(self, parts: list[ast.expr], function: Callable[..., Any]) -> Callable[..., Any]:
        given = parts[0].elts if isinstance(parts[0], ast.List) else []

        def noted(*arguments: Any) -> Any:
            for tree, value in zip(given, arguments, strict=False):
                self._noted(tree, value)
            return self._noted(parts[1], function(*arguments))

        return noted


def _fits(tree: ast.expr, value: Any) -> bool:
    """Whether a member of a union is that of the value: a container, or not."""
    is_container = isinstance(value, list | dict | tuple | set)
    return isinstance(tree, ast.Subscript) == is_container and not isinstance(tree, ast.Constant)


def _described(value: Any) -> Seen:
    library = library_of_class(type(value))
    if library is None:
        return Seen(type(value).__name__)
    found = executed(value)
    is_scalar = isinstance(value, np.generic)
    return Seen(library, found.dtype, is_scalar, found.weak, () if is_scalar else tuple(value.shape))


class _Noting(ast.NodeTransformer):
    """Write a note of each value that comes to a place."""

    def __init__(self, source: str) -> None:
        fields = (each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.ClassDef))
        found = (each for node in fields for each in node.body if isinstance(each, ast.AnnAssign))
        self._fields = {ast.unparse(each.target): ast.unparse(each.annotation) for each in found}
        variables = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.AnnAssign))
        self._variables = {ast.unparse(each.target): ast.unparse(each.annotation) for each in variables}
        self._results: list[str] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and self._results:
            node.value = _noted(self._results[-1], node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        tree = ast.parse(self._results[-1] or "0", mode="eval").body
        if isinstance(tree, ast.Subscript) and isinstance(tree.value, ast.Name) and tree.value.id in _YIELDED:
            item = tree.slice.elts[0] if isinstance(tree.slice, ast.Tuple) else tree.slice
            node.value = _noted(ast.unparse(item), node.value or ast.Constant(None))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._results.append("")
        self.generic_visit(node)
        self._results.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and not _is_call_of_field(node.value):
            node.value = _noted(ast.unparse(node.annotation), node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        """An annotated variable may get another value later, also an unpacked one."""
        self.generic_visit(node)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.value = _noted(self._variables.get(node.targets[0].id, ""), node.value)
            return [node]
        bound = (name.id for target in node.targets for name in ast.walk(target) if _is_bound(name))
        return [node, *(_note_of(name, self._variables[name]) for name in bound if name in self._variables)]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        return [node, _note_of(name, self._variables[name])] if name in self._variables else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        annotation = self._fields.get(node.attr, "")
        return _noted(annotation, node) if isinstance(node.ctx, ast.Load) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        if fields and not any("Tuple" in ast.unparse(base) or "Dict" in ast.unparse(base) for base in node.bases):
            node.body.append(
                _setter({name: self._fields[name] for name in (ast.unparse(each.target) for each in fields)})
            )
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._results.append(ast.unparse(node.returns) if node.returns is not None else "")
        self.generic_visit(node)
        self._results.pop()
        arguments = [(each, "{}") for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        if node.args.vararg is not None:
            arguments.append((node.args.vararg, "tuple[{}, ...]"))
        notes = [
            _note_of(each.arg, form.format(ast.unparse(each.annotation)))
            for each, form in arguments
            if each.annotation is not None
        ]
        node.body = [*notes, *node.body]
        return node


def _note_of(parameter: str, annotation: str) -> ast.stmt:
    """A statement that notes what a parameter gets."""
    return ast.Assign([ast.Name(parameter, ast.Store())], _noted(annotation, ast.Name(parameter, ast.Load())))


def _is_bound(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _noted(annotation: str, value: ast.expr) -> ast.expr:
    if not PLACE.search(annotation):
        return value
    return ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(annotation), value], [])


def _is_call_of_field(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("field")


def _setter(fields: Mapping[str, str]) -> ast.stmt:
    """A `__setattr__` that notes the values of these fields."""
    noted = f"{_NOTE}({dict(fields)!r}.get(name, '0'), value)"
    return ast.parse(f"def __setattr__(self, name, value):\n    object.__setattr__(self, name, {noted})").body[0]
