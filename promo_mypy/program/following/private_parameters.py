"""Infer the dtypes of parameters of private functions, and of functions inside functions, from all of their calls.

Only the program calls these. The arguments are known if the program only calls such a function, and does not pass it on
or store it, and if the calls spell out their arguments.
"""

import ast
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from mypy.types import AnyType, NoneType, Type

from promo_mypy.plugin.interface.arrays import members
from promo_mypy.program.checked.array_kinds import ArrayKind
from promo_mypy.program.checked.arrays import Arrays, arrays_of, united_known
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import is_none, is_private, is_super
from promo_mypy.program.definitions.reader import Reader
from promo_mypy.program.following.decorated import results_kept
from promo_mypy.program.syntax.function_uses import SpreadError, argument, local_calls, names_function
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand


class _Call(NamedTuple):
    node: ast.Call
    reader: Reader
    #: The number of first parameters that it does not pass.
    skipped: int


class PrivateCalls:
    """The calls of such functions."""

    def __init__(self, code: OwnCode) -> None:
        self._code = code
        #: What the modules use otherwise than in calls, and the strings in them that may name a private function.
        self._values: Final[set[str]] = set()
        self._texts: Final[set[str]] = set()
        self._named: Final[defaultdict[str, list[tuple[Reader, ast.Call]]]] = defaultdict(list)
        self._calls: Final[dict[ast.FunctionDef, Sequence[_Call] | None]] = {}

    def add(self, reader: Reader) -> None:
        """Add the calls of a module."""
        uses = reader.scopes.uses
        self._values.update(uses.values)
        self._texts.update(text for text in uses.texts if text.startswith("_"))
        for name, calls in uses.calls.items():
            if is_private(name):
                self._named[name] += [(reader, call) for call in calls]

    def passed(self, name: ast.Name, reader: Reader) -> Sequence[tuple[Reader, ast.expr]]:
        """All that calls pass for a parameter, its default included; empty if the program does not show that."""
        function = reader.scopes.function_with(name)
        if not isinstance(function, ast.FunctionDef):
            return ()
        if function not in self._calls:
            self._calls[function] = self._calls_of(function, reader)
        try:
            calls = self._calls[function] or ()
            values = [(each.reader, argument(each.node, function, name.id, each.skipped)) for each in calls]
        except SpreadError:
            return ()
        default = reader.scopes.default(name)
        found = [(by, value) for by, value in values if value is not None]
        return [*found, (reader, default)] if default is not None and len(found) < len(values) else found

    def _calls_of(self, function: ast.FunctionDef, reader: Reader) -> Sequence[_Call] | None:
        around = reader.scopes.scope_around(function)
        if isinstance(around, ast.FunctionDef):
            calls = local_calls(around, function.name)
            return [_Call(each, reader, 0) for each in calls] if calls is not None else None
        cls = around if isinstance(around, ast.ClassDef) else None
        is_shown = around is None or bool(self._code.name_of(cls))
        if not is_shown or not is_private(function.name):
            return None
        if function.name in self._values or names_function(self._texts, function.name):
            return None
        found = []
        for each, call in self._named.get(function.name, ()):
            if not self._calls_other(call, each, function, cls):
                skipped = self._skipped(call, each, function, cls)
                if skipped is None:
                    return None
                found.append(_Call(call, each, skipped))
        return found

    def _calls_other(self, call: ast.Call, reader: Reader, function: ast.FunctionDef, cls: ast.ClassDef | None) -> bool:
        """Whether a call is certainly not one of this function, but of another one with its name."""
        local = reader.scopes.local_functions(call.func) if isinstance(call.func, ast.Name) else ()
        if local:
            return function not in local
        owner = self._code.class_of(call.func.value, reader) if isinstance(call.func, ast.Attribute) else ""
        if self._code.is_class(owner):
            return cls is None or not self._code.are_related(self._code.name_of(cls), owner)
        called = self._code.function(reader.typed.definition(call.func) or "")
        return called is not None and called.node is not function

    def _skipped(
        self, call: ast.Call, reader: Reader, function: ast.FunctionDef, cls: ast.ClassDef | None
    ) -> int | None:
        """The number of first parameters that a call does not pass; None if that is not certain."""
        decorators = {each.id for each in function.decorator_list if isinstance(each, ast.Name)}
        if cls is None or "staticmethod" in decorators:
            return 0
        if not isinstance(call.func, ast.Attribute):
            return None
        if "classmethod" in decorators:
            return 1
        is_object = reader.typed.class_of(call.func.value) is not None
        return 1 if is_object or is_super(call.func.value) else None


def parameter_arrays(name: ast.Name, reader: Reader, calls: PrivateCalls) -> Arrays | None:
    """Every array that a parameter may be; None if it may be anything else."""
    values = _values(name, reader, calls)
    found = united_known(by.arrays(value) if _is_array(value, by) else None for by, value in values)
    return found if found is not None and _keeps_arguments(name, reader, found) else None


def parameter_operands(name: ast.Name, reader: Reader, calls: PrivateCalls, kind: ArrayKind) -> frozenset[Operand]:
    """Every operand that a parameter may be, Python numbers included; empty if unknown."""
    found = [by.operands(value, kind) for by, value in _values(name, reader, calls)]
    every = frozenset[Operand]().union(*found)
    dtypes = frozenset(each.dtype for each in every if issubclass(each.dtype, dt.Shaped))
    has_numbers = any(not issubclass(each.dtype, dt.Shaped) for each in every)
    arrays = Arrays(frozenset({kind.library}), dtypes)
    is_known = bool(every) and all(found) and _keeps_arguments(name, reader, arrays, has_numbers)
    return every if is_known else frozenset()


def _values(name: ast.Name, reader: Reader, calls: PrivateCalls) -> list[tuple[Reader, ast.expr]]:
    """All that calls pass for a parameter, and that its function binds it to, but None; empty if unknown."""
    passed = calls.passed(name, reader)
    found = [*passed, *((reader, each) for each in reader.scopes.rebound(name))] if passed else []
    return [(by, value) for by, value in found if not is_none(value) and not _is_same(value, by, name, reader)]


def _is_same(value: ast.expr, by: Reader, name: ast.Name, reader: Reader) -> bool:
    """Whether a function passes its own parameter on to itself."""
    if not isinstance(value, ast.Name) or by.scopes is not reader.scopes:
        return False
    return value.id == name.id and by.scopes.binding(value) == by.scopes.binding(name)


def _is_array(value: ast.expr, by: Reader) -> bool:
    """Whether a value is an array or None, by its type, and not a Python number."""
    known = by.typed.known(value)
    return known is not None and all(map(_is_array_type, (each for typ in known.types for each in members(typ))))


def _is_array_type(typ: Type) -> bool:
    return isinstance(typ, AnyType | NoneType) or arrays_of(typ, _ANY_PLATFORM) is not None


#: The platform decides which dtype a type names, not whether it is an array.
_ANY_PLATFORM: Final = "linux"
_NARROW: Final = frozenset({dt.bool_})


def _keeps_arguments(name: ast.Name, reader: Reader, arrays: Arrays, has_numbers: bool = False) -> bool:
    """Whether a decorated function gets the arrays that calls pass, and computes with them as libraries do."""
    function = reader.scopes.function_with(name)
    if not isinstance(function, ast.FunctionDef):
        return False
    is_plain = not function.decorator_list or not (has_numbers or _NARROW & (arrays.dtypes or frozenset()))
    return is_plain and results_kept(function, reader.scopes, arrays) is not None
