"""Decide whether the dtype of a call follows from those of parameters: calls of library functions, of functions,
methods and classes of the program, and of parameters.
"""

import ast
from collections.abc import Sequence
from typing import Final

from promo_mypy.program.checked import library_names
from promo_mypy.program.decided.function_names import (
    BRANCHES,
    BUILTINS,
    CALLING,
    GATHERING,
    LIBRARIES,
    NAMESPACES,
    NAMING_DTYPES,
    OF_CONTAINERS,
    OF_ITEMS,
    PASSING,
    TELLING,
    WRAPPING,
)
from promo_mypy.program.decided.own_code import OwnCode
from promo_mypy.program.decided.own_definitions import OwnFunction, is_super
from promo_mypy.program.decided.reader import OWNERS, Reader
from promo_mypy.program.decided.sample_calls import SampleCalls
from promo_mypy.program.syntax.call_parts import choices, is_overload, passed
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.rules import around, functions
from promo_mypy.rules.around import numpy_objects, scipy_linalg
from promo_mypy.rules.functions.language.rows import Row


class Called:
    """The calls of one module.

    Args:
        decided: what is decided in the module.
        code: the functions and classes of the program.
        samples: what the rules answer for calls of library functions.
    """

    def __init__(self, decided: Reader, code: OwnCode[Reader], samples: SampleCalls) -> None:
        self._decided = decided
        self._code = code
        self._samples = samples
        self.is_namespace: Final = FoundOnce(self._is_namespace, start=False)
        """Whether a value is the namespace of arrays, also one that a function of the program returns."""

    def is_certain(self, call: ast.Call, as_object: bool) -> bool:
        """Whether parameters and known values decide the dtype of a call, or of all attributes of what it returns."""
        function, arguments = call.func, passed(call)
        name = self._name(function)
        by_name = self._is_certain_by_name(name, call, arguments) if name is not None else None
        if by_name is not None:
            return by_name
        rows = self._functions_of(function)
        if rows is not None:
            return any(self._samples.decide(row, call) for row in rows)
        own = self._own(function)
        if own:
            is_certain = self._is_certain_owner(function) and self._are_certain(arguments)
            return is_certain and all(_is_certain_result(each, as_object) for each in own)
        if self._decided.typed.keeps_dtype(function):  # a layer
            return self._are_certain(arguments[:1])
        is_known = self._is_of_class(function) or self._is_passed(function)
        is_known = is_known or self._gathers(function)
        if is_known or self._decided.certain_function(function):
            return self._are_certain(arguments)
        return isinstance(function, ast.Attribute) and self._is_certain_method(function, call, arguments)

    def is_rooted(self, call: ast.Call) -> bool:
        """Whether a parameter takes part in what a call returns."""
        decided = self._decided
        if any(map(decided.rooted, passed(call))) or self._is_passed(call.func):
            return True
        own = [each for each in self._own(call.func) if each.is_method or decided.scopes.definition(each.node)]
        if any(each.reader.rooted(value) for each in own for value in each.returned):
            return True  # a parameter of the constructor, or of the function around it
        owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        return decided.rooted(owner)

    def is_certain_function(self, function: ast.expr) -> bool:
        """Whether parameters and known values decide the dtypes that a function returns."""
        match function:
            case ast.Lambda(body=body):
                return self._decided.certain(body)
            case ast.Constant():
                return True  # not a function
            case ast.Dict() | ast.Tuple() | ast.List() | ast.BoolOp() | ast.IfExp() | ast.Subscript():
                return all(map(self._decided.certain_function, choices(function)))
            case ast.Call(func=wrapper, args=[wrapped, *others]) if self._name(wrapper) in WRAPPING:
                return self._decided.certain_function(wrapped) and self._are_certain(others)
            case ast.Call():
                return self._decided.certain(function)
            case ast.Attribute() if (bound := self._decided.shown_bindings(function)) is not None:
                return all(reader.certain_function(value) for reader, value in bound)
        if self._is_passed(function) or self._functions_of(function):
            return True
        own = self._own(function)
        if own:
            return self._is_certain_owner(function) and all(_is_certain_result(each, True) for each in own)
        name = self._name(function)
        if name is not None:
            return library_names.is_known(name) or name in PASSING | CALLING or name.startswith("operator.")
        if isinstance(function, ast.Name) and self._decided.scopes.is_bound_by_values(function):
            scopes = self._decided.scopes
            values = scopes.values(function)
            every = [*values, *scopes.added(function), *scopes.labelled(function)]
            return bool(values) and all(map(self._decided.certain_function, every))
        return False

    def names_dtype(self, value: ast.expr) -> bool:
        """Whether a value stands for a dtype that parameters decide, or for a known one."""
        match value:
            case ast.Call(func=function) if self._name(function) in NAMING_DTYPES:
                return self._are_certain(passed(value))
            case ast.Call(func=function) if self._name(function) in OF_ITEMS:
                every = passed(value)
                return all(self._decided.certain_dtype(each) or self._are_certain([each]) for each in every)
            case ast.Call(func=ast.Attribute(attr="pop", value=container), args=[]):
                return self._decided.certain_dtype(container)
            case ast.Call(func=function) if own := self._own(function):
                named = all(each.is_followed and all(map(each.reader.certain_dtype, each.returned)) for each in own)
                return named and self._is_certain_owner(function) and self._are_certain(passed(value))
            case ast.Attribute() | ast.Name():
                variable = self._code.variable(self._decided.typed.definition(value) or "")
                if variable is not None:
                    bound, reader = variable
                    return reader.certain_dtype(bound)
        return self._samples.named_dtype(value) is not None

    def _functions_of(self, function: ast.expr) -> Sequence[Row] | None:
        """The functions of a namespace that belongs to arrays, as in `xp = array_namespace(x)`; None for any other."""
        path: list[str] = []
        while isinstance(function, ast.Attribute):
            path.insert(0, function.attr)
            function = function.value
        scopes = self._decided.scopes
        if not path or not isinstance(function, ast.Name) or not scopes.is_bound_by_values(function):
            return None
        made = scopes.values(function)
        if not made or not all(map(self.is_namespace, made)):
            return None
        if not all(self._decided.certain(each, as_object=True) for each in made):
            return ()
        found = (functions.find(".".join((module, *path))) for module in LIBRARIES)
        return [row for row in found if row is not None]

    def _is_namespace(self, value: ast.expr) -> bool:
        match value:
            case ast.Call(func=function) if self._name(function) in NAMESPACES:
                return True
            case ast.Call(func=function):
                own = self._own(function)
                return bool(own) and all(each.is_followed and _returns_namespace(each) for each in own)
            case ast.Name() if self._decided.scopes.is_bound_by_values(value):
                values = self._decided.scopes.values(value)
                return bool(values) and all(map(self.is_namespace, values))
        return False

    def _is_certain_by_name(self, name: str, call: ast.Call, arguments: Sequence[ast.expr]) -> bool | None:
        """The answer for a function of a library; None if its name tells nothing."""
        if name in library_names.CASTS:
            return self._are_certain(arguments[1:])
        if name in numpy_objects.MADE:
            return True
        if name == "getattr" and arguments:
            return self._decided.is_any(arguments[0]) and self._are_certain(arguments)
        if name in PASSING or name in NAMESPACES:
            return self._are_certain(arguments)
        if name in CALLING | WRAPPING and arguments:
            return self._decided.certain_function(arguments[0]) and self._are_certain(arguments[1:])
        if name in BRANCHES:
            return all(map(self._is_certain_branch, arguments[BRANCHES[name] :]))
        if scipy_linalg.find(name) is not None:
            return self._are_certain(arguments)
        row = around.row_of(name)
        return self._samples.decide(row, call) if row is not None else None

    def _is_certain_branch(self, argument: ast.expr) -> bool:
        if isinstance(argument, ast.Tuple | ast.List):
            return all(map(self._is_certain_branch, argument.elts))
        return self._decided.certain_function(argument) or self._decided.certain(argument)

    def _is_certain_method(self, function: ast.Attribute, call: ast.Call, arguments: Sequence[ast.expr]) -> bool:
        decided, receiver = self._decided, function.value
        if decided.certain(receiver) and self._samples.decide_method(function, call):
            return True
        if function.attr in TELLING:
            return decided.certain(receiver)
        if function.attr in OF_CONTAINERS:
            return decided.certain(receiver) and self._are_certain(arguments)
        if library_names.is_array_method(function.attr) or not decided.is_any(receiver):
            return False
        return decided.certain(receiver, as_object=True) and self._are_certain(arguments)

    def _name(self, function: ast.expr) -> str | None:
        """The full name of a library's or Python's function, under whatever name the program calls it."""
        scopes, waiting = self._decided.scopes, function
        for _ in range(_MOST_NAMES):
            alias = self._code.variable(self._decided.typed.definition(waiting) or "")
            if alias is not None and not isinstance(alias[0], ast.Call):
                value, reader = alias
                return reader.scopes.imported(value)
            name = scopes.imported(waiting)
            if name is not None:
                return name
            if not isinstance(waiting, ast.Name) or scopes.parameter(waiting) is not None:
                return None
            values = scopes.values(waiting)
            if not values and not scopes.local_functions(waiting):
                return waiting.id if waiting.id in BUILTINS else None
            if len(values) != 1 or not isinstance(values[0], ast.Name | ast.Attribute):
                return None
            waiting = values[0]
        return None

    def _own(self, function: ast.expr) -> Sequence[OwnFunction[Reader]]:
        """The functions of the program that a call may call; a subclass in the program may have its own method."""
        decided = self._decided
        if isinstance(function, ast.Name) and decided.scopes.parameter(function) is not None:
            return ()
        if isinstance(function, ast.Name):
            local = decided.scopes.local_functions(function)
            if local:
                return [OwnFunction(each, decided) for each in local if not is_overload(each)]
        forward = decided.typed.forward_of(function)
        if forward is not None:
            return self._code.methods(*forward.rsplit(".", 1))
        if isinstance(function, ast.Attribute):
            if function.attr == "apply" and self._is_of_class(function.value):  # of torch.autograd.Function
                return self._code.methods(decided.typed.definition(function.value) or "", "forward")
            methods = self._code.methods(self._code.class_of(function.value, decided), function.attr)
            if methods:
                return methods
        found = self._code.function(decided.typed.definition(function) or "")
        return [found] if found is not None else ()

    def _is_certain_owner(self, function: ast.expr) -> bool:
        """Whether parameters and known values decide the object whose method is called. A method has its own `self`."""
        if not isinstance(function, ast.Attribute) or self._decided.typed.reference(function) is not None:
            return True
        is_self = isinstance(function.value, ast.Name) and function.value.id in OWNERS
        is_class = self._is_of_class(function.value)
        return is_self or is_super(function.value) or is_class or self._decided.certain(function.value, as_object=True)

    def _is_of_class(self, function: ast.expr) -> bool:
        """Whether a call makes an object of a class of the program."""
        return self._code.is_class(self._decided.typed.definition(function) or "")

    def _is_passed(self, function: ast.expr) -> bool:
        """Whether a function is a parameter, or an attribute of one: each call decides what it returns."""
        decided = self._decided
        if isinstance(function, ast.Attribute):
            is_any = decided.is_any(function.value) and not library_names.is_array_method(function.attr)
            return is_any and self._is_passed(function.value)
        return decided.is_parameter(function) and decided.certain(function, as_object=True)

    def _gathers(self, function: ast.expr) -> bool:
        """Whether a call of a value returns its arguments in a list: `Parallel(2)(delayed(f)(x) for x in xs)`."""
        if isinstance(function, ast.Call):
            return self._name(function.func) in GATHERING
        scopes = self._decided.scopes
        values = scopes.values(function) if isinstance(function, ast.Name) and scopes.binds_plainly(function) else ()
        return bool(values) and all(isinstance(each, ast.Call) and self._gathers(each) for each in values)

    def _are_certain(self, arguments: Sequence[ast.expr]) -> bool:
        return all(map(self._is_certain_argument, arguments))

    def _is_certain_argument(self, argument: ast.expr) -> bool:
        decided = self._decided
        is_certain = decided.certain(argument, as_object=True) or decided.certain_function(argument)
        return is_certain or decided.certain_dtype(argument)


#: The most names that lead from one to the next.
_MOST_NAMES: Final = 8


def _is_certain_result(function: OwnFunction[Reader], as_object: bool) -> bool:
    reader = function.reader
    is_followed = function.returns_values and all(map(reader.certain_function, function.decorators))
    return is_followed and all(reader.certain(each, as_object=as_object) for each in function.returned)


def _returns_namespace(function: OwnFunction[Reader]) -> bool:
    return all(map(function.reader.is_namespace, function.returned))
