"""Look up mypy's types and full names for the expressions in Python's tree of a module."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from mypy.nodes import Expression, RefExpr, TypeInfo
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.interface.arrays import may_be_anything, modules_of, names
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.counts import Kind
from promo_mypy.rules.functions.torch.layers import LAYERS, Parameters


class TypedExpressions:
    """The expressions of one module."""

    def __init__(self, module: Module) -> None:
        self.scopes: Final = module.scopes
        self._known: dict[int, Known] = {id(each.syntax): each for each in module.expressions}

    def complete(self, expressions: Iterable[Known]) -> None:
        """Replace the expressions by others of the same places, of which more is known."""
        self._known = {id(each.syntax): each for each in expressions}

    @cached_property
    def by_node(self) -> Mapping[Expression, Known]:
        """mypy's node -> the expression with its type."""
        return {node: each for each in self._known.values() for node in each.nodes}

    def known(self, expression: ast.expr) -> Known | None:
        """The expression with its type; None for unreachable code, displays and constants."""
        return self._known.get(id(expression))

    def types(self, expression: ast.expr) -> tuple[Type, ...]:
        """Its types; none without `known`."""
        known = self.known(expression)
        return known.types if known is not None else ()

    def is_any(self, expression: ast.expr) -> bool:
        """Whether mypy infers Any, alone or in a union."""
        return any(map(may_be_anything, self.types(expression)))

    def is_array(self, expression: ast.expr) -> bool:
        """Whether mypy infers an array or a NumPy scalar."""
        known = self.known(expression)
        return known is not None and known.arrays is not None

    def class_of(self, expression: ast.expr) -> TypeInfo | None:
        """The class of the value."""
        for typ in self.types(expression):
            proper = get_proper_type(typ)
            if isinstance(proper, Instance):
                return proper.type
        is_skipped_self = isinstance(expression, ast.Name) and expression.id == "self" and not self.known(expression)
        return self._classes_of_self.get(self.scopes.class_around(expression)) if is_skipped_self else None

    @cached_property
    def _classes_of_self(self) -> Mapping[ast.ClassDef | None, TypeInfo]:
        """Class -> what mypy knows of it, for code that mypy skips: it has no types there, not even that of `self`."""
        owners = (
            each for each in self._known.values() if isinstance(each.syntax, ast.Name) and each.syntax.id == "self"
        )
        found = ((self.scopes.class_around(each.syntax), self.class_of(each.syntax)) for each in owners)
        return {cls: info for cls, info in found if cls is not None and info is not None and info.name == cls.name}

    def member(self, attribute: ast.Attribute) -> str | None:
        """The full name of a method or attribute of a value of known class."""
        info = self.class_of(attribute.value)
        if info is None or self.reference(attribute) is not None:
            return None
        definer = info.get_containing_type_info(attribute.attr) or info
        return f"{library_names.public(definer.fullname)}.{attribute.attr}"

    def reference(self, expression: ast.expr) -> str | None:
        """The full name of a module-level name that the checked module uses."""
        name = self._module_level(expression)
        return None if name is None else self.scopes.imported(expression) or name

    def definition(self, function: ast.expr) -> str | None:
        """The full name under which a called function or method is defined, whatever name the module imports."""
        name = self._module_level(function)
        return self.member(function) if name is None and isinstance(function, ast.Attribute) else name

    def _module_level(self, expression: ast.expr) -> str | None:
        """The full name under which a name is defined at the top of a module."""
        known = self.known(expression)
        references = (node for node in known.nodes if isinstance(node, RefExpr)) if known is not None else ()
        return next((node.fullname for node in references if "." in node.fullname), None)

    def callee(self, function: ast.expr) -> tuple[str | None, Kind]:
        """The name of the called function."""
        name = self.reference(function)
        if name is not None and not self._is_instance(function):
            return name, Kind.CALL
        if isinstance(function, ast.Attribute) and name is None:
            member = self.member(function)
            if member is not None:
                return member, Kind.METHOD
        info = self.class_of(function)
        definer = info.get_containing_type_info("__call__") if info is not None else None
        if definer is not None and definer.fullname != "builtins.function":
            return f"{library_names.public(definer.fullname)}.__call__", Kind.METHOD
        return name, Kind.CALL

    def new_module(self, function: ast.expr) -> TypeInfo | None:
        """The class of the module in an attribute of `self`, if each value of that is a new object of exactly it."""
        values = self.scopes.attribute_values(function) if isinstance(function, ast.Attribute) else ()
        classes = {self.definition(each.func) if isinstance(each, ast.Call) else None for each in values}
        info = self.class_of(function)
        is_new = info is not None and classes == {info.fullname} and info.has_base(names.TORCH_MODULE)
        return info if is_new else None

    def keeps_dtype(self, function: ast.expr) -> bool:
        """Whether a layer of PyTorch is called, or several in a row, whose result has the dtype of its input."""
        types = self.types(function)
        return bool(types) and all(map(_keeps_dtype, types))

    def _is_instance(self, function: ast.expr) -> bool:
        """Whether a variable is called instead of a function. Some NumPy and JAX functions are instances of classes;
        they do not count.
        """
        name = self.reference(function)
        return self.class_of(function) is not None and not library_names.is_of_library(name or "")


def _keeps_dtype(typ: Type) -> bool:
    cls = get_proper_type(typ)
    if not isinstance(cls, Instance) or not cls.type.module_name.startswith(names.TORCH_MODULES):
        return False
    if cls.type.fullname == names.TORCH_SEQUENTIAL:
        modules = modules_of(cls)
        return bool(modules) and all(map(_keeps_dtype, modules))
    layer = LAYERS.get(cls.type.name)
    return layer is not None and layer.parameters is not Parameters.TABLE


def deciding_parts(expression: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose dtypes decide that of an expression."""
    match expression:
        case ast.BinOp():
            yield from (expression.left, expression.right)
        case ast.UnaryOp():
            yield expression.operand
        case ast.BoolOp():
            yield from expression.values
        case ast.Compare():
            yield from (expression.left, *expression.comparators)
        case ast.IfExp():
            yield from (expression.body, expression.orelse)
        case ast.NamedExpr() | ast.Await() | ast.YieldFrom() | ast.Subscript():
            yield expression.value
        case _:
            yield from displayed(expression)


def displayed(expression: ast.expr) -> Iterator[ast.expr]:
    """The items of a display or a comprehension."""
    match expression:
        case ast.Tuple() | ast.List():
            yield from expression.elts
        case ast.Starred():
            yield expression.value
        case ast.ListComp() | ast.GeneratorExp():
            yield expression.elt
