"""Find the calls of a file that certainly call a function of the checked files, and what they pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mypy.argmap import map_actuals_to_formals
from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SymbolNode,
    TryStmt,
    WithStmt,
)
from mypy.types import AnyType, CallableType, Instance, LiteralType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.interface.arrays import Library
from promo_mypy.plugin.interface.bodies import Bodies
from promo_mypy.plugin.interface.trees import bound_variables, dotted_name, nodes_as_written
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.passed.called_functions import Functions, module_called
from promo_mypy.program.passed.executed_parts import suppresses

TypeOf = Callable[[Expression], Type | None]

_ANYTHING: Final = AnyType(TypeOfAny.special_form)
_CONSTANTS: Final = {"builtins.None": None, "builtins.True": True, "builtins.False": False}
_UNKNOWN: Final = object()
_INT: Final = "builtins.int"
#: Decorators of tests that fail or are skipped, in lower case.
_LEFT_OUT: Final = frozenset({"xfail", "expectedfailure", "skip", "skipif", "skipunless"})
#: The ints that every integer dtype holds: which of them a call passes decides nothing.
_HELD_BY_ALL: Final = range(128)


@dataclass(frozen=True, slots=True)
class PassedCall:
    """A call of a function whose parameters leave dtypes open.

    Attributes:
        node: the call.
        caller: its file.
        function: the function.
        tree: the file of the function.
        types: what each parameter gets, self included; None where the declared type says as much. An int that some
            integer dtype cannot hold is a literal type.
        values: for parameters that the function does not bind anew, None, True, False, or `...` for anything else.
    """

    node: CallExpr
    caller: MypyFile
    function: FuncDef
    tree: MypyFile
    types: tuple[Type | None, ...]
    values: Mapping[SymbolNode | None, object]


class FileCalls:
    """The calls of one file that reach functions of the checked files."""

    def __init__(self, tree: MypyFile, nodes: Sequence[Node], bodies: Bodies, functions: Functions) -> None:
        self._bodies = bodies
        self._tree = tree
        caught = set(_calls(_caught(nodes)))
        self.calls: Final = [each for each in nodes if isinstance(each, CallExpr) and each.args and each not in caught]
        self._functions: Final = functions
        # The dtypes in such a region are those of no other place.
        has_autocast = any(isinstance(each, NameExpr | MemberExpr) and each.name == "autocast" for each in nodes)
        self._unfollowed: Final = frozenset({Library.TORCH} if has_autocast else ())

    def among(self, nodes: Iterable[Node], caller: MypyFile, type_of: TypeOf) -> Iterator[PassedCall]:
        """The calls among some nodes of a file that tell a function a dtype, by the types there."""
        for node in nodes:
            if isinstance(node, CallExpr) and (found := self._call(node, caller, type_of)) is not None:
                yield found

    def other_modules(self, nodes: Iterable[Node], caller: MypyFile, type_of: TypeOf) -> Iterator[str]:
        """The other modules to which calls among some nodes of a file pass arrays or numbers that may decide."""
        for node in nodes:
            module = module_called(node.callee) if isinstance(node, CallExpr) else None
            if module is not None and module != caller.fullname and isinstance(node, CallExpr):
                types = filter(None, map(type_of, node.args))
                if any(map(self._is_array, types)):
                    yield module

    def _call(self, node: CallExpr, caller: MypyFile, type_of: TypeOf) -> PassedCall | None:
        called = self._functions.called(node.callee, type_of, caller)
        if called is None or any(kind.is_star() for kind in node.arg_kinds):
            return None
        function = called.node
        given = _arguments(node, function, called.skipped)
        if given is None:
            return None
        trees = [
            called.tree if each is argument.initializer else caller
            for each, argument in zip(given, function.arguments, strict=True)
        ]
        types = tuple(
            self._type(function, index, each, tree, type_of)
            for index, (each, tree) in enumerate(zip(given, trees, strict=True))
        )
        if called.traces:
            types = tuple(each if self._is_array(each) else None for each in types)
        if not (any(map(self._is_array, types)) or self._passes_number(function, types)):
            return None
        bound = bound_variables(function.body)
        variables = [each.variable for each in function.arguments]
        values = {
            each: _value(value, type_of) for each, value in zip(variables, given, strict=True) if each not in bound
        }
        known: dict[SymbolNode | None, object] = {
            variable: value for variable, value in values.items() if value is not _UNKNOWN
        }
        return PassedCall(node, caller, function, called.tree, types, known)

    def _type(
        self, function: FuncDef, index: int, given: Expression | None, tree: MypyFile, type_of: TypeOf
    ) -> Type | None:
        declared = _declared(function, index)
        typ = type_of(given) or self._of_constant(given, tree) if given is not None else None
        if given is None or typ is None:
            return None
        return self._number(given, typ, tree, declared) or (typ if self._bodies.tells_more(declared, typ) else None)

    def _of_constant(self, given: Expression, tree: MypyFile) -> Type | None:
        """The type of a constant number: mypy has no types for the defaults of functions in other files."""
        value = self._bodies.constant(given, tree)
        return self._bodies.builtin(type(value).__name__) if value is not None else None

    def _number(self, given: Expression, typ: Type, tree: MypyFile, declared: Type) -> LiteralType | None:
        """The type of a constant int that some integer dtype cannot hold, for a parameter that takes any int."""
        number = get_proper_type(typ)
        if not _takes_ints(declared):
            return None
        if isinstance(number, LiteralType) and number.fallback.type.fullname == _INT:
            return number if number.value not in _HELD_BY_ALL else None
        if not isinstance(number, Instance) or number.type.fullname != _INT:
            return None
        value: object = self._bodies.constant(given, tree)
        if not isinstance(value, int) or value in _HELD_BY_ALL:
            return None
        return LiteralType(value, number.copy_modified(last_known_value=None))

    def _passes_number(self, function: FuncDef, types: Sequence[Type | None]) -> bool:
        """Whether a call passes such an int beside an array of declared dtype."""
        return any(isinstance(get_proper_type(each), LiteralType) for each in types) and any(
            self._is_array(_declared(function, index)) for index in range(len(types))
        )

    def _is_array(self, typ: Type | None) -> bool:
        arrays = arrays_of(typ, self._bodies.platform) if typ is not None else None
        return arrays is not None and bool(arrays.dtypes) and arrays.libraries.isdisjoint(self._unfollowed)


def _declared(function: FuncDef, index: int) -> Type:
    return function.type.arg_types[index] if isinstance(function.type, CallableType) else _ANYTHING


def _takes_ints(declared: Type) -> bool:
    proper = get_proper_type(declared)
    return isinstance(proper, AnyType) or (isinstance(proper, Instance) and proper.type.fullname == _INT)


def _caught(nodes: Iterable[Node]) -> Iterator[Node]:
    """The parts of a file whose errors are caught, or expected by a test."""
    for node in nodes:
        match node:
            case TryStmt(body=body, handlers=handlers) if handlers:
                yield body
            case WithStmt(body=body, expr=managers) if any(map(suppresses, managers)):
                yield body
            case CallExpr() if suppresses(node):
                yield node
            case Decorator(original_decorators=decorators) if any(map(_is_left_out, decorators)):
                yield node


def _is_left_out(decorator: Expression) -> bool:
    """Whether a decorator says that a test fails, or is skipped."""
    callee = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return (dotted_name(callee) or "").rpartition(".")[2].lower() in _LEFT_OUT


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
