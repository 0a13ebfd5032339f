"""Find the calls of a file that certainly call a function of the same file, and what they pass for its parameters."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mypy.argmap import map_actuals_to_formals
from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SymbolNode,
    TryStmt,
)
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.interface.arrays import Library
from promo_mypy.plugin.interface.bodies import Bodies
from promo_mypy.plugin.interface.trees import bound_variables, nodes_as_written
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.passed.called_functions import Functions

TypeOf = Callable[[Expression], Type | None]

_ANYTHING: Final = AnyType(TypeOfAny.special_form)
_CONSTANTS: Final = {"builtins.None": None, "builtins.True": True, "builtins.False": False}
_UNKNOWN: Final = object()


@dataclass(frozen=True, slots=True)
class PassedCall:
    """A call of a function whose parameters leave dtypes open.

    Attributes:
        node: the call.
        function: the function.
        types: what each parameter gets, self included; None where the declared type says as much.
        values: for parameters that the function does not bind anew, None, True, False, or `...` for anything else.
    """

    node: CallExpr
    function: FuncDef
    types: tuple[Type | None, ...]
    values: Mapping[SymbolNode | None, object]


class FileCalls:
    """The calls of one file.

    Args:
        tree: mypy's tree.
        bodies: the types in it.
    """

    def __init__(self, tree: MypyFile, bodies: Bodies) -> None:
        self._bodies = bodies
        nodes = list(nodes_as_written(tree))
        caught = {call for each in nodes if isinstance(each, TryStmt) and each.handlers for call in _calls([each.body])}
        self.calls: Final = [each for each in nodes if isinstance(each, CallExpr) and each.args and each not in caught]
        self._functions: Final = Functions(nodes)
        # The dtypes in such a region are those of no other place.
        has_autocast = any(isinstance(each, NameExpr | MemberExpr) and each.name == "autocast" for each in nodes)
        self._unfollowed: Final = frozenset({Library.TORCH} if has_autocast else ())

    def among(self, nodes: Iterable[Node], type_of: TypeOf) -> Iterator[PassedCall]:
        """The calls among some nodes that tell a function of the file a dtype, by the types there."""
        for node in nodes:
            if isinstance(node, CallExpr) and (found := self._call(node, type_of)) is not None:
                yield found

    def _call(self, node: CallExpr, type_of: TypeOf) -> PassedCall | None:
        called = self._functions.called(node.callee, type_of)
        if called is None or any(kind.is_star() for kind in node.arg_kinds):
            return None
        function = called.node
        given = _arguments(node, function, called.skipped)
        if given is None:
            return None
        types = tuple(self._type(function, index, each, type_of) for index, each in enumerate(given))
        if called.traces:
            types = tuple(each if self._is_array(each) else None for each in types)
        if not any(map(self._is_array, types)):
            return None
        bound = bound_variables(function.body)
        variables = [each.variable for each in function.arguments]
        values = {
            each: _value(value, type_of) for each, value in zip(variables, given, strict=True) if each not in bound
        }
        known: dict[SymbolNode | None, object] = {
            variable: value for variable, value in values.items() if value is not _UNKNOWN
        }
        return PassedCall(node, function, types, known)

    def _type(self, function: FuncDef, index: int, given: Expression | None, type_of: TypeOf) -> Type | None:
        declared = function.type.arg_types[index] if isinstance(function.type, CallableType) else _ANYTHING
        typ = type_of(given) if given is not None else None
        return typ if typ is not None and self._bodies.tells_more(declared, typ) else None

    def _is_array(self, typ: Type | None) -> bool:
        arrays = arrays_of(typ, self._bodies.platform) if typ is not None else None
        return arrays is not None and bool(arrays.dtypes) and arrays.libraries.isdisjoint(self._unfollowed)


def _calls(nodes: Iterable[Node]) -> Iterator[CallExpr]:
    return (each for each in nodes_as_written(list(nodes)) if isinstance(each, CallExpr))


def _arguments(call: CallExpr, function: FuncDef, skipped: int) -> Sequence[Expression | None] | None:
    """What each parameter gets: an argument or its default, None for skipped ones; None if the call does not fit."""
    arguments = function.arguments[skipped:]
    kinds, names = function.arg_kinds[skipped:], function.arg_names[skipped:]
    places = map_actuals_to_formals(call.arg_kinds, call.arg_names, kinds, names, lambda _: _ANYTHING)
    found: list[Expression | None] = [None] * skipped
    for argument, given in zip(arguments, places, strict=True):
        value = call.args[given[0]] if given else argument.initializer
        if value is None or len(given) > 1:
            return None
        found.append(value)
    return found if sum(map(len, places)) == len(call.args) else None


def _value(given: Expression | None, type_of: TypeOf) -> object:
    if isinstance(given, NameExpr) and given.fullname in _CONSTANTS:
        return _CONSTANTS[given.fullname]
    proper = get_proper_type(type_of(given)) if given is not None else None
    is_something = isinstance(proper, Instance) and proper.type.fullname != "builtins.object"
    return ... if is_something else _UNKNOWN
