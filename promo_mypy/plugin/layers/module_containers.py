"""Infer the items of PyTorch's containers: `nn.Sequential`, lists and dicts of modules, lists and dicts of parameters.

PyTorch declares a module as `Module`, whose call returns Any, and a parameter as Any. An item has its own type if mypy
knows it where the container is made. A container of parameters that changes later has no known dtypes.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    StrExpr,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.stored_modules import common_item, is_followed, keys_of, modules_of, stored
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import positional
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.call_checking import item_types
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.torch_module_uses import file_modules
from promo_mypy.plugin.types.array_types import read
from promo_mypy.plugin.types.literal_values import literal_value

_LISTS: Final = frozenset({names.TORCH_MODULE_LIST, names.TORCH_PARAMETER_LIST})
_DICTS: Final = frozenset({names.TORCH_MODULE_DICT, names.TORCH_PARAMETER_DICT})
_OF_PARAMETERS: Final = frozenset({names.TORCH_PARAMETER_LIST, names.TORCH_PARAMETER_DICT})


def remember_items(ctx: FunctionContext, session: Session) -> Type:
    """`nn.Sequential(a, b)`, `nn.ModuleList([a, b])`, `nn.ModuleDict({"a": a})`: store the types of the items."""
    container, given = get_proper_type(ctx.default_return_type), positional(ctx)
    if not isinstance(container, Instance) or not given:
        return ctx.default_return_type
    kind, keys = container.type.fullname, list[str]()
    types = [argument.type for argument in given]
    if kind in _LISTS:
        types = item_types(given[0].expression, ctx.api)
    elif kind in _DICTS:
        types, keys = _values(given[0].expression, ctx.api)
    if not types:
        return container
    if kind in _OF_PARAMETERS:
        known = all(_is_known_tensor(each, session) for each in types)
        return stored(container, types, keys, ctx.api) if known and not _casts(ctx.api) else container
    return stored(container, types, keys, ctx.api) if all(map(_is_module, types)) else container


def infer_item(ctx: MethodContext, session: Session) -> Type:
    """`modules[i]` of a container with stored items."""
    given, declared = positional(ctx), get_proper_type(ctx.default_return_type)
    items = modules_of(ctx.type)
    is_one = isinstance(declared, AnyType) or (
        isinstance(declared, Instance) and declared.type.fullname == names.TORCH_MODULE
    )
    if not items or not given or not is_one:
        return ctx.default_return_type
    item = common_item(ctx.type) or _at(items, keys_of(ctx.type), literal_value(given[0].type))
    base = ctx.context.base if isinstance(ctx.context, IndexExpr) else None
    return ctx.default_return_type if item is None else _if_known(item, base, ctx, session)


def infer_iterator(ctx: MethodContext, session: Session) -> Type:
    """`for module in modules`, and `.values()` and `.items()` of a dict, if all items have the same type."""
    item, declared = common_item(ctx.type), get_proper_type(ctx.default_return_type)
    if item is None or not isinstance(declared, Instance) or not declared.args:
        return ctx.default_return_type
    found = _if_known(item, _iterated(ctx.context), ctx, session)
    if found is not item:
        return declared
    last = get_proper_type(declared.args[-1])  # `Iterable[tuple[str, Any]]` or `ItemsView[str, Module]`
    if isinstance(last, TupleType):
        found = last.copy_modified(items=[*last.items[:-1], item])
    return declared.copy_modified(args=[*declared.args[:-1], found])


def _iterated(context: Context) -> Expression | None:
    """The container: `modules.values()` is a call of its method."""
    if isinstance(context, CallExpr):
        return context.callee.expr if isinstance(context.callee, MemberExpr) else None
    return context if isinstance(context, Expression) else None


def _at(items: Sequence[Type], keys: Sequence[object], place: object) -> Type | None:
    if keys:
        return items[keys.index(place)] if place in keys else None
    # A negative index may be a module that was added later.
    return items[place] if type(place) is int and 0 <= place < len(items) else None


def _values(display: Expression, api: CheckerPluginInterface) -> tuple[list[Type], list[str]]:
    """The types of the values of a dict, and its keys if all are literals."""
    if isinstance(display, DictionaryComprehension):
        written, keys = [display.value], list[Expression | None]()
    else:
        pairs = display.items if isinstance(display, DictExpr) else []
        written, keys = [value for _, value in pairs], [key for key, _ in pairs]
    if any(key is None for key in keys):  # `{**others}`
        return [], []
    found = [type_checker.expression_type(type_checker.checker(api), each) for each in written]
    types = [each for each in found if each is not None]
    literal = [key.value for key in keys if isinstance(key, StrExpr)]
    return (types if len(types) == len(found) else []), (literal if len(literal) == len(keys) else [])


def _if_known(item: Type, container: Expression | None, ctx: MethodContext, session: Session) -> Type:
    """The type of an item whose dtype is known, or that of its calls; the declared type for any other item."""
    if not _is_module(item):
        name = _name(container)
        return ctx.default_return_type if name is None or _changes(name, ctx.api) else item
    return item if is_followed(item, ctx.context, session, ctx.api) else ctx.default_return_type


def _name(container: Expression | None) -> str | None:
    return container.name if isinstance(container, NameExpr | MemberExpr) else None


def _changes(name: str, api: CheckerPluginInterface) -> bool:
    """Whether the file changes a container in a variable or attribute of that name."""
    for site in definitions(type_checker.tree(api)).statements:
        joined = (each.target for each in site.definitions if each.way is Way.OPERAND)
        if any(isinstance(each, Expression) and _name(each) == name for each in (site.filled, *joined)):
            return True
    return False


def _is_module(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.has_base(names.TORCH_MODULE)


def _is_known_tensor(typ: Type, session: Session) -> bool:
    values = read(typ, session.platform)
    return values is not None and len(values) == 1 and values[0].library is Library.TORCH and values[0].is_array


def _casts(api: CheckerPluginInterface) -> bool:
    """Whether the file casts whole modules, with their parameters, or gives parameters other data."""
    file = file_modules(type_checker.tree(api))
    return file.casts_made or file.replaces_data
