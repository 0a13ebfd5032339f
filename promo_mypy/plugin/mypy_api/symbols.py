"""Look up modules, classes and other symbols by qualified name. No other module does that."""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import (
    Expression,
    FakeInfo,
    FuncBase,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    StarExpr,
    SymbolNode,
    SymbolTableNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, FunctionLike, Instance, NoneType, Type, TypeOfAny, get_proper_type

Lookup = Callable[[str], SymbolTableNode | None]

#: The modules of the classes whose methods take the items that they hold.
CONTAINERS: Final = ("builtins", "collections")


def attribute_of(owner: Type | None, name: str) -> Var | None:
    """The attribute of that name of an object or class; None for a method, and if it has no such attribute."""
    member = defined_member(owner, name)
    return member if isinstance(member, Var) else None


def defined_member(owner: Type | None, name: str) -> SymbolNode | None:
    """What defines the attribute or method of that name of an object or class; None if it has none."""
    proper = get_proper_type(owner)
    if isinstance(proper, FunctionLike) and proper.is_type_obj():
        symbol = proper.type_object().get(name)
    else:
        symbol = proper.type.get(name) if isinstance(proper, Instance) else None
    return symbol.node if symbol is not None else None


def is_unannotated(variable: Var) -> bool:
    """Whether a variable's type is inferred. mypy's own flag counts `self.x: int` in a method as inferred, too."""
    return variable.is_inferred and not variable.explicit_self_type


def is_declared(variable: Var) -> bool:
    """Whether an annotation gives a variable its type, whatever stock mypy infers for its values."""
    return not is_unannotated(variable) and not isinstance(get_proper_type(variable.type), AnyType | NoneType)


def is_inferred(target: Expression, type_of: Callable[[Expression], Type | None]) -> bool:
    """Whether no annotation gives a target, or the container or owner of one, its type. `type_of`: of an expression."""
    match target:
        case NameExpr(node=Var() as variable):
            return is_unannotated(variable)
        case MemberExpr():
            attribute = bound_attribute(target, type_of)
            return attribute is not None and is_unannotated(attribute)
        case IndexExpr(base=inner) | StarExpr(expr=inner):
            return is_inferred(inner, type_of)
        case TupleExpr(items=items) | ListExpr(items=items):
            return all(is_inferred(each, type_of) for each in items)
        case _:
            return False


def bound_attribute(target: MemberExpr, type_of: Callable[[Expression], Type | None]) -> Var | None:
    """The attribute that a target names; None for any other member."""
    if isinstance(target.node, Var):
        return target.node
    owner = target.expr.node if isinstance(target.expr, NameExpr) else None
    return attribute_of(type_of(target.expr) or (owner.type if isinstance(owner, Var) else None), target.name)


def module_of(node: SymbolNode) -> str:
    """The name of the module that defines a variable, function or class. It is empty for a name of a function."""
    if isinstance(node, TypeInfo):
        return node.module_name
    if isinstance(node, Var | FuncBase) and not isinstance(node.info, FakeInfo):
        return node.info.module_name
    return node.fullname.rpartition(".")[0]


def is_foreign(node: SymbolNode, module: str) -> bool:
    """Whether another module defines a variable, function or class. Its types must not be changed.

    mypy has written them to its cache, or is going to, and no other run would see the change.
    """
    return module_of(node) not in ("", module)


class Symbols:
    """Finds classes among the modules of the running build.

    Nothing is cached here: the mypy daemon replaces the classes of a module when it checks it again.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def symbol(self, fullname: str) -> SymbolTableNode | None:
        """The entry of that name in its module, or None. mypy may not have read its node from the cache yet."""
        return self._lookup(fullname)

    def node(self, fullname: str) -> SymbolNode | None:
        """The node of that qualified name, or None if its module is not part of the build."""
        symbol = self._lookup(fullname)
        return symbol.node if symbol is not None else None

    def declared(self, fullname: str) -> SymbolNode | None:
        """The function or class of that name, or None. A method may be inherited."""
        owner, _, name = fullname.rpartition(".")
        info = self.info(owner)
        if info is None:
            return self.node(fullname)
        symbol = info.get(name)
        return symbol.node if symbol is not None else None

    def module(self, fullname: str) -> MypyFile | None:
        """The module of that name, or None if it is not part of the build."""
        node = self.node(fullname)
        return node if isinstance(node, MypyFile) else None

    def info(self, fullname: str) -> TypeInfo | None:
        """The class of that qualified name, or None if its module is not part of the build."""
        node = self.node(fullname)
        return node if isinstance(node, TypeInfo) else None

    def instance(self, fullname: str, args: Sequence[Type] = ()) -> Instance | None:
        """An instance of that class. Missing type arguments take their defaults, or Any."""
        info = self.info(fullname)
        if info is None:
            return None
        if not info.defn.type_vars:
            return Instance(info, args)
        defaults = [
            parameter.default if parameter.has_default() else AnyType(TypeOfAny.special_form)
            for parameter in info.defn.type_vars[len(args) :]
        ]
        return Instance(info, [*args, *defaults])
