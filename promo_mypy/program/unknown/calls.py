"""Find what the result of a call may have its unknown dtype from: arguments, and what functions return."""

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.program.checked import library_names
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import OwnFunction, is_owner, is_super, is_type
from promo_mypy.program.definitions.reader import Reader, Source, Way
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.program.syntax.keywords import passed
from promo_mypy.program.unknown.function_names import (
    BUILTINS,
    LIBRARIES,
    NAMESPACES,
    OF_CONTAINERS,
    PASSING,
    TELLING,
)
from promo_mypy.program.unknown.sample_calls import SampleCalls
from promo_mypy.rules import around, functions
from promo_mypy.rules.around import numpy_objects, scipy_linalg
from promo_mypy.rules.functions.language.rows import Row

_CLASSES: Final = ("numpy.ndarray", "jax.Array", "torch.Tensor")
#: The most names that lead from one to the next.
_MOST_NAMES: Final = 8


class Calls:
    """The calls of one module."""

    def __init__(self, reader: Reader, code: OwnCode) -> None:
        self._reader = reader
        self._typed = reader.typed
        self._scopes = reader.scopes
        self._code = code
        self._samples: Final = SampleCalls(reader)
        self.is_namespace: Final = FoundOnce(self._is_namespace, unknown=False)
        """Whether a value is the namespace of arrays, also one that a function of the program returns."""

    def sources(self, call: ast.Call) -> Sequence[Source] | None:
        """What a call may have its unknown dtype from; None if nothing tells."""
        function, name = call.func, self._name(call.func)
        arguments = self._here(passed(call))
        if name is not None and name in library_names.CASTS:
            return arguments[1:]
        if name is not None and _is_passing(name):
            return arguments
        row = around.row_of(name) if name is not None else None
        if row is not None:
            return self._deciding([row], call)
        namespace, rows = self._of_namespace(function)
        if namespace is not None:
            decided = self._deciding(rows, call)
            return [Source(self._reader, namespace), *decided] if decided is not None else None
        own = self._own(function)
        if own:
            results = self._results(own, _is_of_self(function))
            return None if results is None else [*results, *self._owner(function), *arguments]
        if self._typed.keeps_dtype(function):  # a layer
            return arguments[:1]
        if self._is_of_class(function):
            return [*self._when_called(call), *arguments]
        if self._makes_layer(call) or _is_class(function):
            return arguments
        if isinstance(function, ast.Attribute) and not self._of_variable(function):
            return self._of_method(function, call, arguments) if name is None else None
        if isinstance(function, ast.Name) and self._reader.sources(function) is None:
            return None
        return [Source(self._reader, function), *arguments]

    def of_function(self, function: ast.Name | ast.Attribute) -> Sequence[Source] | None:
        """What the results of a function may have unknown dtypes from; None if nothing tells.

        What stands for a dtype of a library has no sources.
        """
        own = self._own(function)
        if own:
            results = self._results(own, _is_of_self(function))
            return None if results is None else [*results, *self._owner(function)]
        name = self._name(function)
        if name is not None and (library_names.is_known(name) or _is_passing(name)):
            return ()
        if self._is_of_class(function) or self._samples.named_dtype(function) is not None:
            return ()
        return self._of_variable(function) or None

    def _of_variable(self, function: ast.expr) -> list[Source]:
        """What a module binds the name of a function to, as in `fast = jax.jit(slow)`."""
        variable = self._code.variable(self._typed.definition(function) or "")
        return [Source(variable[1], variable[0])] if variable is not None else []

    def _here(self, expressions: Iterable[ast.expr]) -> list[Source]:
        return [Source(self._reader, each) for each in expressions]

    def _deciding(self, rows: Iterable[Row], call: ast.Call, receiver: Sequence[ast.expr] = ()) -> list[Source] | None:
        """The arguments that decide, by the first of these rules under which any does; a receiver is one of them."""
        found = (self._samples.deciding(each, call, receiver) for each in rows)
        deciding = next((each for each in found if each is not None), None)
        return self._here([*receiver, *deciding]) if deciding is not None else None

    def _of_method(
        self, function: ast.Attribute, call: ast.Call, arguments: Sequence[Source]
    ) -> Sequence[Source] | None:
        bound = self._reader.bindings(function)
        if bound is not None:
            return [*bound, *arguments]
        owner, member = function.value, self._typed.member(function)
        every = [member] if member is not None else [f"{cls}.{function.attr}" for cls in _CLASSES]
        found = self._deciding([row for name in every if (row := functions.find(name)) is not None], call, [owner])
        if found is not None:
            return found
        if function.attr in TELLING:
            return self._here([owner])
        has_class = self._typed.class_of(owner) is not None and not self._typed.is_any(owner)
        if function.attr in OF_CONTAINERS or not has_class:
            return [Source(self._reader, owner), *arguments]
        return None

    def _of_namespace(self, function: ast.expr) -> tuple[ast.Name | None, Sequence[Row]]:
        """A namespace that belongs to arrays, as in `xp = array_namespace(x)`, and its functions of a name."""
        path: list[str] = []
        while isinstance(function, ast.Attribute):
            path.insert(0, function.attr)
            function = function.value
        if not path or not isinstance(function, ast.Name) or not self.is_namespace(function):
            return None, ()
        found = (functions.find(".".join((module, *path))) for module in LIBRARIES)
        return function, [row for row in found if row is not None]

    def _is_namespace(self, value: ast.expr) -> bool:
        match value:
            case ast.Call(func=function) if self._name(function) in NAMESPACES:
                return True
            case ast.Call(func=function):
                own = self._own(function)
                return bool(own) and all(each.is_followed and _returns_namespace(each) for each in own)
            case ast.Name() if self._scopes.is_bound_by_values(value):
                values = self._scopes.values(value)
                return bool(values) and all(map(self.is_namespace, values))
        return False

    def _name(self, function: ast.expr) -> str | None:
        """The full name of a library's or Python's function, under whatever name the program calls it."""
        for _ in range(_MOST_NAMES):
            alias = self._code.variable(self._typed.definition(function) or "")
            if alias is not None and not isinstance(alias[0], ast.Call):
                value, reader = alias
                return reader.scopes.imported(value)
            name = self._scopes.imported(function)
            if name is not None:
                return name
            if not isinstance(function, ast.Name) or self._scopes.parameter(function) is not None:
                return None
            values = self._scopes.values(function)
            if not values and not self._scopes.local_functions(function):
                return function.id if function.id in BUILTINS else None
            if len(values) != 1 or not isinstance(values[0], ast.Name | ast.Attribute):
                return None
            function = values[0]
        return None

    def _own(self, function: ast.expr) -> Sequence[OwnFunction]:
        """The functions of the program that a call may call; a subclass in the program may have its own method."""
        if isinstance(function, ast.Name):
            if self._scopes.parameter(function) is not None:
                return ()
            local = self._scopes.local_functions(function)
            if local:
                return [OwnFunction(each, self._reader) for each in local if not _is_overload(each)]
        module = self._typed.new_module(function)
        forward = self._code.method(module, "forward") if module is not None else None
        if forward is not None:
            return [forward]
        if is_owner(function):
            cls = self._code.class_of(function, self._reader)
            return self._code.methods(cls, "__call__") or self._code.methods(cls, "forward")
        if isinstance(function, ast.Attribute):
            if function.attr == "apply" and self._is_of_class(function.value):  # of torch.autograd.Function
                return self._code.methods(self._typed.definition(function.value) or "", "forward")
            methods = self._code.methods(self._code.class_of(function.value, self._reader), function.attr)
            if methods:
                return methods
        found = self._code.function(self._typed.definition(function) or "")
        return [found] if found is not None else ()

    def _results(self, own: Sequence[OwnFunction], is_self: bool) -> list[Source] | None:
        """What functions return, and the decorators that may change that; None if one returns nothing, or yields."""
        if not all(each.returns_values for each in own):
            return None
        found = []
        for each in own:
            is_closure = is_self if each.is_method else each.reader.scopes.definition(each.node) is not None
            way = Way.CLOSURE if is_closure else Way.RESULT
            found += [Source(each.reader, value, way) for value in (*each.decorators, *each.returned)]
        return found

    def _owner(self, function: ast.expr) -> list[Source]:
        """The object whose method is called. A method has its own `self`."""
        if not isinstance(function, ast.Attribute) or self._typed.reference(function) is not None:
            return []
        is_told = _is_of_self(function) or self._is_of_class(function.value)
        return [] if is_told else self._here([function.value])

    def _is_of_class(self, function: ast.expr) -> bool:
        """Whether it is a class of the program."""
        return self._code.is_class(self._typed.definition(function) or "")

    def _makes_layer(self, call: ast.Call) -> bool:
        """Whether it makes a module of a library, which consists of what it is given."""
        made = self._typed.class_of(call)
        is_module = made is not None and made.has_base(names.TORCH_MODULE)
        return is_module and made is not None and made.fullname == self._typed.definition(call.func)

    def _when_called(self, new: ast.Call) -> list[Source]:
        """What a new object returns when it is called."""
        cls = self._typed.class_of(new)
        methods = [self._code.method(cls, name) for name in ("__call__", "forward")] if cls is not None else []
        return self._results([each for each in methods if each is not None], is_self=False) or []


def _is_passing(name: str) -> bool:
    """Whether the result of a function consists of its arguments, or of what these return."""
    is_listed = name in PASSING or name in numpy_objects.MADE or name.startswith("operator.")
    return is_listed or scipy_linalg.find(name) is not None


def _is_overload(function: ast.FunctionDef) -> bool:
    """Whether a function is one of several signatures."""
    return any(ast.unparse(each).rpartition(".")[2] == "overload" for each in function.decorator_list)


def _is_of_self(function: ast.expr) -> bool:
    """Whether it is `self`, a method of it, or one of a base class."""
    owner = function.value if isinstance(function, ast.Attribute) else function
    return is_owner(owner) or is_super(owner)


def _is_class(function: ast.expr) -> bool:
    """Whether a call of it makes an object of the class around it, or of that of another object."""
    return is_type(function) or (isinstance(function, ast.Name) and function.id == "cls")


def _returns_namespace(function: OwnFunction) -> bool:
    return all(map(function.reader.is_namespace, function.returned))
