"""Find the arguments of a call that the function may mutate, if they are containers of arrays."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mypy.argmap import map_actuals_to_formals
from mypy.nodes import (
    ARG_STAR,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, Overloaded, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred.aliasing.expressions import LEVELS, Key, key_of
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.checker.partial_application import signature_of
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.trees.read_variables import read_variables
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types.mutable_types import may_fill
from promo_mypy.rules.records import record

Values = Mapping[Key, Sequence[Expression]]


def mutated_levels(call: CallExpr, callee: Type | None, file: MypyFile) -> Iterator[tuple[Expression, Iterable[int]]]:
    """The arguments that a function of that type may mutate, each with the levels of its containers.

    A function of the file that only reads an argument may still mutate containers in it.
    """
    for argument in _filled_arguments(call, callee):
        yield argument, range(1 if read_variables(file).keeps(call, argument) else 0, LEVELS)


def _filled_arguments(call: CallExpr, callee: Type | None) -> Iterator[Expression]:
    """The arguments that a function of that type may mutate; all of them if its type is unknown."""
    proper = get_proper_type(callee)
    if isinstance(proper, Instance):
        proper = signature_of(proper)
    if isinstance(proper, Overloaded):
        signatures = proper.items
    elif isinstance(proper, CallableType):
        signatures = [proper]
    else:
        yield from call.args
        return
    any_type = AnyType(TypeOfAny.special_form)
    found: set[int] = set()
    for signature in signatures:
        formals = map_actuals_to_formals(
            call.arg_kinds, call.arg_names, signature.arg_kinds, signature.arg_names, lambda _: any_type
        )
        for actuals, typ in zip(formals, signature.arg_types, strict=True):
            if may_fill(typ):
                found.update(actuals)
    yield from (argument for index, argument in enumerate(call.args) if index in found)


def is_elsewhere(function: str) -> bool:
    """Whether a qualified name is of an array library or the standard library: their functions do not add to arguments.

    Functions that keep a list sorted are the exception.
    """
    module = function.partition(".")[0]
    if module == function or module in containers.FILLING_MODULES:
        return False
    return is_own(function) or module in sys.stdlib_module_names


def leaves_alone(callee: Expression, values: Values, wrapped: WrappedFunctions) -> bool:
    """Whether the file shows that a function does not mutate its arguments.

    A function that a library has wrapped (`jax.jit`) counts as the library's: it gets containers that the library
    creates. A function outside the build has the type Any and is taken to mutate nothing.
    """
    if isinstance(callee, CallExpr):
        return any(isinstance(node, RefExpr) and is_own(node.fullname) for node in nodes(callee.callee))
    if isinstance(callee, MemberExpr) and not callee.fullname:
        made = values.get(callee.name, ())
        return _is_of_library(callee) or (bool(made) and all(_is_made_by_library(value, wrapped) for value in made))
    if not isinstance(callee, RefExpr):
        return False
    if is_elsewhere(callee.fullname):
        return True
    if isinstance(callee.node, Decorator):
        return wrapped.has(callee.node)
    if isinstance(callee.node, Var):
        made = values.get(key_of(callee.node), ())
        return bool(made) and all(_is_made_by_library(value, wrapped) for value in made)
    return callee.node is None


@record
class Called:
    """A function, method or class that a call names. `bound`: a method, without its `self`."""

    node: SymbolNode
    bound: bool = False

    @property
    def type(self) -> Type | None:
        """Its type before mypy has checked the call; None if unknown or unannotated."""
        return _type_of(self.node, bound=self.bound)


def called(callee: Expression, info: TypeInfo | None, values: Values) -> Called | None:
    """What a call names; None if that is unknown before mypy has checked the call.

    `info`: the class whose method contains the call.
    """
    if isinstance(callee, RefExpr) and callee.node is not None and callee.fullname:
        return Called(callee.node)
    if not isinstance(callee, MemberExpr):
        return None
    cls = _class_of(callee.expr, info, values)
    symbol = cls.get(callee.name) if cls is not None else None
    return Called(symbol.node, bound=True) if symbol is not None and symbol.node is not None else None


def _class_of(receiver: Expression, info: TypeInfo | None, values: Values) -> TypeInfo | None:
    if not isinstance(receiver, NameExpr) or not isinstance(receiver.node, Var):
        return None
    if receiver.node.is_self:
        return info
    typ = get_proper_type(receiver.node.type)
    if isinstance(typ, Instance):
        return typ.type
    made = values.get(key_of(receiver.node), ())
    match made:
        case [CallExpr(callee=RefExpr(node=TypeInfo() as cls))]:
            return cls
        case _:
            return None


def _type_of(node: SymbolNode, *, bound: bool = False) -> Type | None:
    match node:
        case TypeInfo():
            method = node.get("__init__")
            return _type_of(method.node, bound=True) if method is not None and method.node is not None else None
        case Decorator(var=Var(type=typ, is_staticmethod=static)):
            pass
        case FuncDef(type=typ, is_static=static) | OverloadedFuncDef(type=typ, is_static=static):
            pass
        case Var(type=typ):
            static = True
        case _:
            return None
    proper = get_proper_type(typ)
    if not bound or static:
        return proper
    if isinstance(proper, CallableType):
        return _without_self(proper)
    return Overloaded([_without_self(item) for item in proper.items]) if isinstance(proper, Overloaded) else None


def _without_self(method: CallableType) -> CallableType:
    if not method.arg_kinds or method.arg_kinds[0] is ARG_STAR:
        return method
    return method.copy_modified(
        arg_types=method.arg_types[1:], arg_kinds=method.arg_kinds[1:], arg_names=method.arg_names[1:]
    )


def _is_made_by_library(value: Expression, wrapped: WrappedFunctions) -> bool:
    return isinstance(value, CallExpr) and leaves_alone(value, {}, wrapped)


def _is_of_library(expression: Expression) -> bool:
    while isinstance(expression, MemberExpr):
        expression = expression.expr
    return isinstance(expression, NameExpr) and isinstance(expression.node, MypyFile) and is_own(expression.fullname)
