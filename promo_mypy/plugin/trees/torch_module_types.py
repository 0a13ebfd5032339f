"""Recognise modules of PyTorch by mypy's types."""

from mypy.nodes import CallExpr, Expression, FakeInfo, MemberExpr, NameExpr, RefExpr, TypeInfo, Var
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from promo_mypy.plugin import names


def is_module(cls: TypeInfo) -> bool:
    """Whether a class is a module of PyTorch. mypy does not analyse a class in code that is not reached."""
    return not isinstance(cls, FakeInfo) and cls.has_base(names.TORCH_MODULE)


def made_class(expression: Expression | None) -> TypeInfo | None:
    """The class of modules that a call makes an instance of."""
    callee = expression.callee if isinstance(expression, CallExpr) else None
    cls = callee.node if isinstance(callee, RefExpr) else None
    return cls if isinstance(cls, TypeInfo) and is_module(cls) else None


def declared_type(attribute: MemberExpr) -> Type | None:
    """The declared type of an attribute of a variable of declared type."""
    base = attribute.expr.node if isinstance(attribute.expr, NameExpr) else None
    cls = get_proper_type(base.type) if isinstance(base, Var) and base.type is not None else None
    cls = cls.partial_fallback if isinstance(cls, TupleType) else cls  # a NamedTuple
    symbol = cls.type.get(attribute.name) if isinstance(cls, Instance) else None
    found = symbol.node if symbol is not None else None
    return found.type if isinstance(found, Var) else None


def is_of_torch(expression: Expression) -> bool:
    """Whether an expression makes a layer or container of a class of PyTorch."""
    cls = made_class(expression)
    return cls is not None and cls.module_name.startswith(names.TORCH_MODULES)


def is_single_layer(expression: Expression) -> bool:
    """Whether an expression makes a layer of PyTorch, which holds no other module."""
    cls = made_class(expression)
    return cls is not None and is_of_torch(expression) and "container" not in cls.module_name


def returns_module(typ: Type | None) -> bool:
    """Whether a function of this type may return a module."""
    proper = get_proper_type(typ) if typ is not None else None
    return holds_module(proper.ret_type) if isinstance(proper, CallableType) else True


def is_own_module(expression: Expression) -> bool:
    """Whether it is `self`, or a variable that is declared as a module."""
    node = expression.node if isinstance(expression, NameExpr) else None
    typ = get_proper_type(node.type) if isinstance(node, Var) else None
    return isinstance(node, Var) and (node.is_self or (isinstance(typ, Instance) and is_module(typ.type)))


def holds_module(typ: Type) -> bool:
    """Whether a value of this type may be a module, or hold one. An alias that contains itself is not followed."""
    if isinstance(typ, TypeAliasType) and typ.is_recursive:
        return False
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType | TupleType):
        return any(map(holds_module, proper.items))
    if isinstance(proper, Instance):
        if proper.type.has_base(names.TORCH_TENSOR) or proper.type.module_name.startswith(names.TORCH_DATA):
            return False  # the argument is a dtype, or what a dataset collects: no module
        return is_module(proper.type) or any(map(holds_module, proper.args))
    return isinstance(proper, AnyType)


def may_be_anything(typ: Type) -> bool:
    """Whether a type is Any, or a union with Any: the type of a variable that the plugin has widened."""
    return any(isinstance(get_proper_type(each), AnyType) for each in flatten_nested_unions([typ]))
