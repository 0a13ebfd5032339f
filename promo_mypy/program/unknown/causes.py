"""Name the cause of an unknown dtype."""

import ast
from collections.abc import Mapping
from typing import Final

from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Known
from promo_mypy.program.counts import Cause, Kind
from promo_mypy.program.definitions.reader import Reader, Source
from promo_mypy.program.unknown.sources import Inference
from promo_mypy.program.unknown.walk import Walk

_LONGEST: Final = 40


class UnknownDtypes:
    """Says why dtypes of a program are unknown."""

    def __init__(self, readers: Mapping[str, Inference]) -> None:
        self._walk: Final = Walk()
        self._modules: Final = tuple(f"{each.module.name}." for each in readers.values())
        self._readers: Final = readers

    def is_relative(self, expression: Known, path: str) -> bool:
        """Whether parameters, and nothing else that is unknown, decide a dtype.

        A parameter itself, and what it holds, are as unknown as the argument. A parameter counts if `Promote["x", "y"]`
        in the annotation of the result names it.
        """
        reader, syntax = self._readers[path], expression.syntax
        if isinstance(syntax, ast.Name) and reader.scopes.parameter(syntax) is not None:
            return reader.is_promoted(syntax)
        start = Source(reader, syntax)
        if reader.is_read_of_parameter(syntax) or self._walk.end(start) is not None:
            return False
        _, is_parameter = self._walk.first(start)
        return is_parameter

    def cause(self, expression: Known, path: str) -> Cause:
        """Why a dtype is unknown."""
        start = Source(self._readers[path], expression.syntax)
        if start.reader.module.is_unchecked(start.syntax):
            return _unchecked(start)
        return self._named(self._walk.end(start) or self._walk.first(start)[0])

    def _named(self, end: Source) -> Cause:
        reader, expression = end.reader, end.syntax
        if reader.module.is_unchecked(expression):
            return _unchecked(end)
        match expression:
            case ast.Name():
                return self._of_name(expression, reader)
            case ast.Attribute():
                return _of_attribute(expression, reader)
            case ast.Call():
                return self._called(expression, reader)
            case ast.Subscript():
                info = reader.typed.class_of(expression.value)
                return Cause(Kind.SUBSCRIPT, library_names.public(info.fullname) if info else _text(expression.value))
        return Cause(Kind.OPERATION, _text(expression))

    def _of_name(self, name: ast.Name, reader: Reader) -> Cause:
        function = reader.scopes.parameter(name)
        if function is not None:
            return Cause(Kind.PARAMETER, f"`{name.id}` of {function}")
        full = reader.scopes.imported(name) or f"`{name.id}`"
        return Cause(Kind.VARIABLE if reader.typed.is_array(name) else Kind.VALUE, full)

    def _called(self, call: ast.Call, reader: Reader) -> Cause:
        """The function that is called, as a cause."""
        name, kind = reader.typed.callee(call.func)
        if name is None:
            return Cause(Kind.VALUE, reader.scopes.imported(call.func) or _text(call.func))
        return Cause(Kind.FUNCTION if name.startswith(self._modules) else kind, name)


def _unchecked(source: Source) -> Cause:
    return Cause(Kind.UNCHECKED, source.reader.scopes.function_of(source.syntax))


def _of_attribute(attribute: ast.Attribute, reader: Reader) -> Cause:
    typed = reader.typed
    # A variable of a module, or what an object has.
    full = typed.reference(attribute) or (reader.scopes.imported(attribute) if typed.is_any(attribute) else None)
    member = full or typed.member(attribute) or _text(attribute)
    if full is None and library_names.is_of_library(member):
        return Cause(Kind.ATTRIBUTE, member)
    return Cause(Kind.VARIABLE if typed.is_array(attribute) else Kind.VALUE, member)


def _text(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"
