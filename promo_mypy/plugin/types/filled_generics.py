"""Find out how a value of a user's generic class may get an array of another dtype.

mypy solves the type variable of `box = Box(x)` to the exact type of `x`. Without the plugin that type has no dtype.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Decorator, FuncBase, SymbolNode, TypeInfo, Var
from mypy.typeops import get_all_type_vars
from mypy.types import FunctionLike, Instance, Type, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import holds_array

#: mypy and typeshed declare what their types accept, and know their containers by name.
_KNOWN_MODULES: Final = (
    "builtins", "typing", "typing_extensions", "collections.abc", "_typeshed", "functools", "types",
)  # fmt: skip


def is_generic(typ: Type) -> bool:
    """Whether this is a value of a user's generic class that has arrays among its type arguments."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or not proper.args or library_of(proper) is not None:
        return False
    info = proper.type
    is_known = info.fullname in containers.MUTABLE or info.module_name in _KNOWN_MODULES or is_own(info.fullname)
    return not is_known and any(map(holds_array, proper.args))


def fillings(typ: Type) -> Iterator[str]:
    """What a file writes after such a value to fill it: `.put(` for a method, `.item =` for an attribute."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and is_generic(proper):
        yield from _fillings(proper.type)


def _fillings(info: TypeInfo) -> Iterator[str]:
    for base in info.mro:
        for name, symbol in base.names.items():
            if name not in ("__init__", "__new__") and any(map(get_all_type_vars, _accepted(symbol.node))):
                yield f".{name} =" if isinstance(symbol.node, Var) else f".{name}("


def _accepted(node: SymbolNode | None) -> Iterator[Type]:
    """The types of what a member accepts."""
    if isinstance(node, Var):
        if node.type is not None and not node.is_property and not node.is_final:
            yield node.type
        return
    declared = get_proper_type(node.type) if isinstance(node, FuncBase | Decorator) else None
    for item in declared.items if isinstance(declared, FunctionLike) else ():
        yield from item.arg_types[1:]
