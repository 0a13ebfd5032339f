"""Find all that a program passes for the parameters of its private functions, and of functions inside functions.

Only the program calls these. The arguments are known if the program only calls such a function, and does not pass it on
or store it, and if the calls spell out their arguments.
"""

import ast
from collections.abc import Sequence
from typing import Final, NamedTuple

from promo_mypy.program.decided.own_code import OwnCode
from promo_mypy.program.decided.own_definitions import is_private, is_super
from promo_mypy.program.following.made_values import Follower
from promo_mypy.program.syntax.function_uses import SpreadError, argument, local_calls, names_function


class _Call(NamedTuple):
    node: ast.Call
    reader: Follower
    #: The number of first parameters that it does not pass.
    skipped: int


class PrivateCalls:
    """The calls of such functions.

    Args:
        code: the functions and classes of the program.
    """

    def __init__(self, code: OwnCode[Follower]) -> None:
        self._code = code
        self._readers: Final[list[Follower]] = []
        self._calls: Final[dict[ast.FunctionDef, Sequence[_Call] | None]] = {}

    def add(self, reader: Follower) -> None:
        """Add the calls of a module."""
        self._readers.append(reader)

    def passed(self, name: ast.Name, reader: Follower) -> Sequence[tuple[Follower, ast.expr]]:
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

    def _calls_of(self, function: ast.FunctionDef, reader: Follower) -> Sequence[_Call] | None:
        around = reader.scopes.scope_around(function)
        if isinstance(around, ast.FunctionDef):
            calls = local_calls(around, function.name)
            return [_Call(each, reader, 0) for each in calls] if calls is not None else None
        cls = around if isinstance(around, ast.ClassDef) else None
        is_shown = around is None or bool(self._code.name_of(cls))
        if not is_shown or not is_private(function.name):
            return None
        if any(self._has_other_uses(each, function.name) for each in self._readers):
            return None
        found = []
        for each in self._readers:
            for call in each.scopes.uses.calls.get(function.name, ()):
                if not self._calls_other(call, each, function, cls):
                    skipped = self._skipped(call, each, function, cls)
                    if skipped is None:
                        return None
                    found.append(_Call(call, each, skipped))
        return found

    def _has_other_uses(self, reader: Follower, name: str) -> bool:
        return name in reader.scopes.uses.values or names_function(reader.scopes.uses.texts, name)

    def _calls_other(
        self, call: ast.Call, reader: Follower, function: ast.FunctionDef, cls: ast.ClassDef | None
    ) -> bool:
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
        self, call: ast.Call, reader: Follower, function: ast.FunctionDef, cls: ast.ClassDef | None
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
