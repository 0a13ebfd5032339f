"""Find options, such as a device, whose variable may hold a dtype by now.

`x.to(...)` takes a dtype, a device or a flag. mypy keeps the type of a variable when a value of type Any is assigned to
it: after `name = "float32"` and `name = getattr(torch, name)`, `name` is still text to mypy.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IntExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, NoneType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import definitions

_OPTIONS: Final = names.OTHER_VALUES | {"builtins.int", "builtins.bool"}
#: `torch.device` is a class, and a function in some versions of the stubs.
_DEVICES: Final = frozenset({names.TORCH_DEVICE, "torch.device"})


def may_hold_dtype(option: Expression, typ: Type | None, api: CheckerPluginInterface) -> bool:
    """Whether a variable or attribute that is text or a device to mypy is bound again to what may be a dtype.

    Only the expressions that bind it decide, and the declared types in them: mypy's daemon has no types of functions
    that it does not check again.
    """
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.type.fullname not in names.OTHER_VALUES:
        return False
    bound = _bound(option, api)
    return len(bound) > 1 and not all(each.way is Way.ARGUMENT or _is_option(each.whole_value) for each in bound)


def _bound(option: Expression, api: CheckerPluginInterface) -> Sequence[Definition]:
    file = definitions(type_checker.tree(api))
    match option:
        case NameExpr(node=Var() as variable):
            return file.of_variable(variable)
        case MemberExpr(name=name):
            return file.of_attributes(name)
        case _:
            return ()


def _is_option(value: Expression | None) -> bool:
    match value:
        case StrExpr() | IntExpr():
            return True
        case ConditionalExpr(if_expr=first, else_expr=second):
            return _is_option(first) and _is_option(second)
        case CallExpr(callee=RefExpr() as callee):
            return callee.fullname in _DEVICES or _is_option_type(_returned(callee.node))
        case RefExpr(node=Var() as variable):
            return _is_option_type(variable.type)
        case _:
            return False


def _returned(function: SymbolNode | None) -> Type | None:
    if isinstance(function, TypeInfo):
        return Instance(function, [])
    declared = function.type if isinstance(function, FuncDef) else None
    return declared.ret_type if isinstance(declared, CallableType) else None


def _is_option_type(declared: Type | None) -> bool:
    match get_proper_type(declared):
        case NoneType():
            return True
        case UnionType(items=items):
            return all(map(_is_option_type, items))
        case Instance(type=cls):
            return cls.fullname in _OPTIONS
        case _:
            return False
