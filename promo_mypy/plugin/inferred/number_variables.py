"""Variables and attributes that hold a number, and may be bound to something of which mypy knows nothing.

mypy keeps them at the type of their first value: after `n = 0` and `n = anything()` `n` is an int for it, and a
float32 array times `n` would be float32 for us.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    BytesExpr,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    ComplexExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FakeInfo,
    FloatExpr,
    FuncBase,
    FuncDef,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.types import (
    AnyType,
    FunctionLike,
    TupleType,
    Type,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.rebindings import Rebindings
from promo_mypy.plugin.trees.syntax_trees import nodes, parts, statements
from promo_mypy.plugin.types import array_types
from promo_mypy.plugin.types.integer_types import is_bool
from promo_mypy.plugin.types.union_members import members

#: Whatever is in these, mypy knows their class.
_DISPLAYS: Final = (
    IntExpr
    | FloatExpr
    | ComplexExpr
    | StrExpr
    | BytesExpr
    | LambdaExpr
    | ListExpr
    | SetExpr
    | DictExpr
    | ListComprehension
    | SetComprehension
    | DictionaryComprehension
)
#: mypy knows these where it knows their parts.
_COMPUTED: Final = UnaryExpr | OpExpr | ComparisonExpr | ConditionalExpr | TupleExpr
_RANGE: Final = "builtins.range"


def read_first(tree: MypyFile) -> Iterator[Var]:
    """The numbers of a file and of its classes: `n = 0` has a type there before mypy checks any of it."""
    tables = [tree.names]
    if file_texts.may_have(tree, ["class"]):
        infos = [statement.info for statement in statements(tree.defs) if isinstance(statement, ClassDef)]
        tables += [info.names for info in infos if not isinstance(info, FakeInfo)]  # one in code that is not reached
    for table in tables:
        for symbol in table.values():
            if isinstance(symbol.node, Var) and symbol.node.is_inferred and holds_number(symbol.node):
                yield symbol.node


def is_of_many(variable: Var) -> bool:
    """Whether any function may read it: a variable of the file, or an attribute."""
    return not isinstance(variable.info, FakeInfo) or "." in variable.fullname


def read_inside(tree: MypyFile) -> frozenset[Var]:
    """The variables that functions and classes inside functions read: they are called later, or more than once."""
    outer = [statement for statement in statements(tree.defs) if isinstance(statement, FuncDef)]
    inner = [
        node for function in outer for node in nodes(function.body) if isinstance(node, FuncDef | ClassDef | LambdaExpr)
    ]
    read = (node.node for each in inner for node in nodes(each) if isinstance(node, NameExpr))
    return frozenset(node for node in read if isinstance(node, Var))


def holds_number(variable: Var) -> bool:
    """Whether its type is that of a number. A truth value is none."""
    return variable.type is not None and is_number(variable.type)


def is_number(typ: Type) -> bool:
    """Whether it is the type of a number. A truth value is none."""
    return all(array_types.is_number(item) and not is_bool(item) for item in members(typ))


def may_forget(variable: Var, known: Rebindings, seen: frozenset[Node | str] = frozenset()) -> bool:
    """Whether a variable that holds a number is bound again, perhaps to something of which mypy knows nothing."""
    return variable in known.again and variable not in seen and _is_bound_to_anything(variable, known, seen)


def _is_bound_to_anything(variable: Var, known: Rebindings, seen: frozenset[Node | str]) -> bool:
    if variable in known.unlisted or not all(map(_is_range, known.iterated.get(variable, ()))):
        return True
    values: list[Expression | None] = [*known.values.get(variable, ()), *known.added.get(variable, ())]
    if not isinstance(variable.info, FakeInfo):
        values += known.members.get(variable.name, ())
    return any(_may_be_anything(value, variable.info, known, seen | {variable}) for value in values)


def _may_be_anything(value: Node | None, info: TypeInfo, known: Rebindings, seen: frozenset[Node | str]) -> bool:
    """Whether mypy may know nothing of a value; None is one that is no expression.

    `info`: the class whose attribute gets it.
    """
    if isinstance(value, _DISPLAYS):
        return False
    if isinstance(value, _COMPUTED):
        return any(_may_be_anything(part, info, known, seen) for part in parts(value))
    if isinstance(value, CallExpr):
        results = _results(_meant(value.callee, info))
        if results is None or any(map(_is_open, results)):
            return True
        follows = any(isinstance(get_proper_type(result), TypeVarType) for result in results)
        return follows and any(_may_be_anything(each, info, known, seen) for each in value.args)
    meant = _meant(value, info)
    if isinstance(meant, Var) and (not isinstance(value, MemberExpr) or not meant.is_inferred):
        if meant.type is None and (meant in known.values or meant in known.iterated):  # mypy comes to it later
            return meant not in seen and _is_bound_to_anything(meant, known, seen)
        return meant not in seen and (_is_open(meant.type) or may_forget(meant, known, seen))
    if isinstance(value, MemberExpr) and value.name in known.members:
        others, inside = known.members[value.name], seen | {value.name}
        return value.name not in seen and any(_may_be_anything(each, info, known, inside) for each in others)
    return True


def _meant(expression: Node | None, info: TypeInfo) -> Node | None:
    """What a name, or a member of `self`, stands for."""
    match expression:
        case MemberExpr(expr=NameExpr(node=Var(is_self=True)), name=name) if not isinstance(info, FakeInfo):
            symbol = info.get(name)
            return symbol.node if symbol is not None else None
        case RefExpr(node=node):
            return node
        case _:
            return None


def _results(function: Node | None) -> Sequence[Type] | None:
    """What a function or class says of what it returns; None if it says nothing."""
    if isinstance(function, TypeInfo):
        return ()
    declared = function.type if isinstance(function, FuncBase) else None
    return [item.ret_type for item in declared.items] if isinstance(declared, FunctionLike) else None


def _is_range(iterable: Expression) -> bool:
    return (
        isinstance(iterable, CallExpr) and isinstance(iterable.callee, RefExpr) and iterable.callee.fullname == _RANGE
    )


def _is_open(declared: Type | None) -> bool:
    """Whether a type says nothing of a value, or of one of several."""
    typ = get_proper_type(declared)
    if isinstance(typ, UnionType | TupleType):
        return any(map(_is_open, typ.items))
    return typ is None or isinstance(typ, AnyType)
