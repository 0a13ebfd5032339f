"""Find the values that the names of a module are bound to, and the function around a node, in Python's tree."""

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

from promo_mypy.program.syntax.bound_values import additions, bindings, bound_otherwise, container_of
from promo_mypy.program.syntax.function_uses import FunctionUses
from promo_mypy.program.syntax.imports import imports
from promo_mypy.program.syntax.outside_bindings import Outside, hidden_attributes, outside_bindings
from promo_mypy.program.syntax.parameters import Function, defaults, is_annotated, parameter_names
from promo_mypy.program.syntax.registrations import is_of_self, registration

Scope = Function | ast.ClassDef
#: Nodes without a place, which many expressions share.
_MARKS: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
#: Nodes with no others in them but marks.
_LEAVES: Final = frozenset({ast.Name, ast.Constant})
#: Most of a module: they bind nothing, register nothing and return nothing.
_PASSIVE: Final = _LEAVES | {
    ast.Attribute, ast.Subscript, ast.Slice, ast.arguments, ast.arg, ast.keyword, ast.Tuple, ast.List, ast.Dict,
    ast.Expr, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.JoinedStr, ast.FormattedValue,
    ast.If, ast.Raise,
}  # fmt: skip

# Before Python 3.12 `ast` often gives wrong places inside an f-string.
_KNOWS_F_STRINGS: Final = sys.version_info >= (3, 12)

Node = TypeVar("Node", bound=ast.AST)
Fact = TypeVar("Fact")


class Scopes:
    """The scopes and bindings of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self._facts: Final[dict[tuple[object, int], Any]] = {}
        #: Node -> the innermost function or class around it.
        self._scope: Final[dict[int, Scope | None]] = {id(tree): None}
        #: All nodes of the module, but marks, in the order of `ast.walk`.
        self.nodes: Final[list[ast.AST]] = [tree]
        #: Those in the body of a `finally` or in a lambda, which mypy checks once for each context.
        self.in_turns: Final[set[int]] = set()
        #: Those whose places are unknown.
        self.unplaced: Final[set[int]] = set()
        self._bound: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._attributes: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._added: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._registered: Final[set[tuple[int, str]]] = set()
        self._imported: Final[dict[str, str]] = {}
        #: Names that are bound without a value: by a definition, an import or a pattern.
        self._otherwise: Final[set[tuple[int, str]]] = set()
        #: Names in `global` and `nonlocal` statements.
        self._everywhere: Final[set[str]] = set()
        self._augmented: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._labelled: Final[defaultdict[tuple[int, str], list[ast.expr]]] = defaultdict(list)
        self._functions: Final[dict[tuple[int, str], list[ast.FunctionDef]]] = {}
        self._returned: Final[defaultdict[int, list[ast.expr]]] = defaultdict(list)
        self._generators: Final[set[int]] = set()
        for node in self.nodes:  # which grows
            if type(node) in _LEAVES:
                continue
            around = node if isinstance(node, Scope) else self._scope[id(node)]
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _MARKS)]
            self._scope.update((id(child), around) for child in children)
            self.nodes.extend(children)
            if isinstance(node, ast.Lambda) or id(node) in self.in_turns:
                self.in_turns.update(map(id, children))
            elif isinstance(node, ast.Try | ast.TryStar):
                self.in_turns.update(map(id, node.finalbody))
            if (isinstance(node, ast.JoinedStr) and not _KNOWS_F_STRINGS) or id(node) in self.unplaced:
                self.unplaced.update(map(id, children))
        #: Those of them that may bind, register or return something.
        self.active: Final = [node for node in self.nodes if type(node) not in _PASSIVE]
        for node in self.active:
            self._read(node)
        for node in self.active:
            self._add(node)

    def _read(self, node: ast.AST) -> None:
        """Note what a node binds, registers, imports and returns."""
        for target, value in bindings(node):
            self._bind(target, value)
        registered = registration(node)
        if registered is not None:
            key = id(self.class_around(node)), registered[0]
            self._registered.add(key)
            self._attributes[key].append(registered[1])
        scope = id(self._scope[id(node)])
        self._otherwise.update((scope, name) for name in bound_otherwise(node))
        self._everywhere.update(node.names if isinstance(node, ast.Global | ast.Nonlocal) else ())
        if isinstance(node, ast.FunctionDef):
            self._functions.setdefault((scope, node.name), []).append(node)
        self._imported.update(imports(node))
        if isinstance(node, ast.Return) and node.value is not None:
            self._returned[scope].append(node.value)
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            self._generators.add(scope)

    @cached_property
    def outside(self) -> Sequence[Outside]:
        """What the module binds attributes of other objects than `self` to."""
        return tuple(outside_bindings(self.active))

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Attributes of such objects whose values the module does not show."""
        return frozenset(hidden_attributes(self.active))

    def once(self, fact: Callable[[Node], Fact], node: Node) -> Fact:
        """What a node of the tree says, found out once, however many readers of the module ask."""
        key = fact, id(node)
        if key not in self._facts:
            self._facts[key] = fact(node)
        found: Fact = self._facts[key]
        return found

    @property
    def packages(self) -> frozenset[str]:
        """The first parts of the names of the modules that it imports."""
        return frozenset(name.partition(".")[0] for name in self._imported.values())

    @cached_property
    def uses(self) -> FunctionUses:
        """How the module uses functions by name."""
        return FunctionUses(self.nodes)

    def _add(self, node: ast.AST) -> None:
        """Note what a statement does to variables besides plain assignments, now that all of those are known."""
        for target, value, is_text in additions(node):
            owner = self._owner(target)
            if owner is not None:
                (self._labelled if is_text else self._added)[owner].append(value)
        if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Subscript):
            owner = self._owner(node.target)
            if owner is not None:
                self._augmented[owner].append(node.value)

    def augments_attribute(self, cls: ast.ClassDef, name: str) -> bool:
        """Whether a method of a class has an augmented assignment to an attribute of `self`."""
        return (id(cls), f"self.{name}") in self._augmented

    @property
    def has_registrations(self) -> bool:
        """Whether a class of the module registers anything."""
        return bool(self._registered)

    def registers(self, cls: ast.ClassDef, name: str) -> bool:
        """Whether a class of PyTorch registers an attribute as a buffer or parameter of its modules."""
        return (id(cls), name) in self._registered

    def _owner(self, target: ast.expr) -> tuple[int, str] | None:
        """The variable, or the attribute of `self`, that holds a container, perhaps within another one."""
        target = container_of(target)
        if is_of_self(target):
            return id(self.class_around(target)), f"self.{target.attr}"
        return self.binding(target) if isinstance(target, ast.Name) else None

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
        return function is not None and not is_annotated(function)

    def returned(self, function: Function) -> Sequence[ast.expr]:
        """The expressions that a function returns, in the order of the text."""
        return self.once(self._sorted_returned, function)

    def _sorted_returned(self, function: Function) -> Sequence[ast.expr]:
        return sorted(self._returned.get(id(function), ()), key=lambda value: (value.lineno, value.col_offset))

    def is_generator(self, function: Function) -> bool:
        """Whether a function yields anything."""
        return id(function) in self._generators

    def values(self, name: ast.Name) -> Sequence[ast.expr]:
        """The values that the innermost scope of a name binds it to; empty for a parameter."""
        return () if self.function_with(name) is not None else self._bound.get(self.binding(name), ())

    def binds_plainly(self, name: ast.Name) -> bool:
        """Whether `values` are all values of a name: no other statement of the module binds it."""
        binding = self.binding(name)
        return self.is_bound_by_values(name) and binding not in self._augmented

    def is_unbound(self, name: ast.Name) -> bool:
        """Whether nothing in the module binds a name: it is one of Python's own."""
        return not (self.parameter(name) or self.values(name)) and self.binds_plainly(name)

    def is_bound_by_values(self, name: ast.Name) -> bool:
        """Whether only `values`, `added` and `augmented` tell what a name may be."""
        return name.id not in self._everywhere and self.binding(name) not in self._otherwise

    def augmented(self, name: ast.Name) -> Sequence[ast.expr]:
        """The right operands of the augmented assignments to a variable."""
        return self._augmented.get(self.binding(name), ())

    def labelled(self, name: ast.Name) -> Sequence[ast.expr]:
        """The values that `name["label"] = value` stores in a variable."""
        return self._labelled.get(self.binding(name), ())

    def local_functions(self, name: ast.Name) -> Sequence[ast.FunctionDef]:
        """The functions that a name stands for, by the definitions in its own module outside classes."""
        is_other = self.function_with(name) is not None or isinstance(self._binder(name), ast.ClassDef)
        return () if is_other else self._functions.get(self.binding(name), ())

    def parameter(self, name: ast.Name) -> str | None:
        """The function of which a name is a parameter; None if it is not a parameter."""
        function = self.function_with(name)
        if function is None:
            return None
        return "a lambda" if isinstance(function, ast.Lambda) else self.function_of(function.body[0])

    def binding(self, name: ast.Name) -> tuple[int, str]:
        """What identifies a variable: the scope that binds a name, and the name."""
        return id(self._binder(name)), name.id

    def function_with(self, name: ast.Name) -> Function | None:
        """The function of which a name is a parameter."""
        scope = self._binder(name)
        return scope if isinstance(scope, Function) and self._takes(scope, name.id) else None

    def rebound(self, name: ast.Name) -> Sequence[ast.expr]:
        """The values that the function of a parameter binds its name to."""
        return self._bound.get(self.binding(name), ()) if self.function_with(name) is not None else ()

    def default(self, name: ast.Name) -> ast.expr | None:
        """The default value of a parameter."""
        function = self.function_with(name)
        return defaults(function).get(name.id) if function is not None else None

    def _binder(self, name: ast.Name) -> Scope | None:
        """The scope that binds a name; None for the module."""
        return self.once(self._found_binder, name)

    def _found_binder(self, name: ast.Name) -> Scope | None:
        for place, scope in enumerate(self._around(name)):
            if isinstance(scope, ast.ClassDef) and place:  # its names are unknown to the functions in it
                continue
            if self._takes(scope, name.id) or self._is_bound(id(scope), name.id):
                return scope
        return None

    def added(self, name: ast.Name) -> Sequence[ast.expr]:
        """The items and iterables that `name.append(x)`, `name[i] = x` and the like add to a variable."""
        return self._added.get(self.binding(name), ())

    def attribute_values(self, attribute: ast.Attribute) -> Sequence[ast.expr]:
        """The values that the methods of the class bind `self.name` to."""
        key = id(self.class_around(attribute)), attribute.attr
        return self._attributes.get(key, ()) if is_of_self(attribute) else ()

    def attribute_names(self, cls: ast.ClassDef) -> Sequence[str]:
        """The names of the attributes of `self` that the methods of a class bind."""
        return self._attributes_of.get(id(cls), ())

    @cached_property
    def _attributes_of(self) -> dict[int, list[str]]:
        found: defaultdict[int, list[str]] = defaultdict(list)
        for cls, name in self._attributes:
            found[cls].append(name)
        return found

    def bound_attributes(self, cls: ast.ClassDef, name: str) -> Sequence[ast.expr]:
        """The values that the methods and the body of a class bind an attribute to."""
        return (*self._attributes.get((id(cls), name), ()), *self._bound.get((id(cls), name), ()))

    def added_to_attribute(self, cls: ast.ClassDef, name: str) -> Sequence[ast.expr]:
        """What the methods of a class add to an attribute of `self`."""
        key = id(cls), f"self.{name}"
        return (*self._added.get(key, ()), *self._labelled.get(key, ()))

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
        elif is_of_self(target):
            self._attributes[id(self.class_around(target)), target.attr].append(value)

    def _takes(self, scope: Scope | None, name: str) -> bool:
        """Whether a scope is a function with a parameter of that name."""
        return isinstance(scope, Function) and name in self.once(parameter_names, scope)

    def _is_bound(self, scope: int, name: str) -> bool:
        return (scope, name) in self._bound or (scope, name) in self._otherwise

    def _around(self, node: ast.AST) -> Iterator[Scope]:
        found = self._scope.get(id(node))
        while found is not None:
            yield found
            found = self._scope[id(found)]

    def scope_around(self, node: ast.AST) -> Scope | None:
        """The innermost function or class around a node; None for a module."""
        return next(self._around(node), None)

    def class_around(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around a node."""
        return next((each for each in self._around(node) if isinstance(each, ast.ClassDef)), None)
