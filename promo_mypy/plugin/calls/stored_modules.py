"""Read what the types of PyTorch's containers store: the modules that they were made with, by index or key.

The dtype of a tensor is known through them. Modules that are added later are ignored.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context, TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, LiteralType, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.pytrees import tuple_of
from promo_mypy.plugin.mypy_api.checker.call_checking import bound_method
from promo_mypy.plugin.mypy_api.checker.type_checker import tree
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules.functions.torch.layers import LAYERS, LOSSES

#: The attributes in which the type of a container stores the types of its items, and its keys.
_ITEMS: Final = "__promo_modules"
_KEYS: Final = "__promo_keys"


def stored(container: Instance, items: Sequence[Type], keys: Sequence[str], api: CheckerPluginInterface) -> Instance:
    """The type of a container with the types of its items. `keys`: those of a dict, if all are literals."""
    found = container.copy_with_extra_attr(_ITEMS, tuple_of(list(items), api))
    if not keys:
        return found
    text = api.named_generic_type("builtins.str", [])
    return found.copy_with_extra_attr(_KEYS, tuple_of([LiteralType(key, text) for key in keys], api))


def modules_of(container: Type) -> list[Type]:
    """The types of the items that a container was made with."""
    return _noted(container, _ITEMS)


def keys_of(container: Type) -> list[object]:
    """The keys of these items; none for a list."""
    return [key.value for each in _noted(container, _KEYS) if isinstance(key := get_proper_type(each), LiteralType)]


def common_item(container: Type) -> Type | None:
    """The type that all items of a container have; None if they differ, and for anything else."""
    items = modules_of(container)
    return items[0] if items and all(item == items[0] for item in items) else None


def is_followed(module: Type, context: Context, session: Session, api: CheckerPluginInterface) -> bool:
    """Whether calls of a module may have a known dtype: `forward` declares one, or its body is in the file."""
    proper = get_proper_type(module)
    if not isinstance(proper, Instance):
        return False
    if any(is_layer(cls) for cls in proper.type.mro) or modules_of(proper):
        return True
    symbol = proper.type.get("forward")
    if symbol is not None and has_body(symbol.node, tree(api)):
        return True
    forward = bound_method(api, proper, "forward", context)
    return forward is not None and session.mentions_dtype(forward)


def is_layer(cls: TypeInfo) -> bool:
    """Whether a class is a layer or loss of PyTorch."""
    return (cls.name in LAYERS or cls.name in LOSSES) and cls.module_name.startswith(names.TORCH_MODULES)


def _noted(container: Type, attribute: str) -> list[Type]:
    proper = get_proper_type(container)
    noted = proper.extra_attrs.attrs.get(attribute) if isinstance(proper, Instance) and proper.extra_attrs else None
    items = get_proper_type(noted) if noted is not None else None
    return list(items.items) if isinstance(items, TupleType) else []
