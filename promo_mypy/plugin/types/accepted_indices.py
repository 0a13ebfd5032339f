"""Spare mypy the comparison of an index with declarations of NumPy and PyTorch whose answer is known.

mypy formats an error for each overload of `ndarray.__getitem__` that rejects an index, and then drops it. NumPy's
indices are unions of protocols, so that took a third of the time for code that indexes arrays, the collection of the
garbage included. mypy sees the same overloads accept the index in the same order. If none accepts it, all of them stay
for mypy's error.

A tensor declares `_Index | tuple[_Index, ...]`, a union with a recursive protocol. That it accepts slices, integers,
None and tensors is known: to find it took mypy a seventh of a run for kornia.
"""

from collections.abc import Callable
from typing import Final

from mypy.nodes import (
    Context,
    EllipsisExpr,
    Expression,
    FuncDef,
    IntExpr,
    MemberExpr,
    NameExpr,
    SliceExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.types.walks import opened

#: A class and the type of an index -> the overloads that accept it.
Accepting = dict[tuple[TypeInfo, Type], frozenset[SymbolNode]]
_ANY: Final = AnyType(TypeOfAny.special_form)
#: The classes of indices that both libraries accept. NumPy's overloads for records do not.
_SHARED: Final = frozenset(
    {"builtins.int", "builtins.bool", "builtins.slice", "builtins.ellipsis", "types.EllipsisType"}
)
_OF_NUMPY: Final = _SHARED | {names.NUMPY_ARRAY}
_OF_TORCH: Final = _SHARED | {names.TORCH_TENSOR}


class IndexOverloads:
    """Leaves out overloads. It keeps those that accept the current index: mypy asks again for every overload."""

    def __init__(self, known: Callable[[], Accepting]) -> None:
        """`known`: the cache of the overloads that accept an index."""
        self._known = known
        self._call: Context | None = None
        self._first: SymbolNode | None = None
        self._accepting: frozenset[SymbolNode] = frozenset()

    def signature(self, ctx: MethodSigContext) -> FunctionLike:
        """The signature of one overload: its own, or one without arguments if it does not accept the index."""
        signature = ctx.default_signature
        overload = signature.definition
        if overload is None:
            return signature
        # The first overload of the same item again: mypy checks a loop twice, and the types may differ then.
        if ctx.context is not self._call or overload is self._first:
            self._call, self._first = ctx.context, overload
            self._accepting = _accepting(ctx, self._known())
        if not self._accepting or overload in self._accepting:
            return signature
        return CallableType([], [], [], _ANY, signature.fallback)


def _accepting(ctx: MethodSigContext, known: Accepting) -> frozenset[SymbolNode]:
    """The overloads that accept the index; none of them if that is not known before mypy has compared it."""
    if len(ctx.args) != 1 or len(ctx.args[0]) != 1 or not isinstance(ctx.type, Instance):
        return frozenset()
    index = ctx.args[0][0]
    if not _is_quick(index):
        return frozenset()
    typ = ctx.api.get_expression_type(index)  # mypy shows an error in it only once
    question = (ctx.type.type, typ)
    if question not in known:
        known[question] = _found(ctx.type, typ) if _is_plain(typ, _OF_NUMPY) else frozenset()
    return known[question]


def _found(array: Instance, index: Type) -> frozenset[SymbolNode]:
    method = array.type.get_method("__getitem__")
    declared = get_proper_type(method.type) if method is not None else None
    items = declared.items if isinstance(declared, Overloaded) else []
    return frozenset(
        item.definition
        for item in items
        if item.definition is not None and len(item.arg_types) > 1 and is_subtype(index, item.arg_types[1])
    )


def _is_quick(index: Expression | None) -> bool:
    """Whether an index is quick to check: mypy checks it once more."""
    match index:
        case None | IntExpr() | NameExpr() | EllipsisExpr():
            return True
        case UnaryExpr(op="-", expr=part) | MemberExpr(expr=part):
            return isinstance(part, IntExpr | NameExpr)
        case SliceExpr():
            return all(map(_is_quick, (index.begin_index, index.end_index, index.stride)))
        case TupleExpr():
            return all(map(_is_quick, index.items))
        case _:
            return False


def _is_plain(index: Type, classes: frozenset[str]) -> bool:
    """Whether each part of an index is of a class that the library certainly accepts."""
    typ = opened(index)
    if isinstance(typ, TupleType):
        return all(_is_plain(each, classes) for each in typ.items)
    return isinstance(typ, NoneType) or (isinstance(typ, Instance) and typ.type.fullname in classes)


def taking_index(ctx: MethodSigContext) -> FunctionLike:
    """The signature of `Tensor.__getitem__` or `__setitem__` with a parameter that takes the index unseen."""
    signature = ctx.default_signature
    is_only = isinstance(signature.definition, FuncDef) and not signature.definition.is_overload
    if not is_only or len(ctx.args[0]) != 1 or not _is_accepted(ctx.args[0][0], ctx.api):
        return signature
    return signature.copy_modified(arg_types=[_ANY, *signature.arg_types[1:]])


def _is_accepted(index: Expression, api: CheckerPluginInterface) -> bool:
    """Whether a tensor certainly accepts an index that is quick to check."""
    match index:
        case IntExpr() | EllipsisExpr() | SliceExpr() | UnaryExpr(op="-", expr=IntExpr()):
            return True
        case TupleExpr():
            return all(_is_accepted(each, api) for each in index.items)
        case NameExpr() | MemberExpr(expr=NameExpr()):
            return _is_plain(api.get_expression_type(index), _OF_TORCH)
        case _:
            return False
