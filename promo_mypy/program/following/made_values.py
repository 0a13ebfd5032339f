"""Find how a program makes objects of libraries for which mypy has no types."""

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from promo_mypy.program.checked.array_kinds import KINDS, ArrayKind
from promo_mypy.program.checked.arrays import Arrays
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.definitions.own_definitions import ModuleReader, is_none
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.rules import around
from promo_mypy.rules.around import numpy_objects
from promo_mypy.rules.around.tables import Made
from promo_mypy.rules.functions.language.arguments import Argument
from promo_mypy.rules.operands import Operand

#: Class of flax whose methods make parameters -> the name under which its rows stand.
MODULE: Final = "flax.linen.Module"


class Follower(ModuleReader, ABC):
    """Follows the arrays in a module of a program that may cast the parameters of its models."""

    def __init__(self, module: Module, typed: TypedExpressions, changes_parameters: bool) -> None:
        super().__init__(module, typed)
        self.changes_parameters: Final = changes_parameters
        self.maker: Final = Maker(self)
        self.systems: Final = {kind.library.value: kind.system(module) for kind in KINDS}
        """Library -> its promotion system in this module: see `ArrayKind.system`."""

    @abstractmethod
    def shown_bindings(self, attribute: ast.Attribute) -> "Sequence[tuple[Follower, ast.expr]]":
        """All that an attribute is bound to; empty if the program does not show that."""

    @abstractmethod
    def arrays(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value, or an item of it, may be; None if a dtype is unknown, or if it is not an array."""

    @abstractmethod
    def operands(self, expression: ast.expr, kind: ArrayKind) -> frozenset[Operand]:
        """The possible operands that an expression stands for; empty if unknown, or of another library."""

    @abstractmethod
    def arguments(self, expression: ast.expr, kind: ArrayKind) -> Iterator[Argument]:
        """The possible arguments of a function of a library that an expression stands for."""


class MadeObject(NamedTuple):
    """An object, the call that makes it if that decides something, and what reads the call."""

    made: Made
    call: ast.Call | None
    reader: Follower


class Maker:
    """Finds them in the module of a follower."""

    def __init__(self, reader: Follower) -> None:
        self._reader = reader
        self._scopes = reader.scopes
        self.made: Final = FoundOnce[ast.expr, tuple[MadeObject, ...]](self._objects_of_one_class, ())
        """The objects that a value may be, all of one class; empty for any other value."""

    def _objects_of_one_class(self, expression: ast.expr) -> tuple[MadeObject, ...]:
        found = self._objects(expression)
        return found if len({each.made.cls for each in found}) == 1 else ()

    def _objects(self, expression: ast.expr) -> tuple[MadeObject, ...]:
        match expression:
            case ast.Call():
                return self._called(expression)
            case ast.Subscript(value=owner):
                return tuple(self._derived(owner))
            case ast.Name() if self._scopes.binds_plainly(expression):
                # A parameter that is bound anew, too: what it was before that has no methods, or the same ones.
                bound = self._scopes.values(expression) or self._scopes.rebound(expression)
                return _fixed([self.made(each) for each in bound]) if bound else self._declared(expression)
            case ast.Attribute(value=owner):
                shown = self._reader.shown_bindings(expression)
                found = [reader.maker.made(value) for reader, value in shown if not is_none(value)]
                return _fixed(found) if found else tuple(self._derived(owner))
        return ()

    def _called(self, call: ast.Call) -> tuple[MadeObject, ...]:
        name = self._scopes.imported(call.func)
        if name is not None:
            cls = numpy_objects.MADE.get(name)
            made = Made(cls) if cls is not None else around.made_by(around.other_name(name))
            return (MadeObject(made, call, self._reader),) if made is not None else ()
        if not isinstance(call.func, ast.Attribute):
            return ()
        owner, attr = call.func.value, call.func.attr
        found = [around.made_by(f"{each.made.cls}.{attr}") for each in self.made(owner)]
        if found and None not in found:
            return tuple(MadeObject(each, call, self._reader) for each in found if each is not None)
        return tuple(self._derived(owner))

    def _derived(self, owner: ast.expr) -> Iterator[MadeObject]:
        for each in self.made(owner):
            cls = around.derived_from(each.made.cls)
            if cls is not None:
                yield MadeObject(Made(cls), None, self._reader)

    def _declared(self, name: ast.Name) -> tuple[MadeObject, ...]:
        """A parameter whose annotation names such a class, or the object of a method of flax."""
        function = self._scopes.function_with(name)
        if not isinstance(function, ast.FunctionDef):
            return ()
        arguments = (*function.args.posonlyargs, *function.args.args)
        cls = self._scopes.class_around(function)
        if cls is not None and arguments and arguments[0].arg == name.id == "self":
            is_module = any(self._scopes.imported(base) == MODULE for base in cls.bases)
            return (MadeObject(Made(MODULE), None, self._reader),) if is_module else ()
        for each in arguments:
            if each.arg == name.id and each.annotation is not None:
                found = around.class_of(self._scopes.imported(each.annotation) or "")
                return (MadeObject(Made(found), None, self._reader),) if found is not None else ()
        return ()


def _fixed(found: Sequence[tuple[MadeObject, ...]]) -> tuple[MadeObject, ...]:
    """The objects to which something is bound, if no other statement changes their dtypes in place."""
    every = [each for objects in found for each in objects]
    return tuple(every) if all(found) and not any(each.made.changes for each in every) else ()
