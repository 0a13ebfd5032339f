"""Find the cause of an unknown dtype, and decide whether an expression of unknown type stands for an array.

The cause is the innermost expression of unknown dtype whose parts are known. It may be in the definition of a name.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import RefExpr, TypeInfo
from mypy.types import AnyType, Instance, get_proper_type

from promo_mypy.inference import library_names
from promo_mypy.inference.counts import Cause, Kind
from promo_mypy.inference.program import Known, Module
from promo_mypy.inference.scopes import Scopes

_LONGEST: Final = 40


class Losses:
    """Finds the causes in one module with these scopes; `program` has the names of all checked modules."""

    def __init__(self, module: Module, scopes: Scopes, program: frozenset[str]) -> None:
        self._module = module
        self._program = program
        self._scopes = scopes
        self._known: Final[dict[int, Known]] = {id(each.syntax): each for each in module.expressions}
        self._causes: Final[dict[int, Cause | None]] = {}
        self._arrays: Final[dict[int, bool]] = {}

    def stands_for_array(self, expression: ast.expr) -> bool:
        """Whether an expression of type Any is counted as an array.

        It is, if it comes from an array library that declares Any for it: the results of its functions and of the
        methods and subscripts of its arrays, except functions that never return an array. So is the result of an
        operation on such a value, or on an
        array: names, attributes of `self`, operators, subscripts, and attributes such as `T`.
        """
        key = id(expression)
        if key not in self._arrays:
            self._arrays[key] = False  # a value that depends on itself
            self._arrays[key] = self._is_any(expression) and self._gives_array(expression)
        return self._arrays[key]

    def cause(self, expression: ast.expr) -> Cause | None:
        """The cause of an unknown dtype; None if it is known, or if the expression is not an array."""
        key = id(expression)
        if key not in self._causes:
            self._causes[key] = None  # a value that depends on itself
            self._causes[key] = self._origin(expression) if self._is_doubtful(expression) else None
        return self._causes[key]

    # -- types from mypy -----------------------------------------------------------------------------------------------

    def _is_any(self, expression: ast.expr) -> bool:
        known = self._known.get(id(expression))
        return known is not None and any(isinstance(get_proper_type(typ), AnyType) for typ in known.types)

    def _is_array(self, expression: ast.expr) -> bool:
        known = self._known.get(id(expression))
        return known is not None and known.arrays is not None

    def _is_doubtful(self, expression: ast.expr) -> bool:
        """Whether an unknown dtype may come from an expression. Displays have no type of their own here."""
        known = self._known.get(id(expression))
        if known is None:
            return isinstance(expression, ast.Tuple | ast.List | ast.Starred | ast.ListComp | ast.GeneratorExp)
        if known.arrays is not None:
            return known.arrays.dtypes is None
        # A container does not tell the dtypes of its elements here; its definition may.
        return self._is_any(expression) or isinstance(expression, ast.Name | ast.Attribute | ast.Call | ast.Subscript)

    def _class(self, expression: ast.expr) -> TypeInfo | None:
        known = self._known.get(id(expression))
        for typ in known.types if known is not None else ():
            proper = get_proper_type(typ)
            if isinstance(proper, Instance):
                return proper.type
        return None

    def _member(self, attribute: ast.Attribute) -> str | None:
        """The full name of a method or attribute of a value of known class."""
        info = self._class(attribute.value)
        if info is None or self._reference(attribute) is not None:
            return None
        definer = info.get_containing_type_info(attribute.attr) or info
        return f"{library_names.public(definer.fullname)}.{attribute.attr}"

    def _reference(self, expression: ast.expr) -> str | None:
        """The full name of a module-level name that the checked module uses."""
        known = self._known.get(id(expression))
        for node in known.nodes if known is not None else ():
            if isinstance(node, RefExpr) and "." in node.fullname:
                return self._scopes.imported(expression) or node.fullname
        return None

    # -- expressions of unknown type
    # --------------------------------------------------------------------------------------

    def _gives_array(self, expression: ast.expr) -> bool:
        match expression:
            case ast.Call():
                name, _ = self._callee(expression.func)
                return name is not None and library_names.may_give_array(name)
            case ast.Attribute():
                if expression.attr in library_names.ARRAY_ATTRIBUTES:
                    return self._is_or_stands_for(expression.value)
                return any(map(self.stands_for_array, self._scopes.attribute_values(expression)))
            case ast.Subscript():
                return self._is_or_stands_for(expression.value)
            case ast.Name():
                return any(map(self.stands_for_array, self._scopes.values(expression)))
        return any(map(self._is_or_stands_for, _parts(expression)))

    def _is_or_stands_for(self, expression: ast.expr) -> bool:
        return self._is_array(expression) or self.stands_for_array(expression)

    # -- causes of unknown dtypes
    # ---------------------------------------------------------------------------------------------

    def _origin(self, expression: ast.expr) -> Cause | None:
        unchecked = self._scopes.function_of(expression) if self._is_unchecked(expression) else None
        if unchecked is not None:
            return Cause(Kind.UNCHECKED, unchecked)
        match expression:
            case ast.Name():
                return self._of_name(expression)
            case ast.Attribute():
                return self._of_attribute(expression)
            case ast.Call():
                return self._of_call(expression)
        inner = self._first(_parts(expression))
        if inner is not None or not self._is_or_stands_for(expression):
            return inner
        if isinstance(expression, ast.Subscript):
            info = self._class(expression.value)
            return Cause(Kind.SUBSCRIPT, library_names.public(info.fullname) if info else _text(expression.value))
        return Cause(Kind.OPERATION, _text(expression))

    def _is_unchecked(self, expression: ast.expr) -> bool:
        return not self._module.checks_untyped and self._scopes.is_unannotated(expression)

    def _first(self, expressions: Iterable[ast.expr]) -> Cause | None:
        return next((found for each in expressions if (found := self.cause(each)) is not None), None)

    def _of_name(self, name: ast.Name) -> Cause | None:
        function = self._scopes.parameter(name)
        if function is not None:
            return (
                Cause(Kind.PARAMETER, f"`{name.id}` of {function}")
                if self._is_array(name) or self._is_any(name)
                else None
            )
        inner = self._first(self._scopes.values(name))
        if inner is not None:
            return inner
        full = self._scopes.imported(name) or f"`{name.id}`"
        if self._is_array(name):
            # A part of a function's result has no expression of its own: `values, vectors = eigh(x)`.
            calls = (each for each in self._scopes.values(name) if isinstance(each, ast.Call))
            return next(filter(None, map(self._called, calls)), None) or Cause(Kind.VARIABLE, full)
        return Cause(Kind.VALUE, full) if self._is_any(name) else None

    def _of_attribute(self, attribute: ast.Attribute) -> Cause | None:
        doubted = self._is_array(attribute) or self._is_any(attribute)
        full = self._reference(attribute) or (self._scopes.imported(attribute) if self._is_any(attribute) else None)
        if full is not None:
            return Cause(Kind.VARIABLE if self._is_array(attribute) else Kind.VALUE, full) if doubted else None
        if self._is_array(attribute.value) or self._is_any(attribute.value):
            inner = self.cause(attribute.value)
            if inner is not None:
                return inner
        inner = self._first(self._scopes.attribute_values(attribute))
        if inner is not None or not doubted:
            return inner
        member = self._member(attribute) or _text(attribute)
        if library_names.is_of_library(member):
            return Cause(Kind.ATTRIBUTE, member)
        return Cause(Kind.VARIABLE if self._is_array(attribute) else Kind.VALUE, member)

    def _of_call(self, call: ast.Call) -> Cause | None:
        name, kind = self._callee(call.func)
        doubted = self._is_array(call) or self._is_any(call)
        if name is None:
            return self.cause(call.func) or (Cause(Kind.VALUE, _text(call.func)) if doubted else None)
        if not library_names.is_of_library(name):
            return self._called(call) if doubted else None
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) and kind is Kind.METHOD else []
        arguments = [*receiver, *call.args, *(each.value for each in call.keywords)]
        inner = self._first(each for each in arguments if self._may_decide(each))
        if inner is None and not any(map(self._is_array, arguments)) and library_names.is_known(name):
            # The rule of the function needs an argument of unknown type, such as the result of an unannotated function.
            inner = self._first(each for each in arguments[:1] if self._is_any(each))
        return inner or (Cause(kind, name) if doubted else None)

    def _called(self, call: ast.Call) -> Cause | None:
        """The function that is called, as a cause."""
        name, kind = self._callee(call.func)
        if name is None:
            return None
        own = any(name.startswith(f"{module}.") for module in self._program)
        return Cause(Kind.FUNCTION if own else kind, name)

    def _may_decide(self, argument: ast.expr) -> bool:
        """Whether the dtype of an argument may decide that of a call: an array, or a display that contains one."""
        return self._is_or_stands_for(argument) or any(self._may_decide(each) for each in _displayed(argument))

    def _callee(self, function: ast.expr) -> tuple[str | None, Kind]:
        """The name of the called function."""
        name = self._reference(function)
        if name is not None and not self._is_instance(function):
            return name, Kind.CALL
        if isinstance(function, ast.Attribute) and name is None:
            member = self._member(function)
            if member is not None:
                return member, Kind.METHOD
        info = self._class(function)
        definer = info.get_containing_type_info("__call__") if info is not None else None
        if definer is not None and definer.fullname != "builtins.function":
            return f"{library_names.public(definer.fullname)}.__call__", Kind.METHOD
        return name, Kind.CALL

    def _is_instance(self, function: ast.expr) -> bool:
        """Whether a variable is called instead of a function. Some NumPy and JAX functions are instances of classes;
        they do not count.
        """
        name = self._reference(function)
        return self._class(function) is not None and not library_names.is_of_library(name or "")


def _parts(expression: ast.expr) -> Iterator[ast.expr]:
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
            yield from _displayed(expression)


def _displayed(expression: ast.expr) -> Iterator[ast.expr]:
    match expression:
        case ast.Tuple() | ast.List():
            yield from expression.elts
        case ast.Starred():
            yield expression.value
        case ast.ListComp() | ast.GeneratorExp():
            yield expression.elt


def _text(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"
