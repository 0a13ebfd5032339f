"""Find the cause of an unknown dtype.

The cause is the innermost expression of unknown dtype whose parts are known. It may be in the definition of a name.
"""

import ast
from typing import Final

from mypy.nodes import CallExpr, Expression, GeneratorExpr, ListComprehension, ListExpr, MemberExpr, StarExpr, TupleExpr
from mypy.types import Type

from promo_mypy.plugin.interface.origins import Origins, Step
from promo_mypy.plugin.interface.trees import is_unannotated
from promo_mypy.program.candidates import Candidates
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.counts import Cause, Kind

_LONGEST: Final = 40
#: They have no type of their own here.
_DISPLAYS: Final = (TupleExpr, ListExpr, StarExpr, ListComprehension, GeneratorExpr)


class CauseFinder:
    """Finds the causes of unknown dtypes in one module. It is the trail of a walk back from them.

    Args:
        module: the module.
        candidates: its array expressions.
        program: the names of all checked modules.
    """

    def __init__(self, module: Module, candidates: Candidates, program: frozenset[str]) -> None:
        self._module = module
        self._typed = candidates.typed
        self._scopes = candidates.scopes
        self._candidates = candidates
        self._program = program
        self._origins: Final = Origins(module.facts.bound, self._type_of)

    def cause(self, expression: Known) -> Cause | None:
        """The cause of an unknown dtype."""
        end = self._origins.origin(expression.nodes[0], self)
        return self._named(end.node) if end is not None else None

    def follows(self, step: Step) -> bool:
        """Whether an unknown dtype may come from there."""
        known = self._typed.by_node.get(step.node)
        if known is None:
            return isinstance(step.node, _DISPLAYS)
        around = step.before.node if step.before is not None and step.definition is None else None
        owner = self._typed.by_node.get(around) if around is not None else None
        if isinstance(around, CallExpr) and owner is not None and isinstance(owner.syntax, ast.Call):
            return self._decides_call(known.syntax, owner.syntax)
        if isinstance(around, MemberExpr) and not self._is_array_or_any(known.syntax):
            return False
        return self._is_doubtful(known)

    def stops(self, step: Step) -> bool:
        """At what is not checked, at parameters, declared attributes, variables of modules, and functions."""
        known = self._typed.by_node.get(step.node)
        if known is None:
            return False
        match known.syntax:
            case _ if self._module.is_unchecked(known.syntax):
                return True
            case ast.Name():
                return self._scopes.parameter(known.syntax) is not None
            case ast.Attribute():
                variable = self._origins.variable(step.node)
                is_declared = variable is not None and not is_unannotated(variable)
                return is_declared or self._full_name(known.syntax) is not None
            case ast.Call(func=function):
                name, _ = self._typed.callee(function)
                return name is not None and not library_names.is_of_library(name)
        return False

    def ends(self, step: Step) -> bool:
        """Whether an expression is a cause that can be named."""
        return self._named(step.node) is not None

    def _type_of(self, node: Expression) -> Type | None:
        known = self._typed.by_node.get(node)
        return known.types[0] if known is not None else None

    def _is_array_or_any(self, expression: ast.expr) -> bool:
        return self._typed.is_array(expression) or self._typed.is_any(expression)

    def _is_doubtful(self, known: Known) -> bool:
        if known.arrays is not None:
            return known.arrays.dtypes is None
        # A container does not tell the dtypes of its elements here; its definition may.
        return self._typed.is_any(known.syntax) or isinstance(
            known.syntax, ast.Name | ast.Attribute | ast.Call | ast.Subscript
        )

    def _decides_call(self, part: ast.expr, call: ast.Call) -> bool:
        """Whether the unknown dtype of a part of a call may be that of its result."""
        name, kind = self._typed.callee(call.func)
        if self._scopes.imported(call.func) in library_names.CASTS:
            return part in call.args[1:]
        if name is None or part is call.func:
            return name is None and part is call.func
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) and kind is Kind.METHOD else []
        arguments = [*receiver, *call.args, *(each.value for each in call.keywords)]
        given = _owner_of_dtype(part)
        known = self._typed.known(given)
        if known is None or not self._is_doubtful(known) or (part is _owner(call.func) and not receiver):
            return False
        if self._candidates.counts(given):
            return True
        # The rule of the function needs an argument of unknown type, such as the result of an unannotated function.
        needs_type = library_names.is_known(name) and not any(map(self._typed.is_array, arguments))
        return needs_type and part is arguments[0] and self._typed.is_any(part)

    def _named(self, node: Expression) -> Cause | None:
        """An expression as a cause; None if its dtype is not in doubt, or another expression is to be named."""
        known = self._typed.by_node.get(node)
        if known is None:
            return None
        expression = known.syntax
        unchecked = self._scopes.function_of(expression) if self._module.is_unchecked(expression) else None
        if unchecked is not None:
            return Cause(Kind.UNCHECKED, unchecked)
        if isinstance(expression, ast.Name | ast.Attribute | ast.Call):
            return self._of_reference(expression) if self._is_array_or_any(expression) else None
        if not self._candidates.counts(expression):
            return None
        if isinstance(expression, ast.Subscript):
            info = self._typed.class_of(expression.value)
            return Cause(Kind.SUBSCRIPT, library_names.public(info.fullname) if info else _text(expression.value))
        return Cause(Kind.OPERATION, _text(expression))

    def _of_reference(self, expression: ast.Name | ast.Attribute | ast.Call) -> Cause:
        match expression:
            case ast.Name():
                return self._of_name(expression)
            case ast.Attribute():
                return self._of_attribute(expression)
            case ast.Call():
                return self._called(expression) or Cause(Kind.VALUE, _text(expression.func))

    def _of_name(self, name: ast.Name) -> Cause:
        function = self._scopes.parameter(name)
        if function is not None:
            return Cause(Kind.PARAMETER, f"`{name.id}` of {function}")
        full = self._scopes.imported(name) or f"`{name.id}`"
        if not self._typed.is_array(name):
            return Cause(Kind.VALUE, full)
        # A part of a function's result has no expression of its own: `values, vectors = eigh(x)`.
        calls = (each for each in self._scopes.values(name) if isinstance(each, ast.Call))
        return next(filter(None, map(self._called, calls)), None) or Cause(Kind.VARIABLE, full)

    def _of_attribute(self, attribute: ast.Attribute) -> Cause:
        full = self._full_name(attribute)
        member = full or self._typed.member(attribute) or _text(attribute)
        if full is None and library_names.is_of_library(member):
            return Cause(Kind.ATTRIBUTE, member)
        return Cause(Kind.VARIABLE if self._typed.is_array(attribute) else Kind.VALUE, member)

    def _full_name(self, attribute: ast.Attribute) -> str | None:
        """The full name of a variable of a module."""
        full = self._typed.reference(attribute)
        return full or (self._scopes.imported(attribute) if self._typed.is_any(attribute) else None)

    def _called(self, call: ast.Call) -> Cause | None:
        """The function that is called, as a cause."""
        name, kind = self._typed.callee(call.func)
        if name is None:
            return None
        own = any(name.startswith(f"{module}.") for module in self._program)
        return Cause(Kind.FUNCTION if own else kind, name)


def _owner(function: ast.expr) -> ast.expr | None:
    """The object whose method it is, or the module."""
    return function.value if isinstance(function, ast.Attribute) else None


def _owner_of_dtype(argument: ast.expr) -> ast.expr:
    """The array whose dtype is passed, as in `dtype=x.dtype`; any other argument as it is."""
    return argument.value if isinstance(argument, ast.Attribute) and argument.attr == "dtype" else argument


def _text(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"
