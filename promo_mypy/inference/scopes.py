"""Find the values that the names of a module are bound to, and the function around a node, in Python's tree."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Scope = Function | ast.ClassDef


class Scopes:
    """The scopes and bindings of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self._parents: Final[dict[int, ast.AST]] = {}
        self._bound: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._attributes: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._added: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._imported: Final[dict[str, str]] = {}
        self._otherwise: Final[set[str]] = set()
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self._parents[id(child)] = node
        for node in ast.walk(tree):
            for target, value in _bindings(node):
                self._bind(target, value)
            self._otherwise.update(_bound_otherwise(node))
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self._imported.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
            elif isinstance(node, ast.Import):
                for each in node.names:
                    top = each.name.partition(".")[0]
                    self._imported[each.asname or top] = each.name if each.asname else top

        for target, value in (pair for node in ast.walk(tree) for pair in _additions(node)):
            self._added[self.binding(target)].append(value)

    def function_of(self, node: ast.AST) -> str:
        """The name of the function around a node, with its class; empty at module level."""
        named = (each for each in self._around(node) if not isinstance(each, ast.Lambda))
        return ".".join(reversed([each.name for each in named]))

    def definition(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The innermost `def` around a node."""
        definitions = (each for each in self._around(node) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
        return next(definitions, None)

    def is_unannotated(self, node: ast.AST) -> bool:
        """Whether a node is in a function without annotations, whose body mypy does not check by default."""
        function = self.definition(node)
        return function is not None and not _is_annotated(function)

    def values(self, name: ast.Name) -> Sequence[ast.expr]:
        """The values that the innermost scope of a name binds it to; empty for a parameter."""
        for scope in [*self._around(name), None]:
            if isinstance(scope, Function) and name.id in _parameters(scope):
                return ()
            if not isinstance(scope, ast.ClassDef) and (id(scope), name.id) in self._bound:
                return self._bound[id(scope), name.id]
        return ()

    def binds_plainly(self, name: ast.Name) -> bool:
        """Whether `values` are all values of a name: no other statement of the module binds it."""
        return name.id not in self._otherwise

    def parameter(self, name: ast.Name) -> str | None:
        """The function of which a name is a parameter; None if it is not a parameter."""
        for scope in self._around(name):
            if isinstance(scope, Function) and name.id in _parameters(scope):
                return "a lambda" if isinstance(scope, ast.Lambda) else self.function_of(scope.body[0])
            if (id(scope), name.id) in self._bound:
                return None
        return None

    def binding(self, name: ast.Name) -> tuple[int, str]:
        """What identifies a variable: the scope that binds a name, and the name."""
        for scope in self._around(name):
            if (isinstance(scope, Function) and name.id in _parameters(scope)) or (id(scope), name.id) in self._bound:
                return id(scope), name.id
        return id(None), name.id

    def rebound(self, name: ast.Name) -> Sequence[ast.expr]:
        """The values that the function of a parameter binds its name to."""
        for scope in self._around(name):
            if isinstance(scope, Function) and name.id in _parameters(scope):
                return self._bound.get((id(scope), name.id), ())
        return ()

    def added(self, name: ast.Name) -> Sequence[ast.expr]:
        """The items that statements such as `name.append(x)` add to a variable, and the iterables."""
        return self._added.get(self.binding(name), ())

    def attribute_values(self, attribute: ast.Attribute) -> Sequence[ast.expr]:
        """The values that the methods of the class bind `self.name` to."""
        if not isinstance(attribute.value, ast.Name) or attribute.value.id != "self":
            return ()
        return self._attributes.get((id(self._class_of(attribute)), attribute.attr), ())

    def imported(self, node: ast.expr) -> str | None:
        """The full name that a dotted name stands for, by the imports of the module: "jax.numpy.sum" for `jnp.sum`."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.imported(node.value)
            return f"{base}.{node.attr}" if base is not None else None
        return None

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            scope = next(self._around(target), None)
            self._bound[id(scope), target.id].append(value)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            self._attributes[id(self._class_of(target)), target.attr].append(value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = [value] * len(target.elts)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                items = value.elts
            for each, item in zip(target.elts, items, strict=True):
                self._bind(each, item)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value)

    def _around(self, node: ast.AST) -> Iterator[Scope]:
        found = self._parents.get(id(node))
        while found is not None:
            if isinstance(found, Scope):
                yield found
            found = self._parents.get(id(found))

    def _class_of(self, node: ast.AST) -> ast.ClassDef | None:
        return next((each for each in self._around(node) if isinstance(each, ast.ClassDef)), None)


def _is_annotated(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return function.returns is not None or any(each.annotation is not None for each in _arguments(function))


def _parameters(function: Function) -> set[str]:
    return {each.arg for each in _arguments(function)}


def _arguments(function: Function) -> list[ast.arg]:
    found = function.args
    every = [*found.posonlyargs, *found.args, *found.kwonlyargs, found.vararg, found.kwarg]
    return [each for each in every if each is not None]


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Target and value; in a loop or a comprehension, the value is the iterable."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield target, node.value
        case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value) | ast.NamedExpr(value=value):
            yield node.target, value
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield node.target, node.iter
        case ast.withitem(optional_vars=ast.expr() as target):
            yield target, node.context_expr


def _additions(node: ast.AST) -> Iterator[tuple[ast.Name, ast.expr]]:
    """A list and what is added to it."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as target, attr="append" | "extend" | "insert"), args=[*_, value]
        ):
            yield target, value


def _bound_otherwise(node: ast.AST) -> Iterator[str]:
    """Names bound without an expression, or from another scope."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name)) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (each.asname or each.name.partition(".")[0] for each in aliases)
        case ast.Delete() | ast.Starred():
            yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
