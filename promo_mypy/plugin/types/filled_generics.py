"""Find out how a value of a user's generic class may get an array of another dtype.

mypy solves the type variable of `box = Box(x)` to the exact type of `x`. Without the plugin that type has no dtype.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from mypy.nodes import Decorator, FuncBase, MemberExpr, MypyFile, NameExpr, SymbolNode, Var
from mypy.typeops import get_all_type_vars
from mypy.types import AnyType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import holds_array

#: mypy and typeshed declare what their types accept, and know their containers by name.
_KNOWN_MODULES: Final = (
    "builtins", "typing", "typing_extensions", "collections.abc", "_typeshed", "functools", "types",
)  # fmt: skip

#: The methods that make an object.
_MAKING: Final = ("__init__", "__new__", "__post_init__")


def is_generic(typ: Type) -> bool:
    """Whether this is a value of a user's generic class that has arrays among its type arguments."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or not proper.args or library_of(proper) is not None:
        return False
    info = proper.type
    is_known = info.fullname in containers.MUTABLE or info.module_name in _KNOWN_MODULES or is_own(info.fullname)
    return not is_known and any(map(holds_array, proper.args))


def filled_with_any(typ: Type) -> Type:
    """The type with Any in place of the arrays among its type arguments: the value holds one that is Any."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    anything = AnyType(TypeOfAny.implementation_artifact)
    return proper.copy_modified(args=[anything if library_of(each) is not None else each for each in proper.args])


def may_be_filled(typ: Type, tree: MypyFile) -> bool:
    """Whether a file may give an array of another dtype to such a value: by a method, or by binding an attribute."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or not is_generic(proper):
        return False
    return any(_fills(symbol.node, name, tree) for base in proper.type.mro for name, symbol in base.names.items())


def _fills(member: SymbolNode | None, name: str, tree: MypyFile) -> bool:
    if name in _MAKING or not any(map(get_all_type_vars, _accepted(member))):
        return False
    if not isinstance(member, Var):
        return file_texts.may_have(tree, [f".{name}("])
    return file_texts.may_have(tree, [f".{name}"]) and any(map(partial(_binds, name), definitions(tree).statements))


def _binds(name: str, site: Site) -> bool:
    """Whether a statement binds an attribute of that name, but not where its object is made."""
    targets = (each.target for each in site.definitions if isinstance(each.target, MemberExpr))
    owners = (target.expr for target in targets if target.name == name)
    is_made = site.function is not None and site.function.name in _MAKING
    return any(not (is_made and isinstance(owner, NameExpr) and _is_self(owner.node)) for owner in owners)


def _is_self(node: SymbolNode | None) -> bool:
    return isinstance(node, Var) and node.is_self


def _accepted(node: SymbolNode | None) -> Iterator[Type]:
    """The types of what a member accepts."""
    if isinstance(node, Var):
        if node.type is not None and not node.is_property and not node.is_final:
            yield node.type
        return
    declared = get_proper_type(node.type) if isinstance(node, FuncBase | Decorator) else None
    for item in declared.items if isinstance(declared, FunctionLike) else ():
        yield from item.arg_types[1:]
