"""Find how a program makes objects of libraries for which mypy has no types."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import is_none
from promo_mypy.program.definitions.reader import MadeObject, Reader
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.rules import around
from promo_mypy.rules.around import numpy_objects
from promo_mypy.rules.around.tables import Made

#: Class of flax whose methods make parameters -> the name under which its rows stand.
MODULE: Final = "flax.linen.Module"


class Maker:
    """Finds them in the module of a reader."""

    def __init__(self, reader: Reader, code: OwnCode) -> None:
        self._reader = reader
        self._code = code
        self._scopes = reader.scopes
        self.made: Final = FoundOnce[ast.expr, tuple[MadeObject, ...]](
            self._objects_of_one_class, (), None, code.asking
        )
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
                shown = self._code.shown(expression, self._reader)
                found = [tuple(reader.made(value)) for reader, value in shown if not is_none(value)]
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
