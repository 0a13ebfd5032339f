"""Find variables and attributes that hold a number, and may be rebound to a value that mypy infers as Any.

mypy keeps the type of their first value: after `n = 0` and `n = anything()` it infers int for `n`, and the plugin would
infer float32 for a float32 array times `n`.
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
    IndexExpr,
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
    Type,
    TypeVarType,
    get_proper_type,
)

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.rebindings import Rebindings, deciding
from promo_mypy.plugin.trees.syntax_trees import nodes, parts, placed_statements, statements
from promo_mypy.plugin.types import array_types
from promo_mypy.plugin.types.integer_types import is_bool
from promo_mypy.plugin.types.walks import members

with late():
    from promo_mypy.plugin.inferred import declared_classes

#: mypy infers the class of these, whatever is in them.
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
_NUMBERS: Final = IntExpr | FloatExpr | ComplexExpr
_NUMBER_CLASSES: Final = frozenset({"builtins.int", "builtins.float", "builtins.complex"})
#: mypy infers these if it infers their parts.
_COMPUTED: Final = UnaryExpr | OpExpr | ComparisonExpr | ConditionalExpr | TupleExpr
_RANGE: Final = "builtins.range"


def read_first(tree: MypyFile) -> Iterator[Var]:
    """The number variables of a file and its classes: `n = 0` has a type before mypy checks the file."""
    return (variable for variable in of_many(tree) if holds_number(variable))


def of_many(tree: MypyFile) -> Iterator[Var]:
    """The unannotated variables of a file and its classes, and those that it imports."""
    tables = [tree.names]
    if file_texts.may_have(tree, ["class"]):
        infos = [statement.info for statement in statements(tree.defs) if isinstance(statement, ClassDef)]
        tables += [info.names for info in infos if not isinstance(info, FakeInfo)]  # one in code that is not reached
    for table in tables:
        for symbol in table.values():
            if isinstance(symbol.node, Var) and is_unannotated(symbol.node):
                yield symbol.node


def is_of_many(variable: Var) -> bool:
    """Whether any function may read the variable: a global variable, or an attribute."""
    return not isinstance(variable.info, FakeInfo) or "." in variable.fullname


def read_inside(tree: MypyFile) -> frozenset[Var]:
    """The variables of a function that functions and classes in it read: these run later, or more than once."""
    inner: list[Node] = list(definitions(tree).inner)
    if file_texts.may_have(tree, ["lambda"]):
        outer = [each for each, function, _ in placed_statements(tree.defs) if not function and type(each) is FuncDef]
        inner += [node for function in outer for node in nodes(function.body) if isinstance(node, LambdaExpr)]
    read: set[object] = set()
    for each in inner:
        names = [node for node in nodes(each) if isinstance(node, NameExpr)]
        read |= {name.node for name in names} - {name.node for name in names if name.is_new_def}
    return frozenset(node for node in read if isinstance(node, Var))


def holds_number(variable: Var) -> bool:
    """Whether the type of the variable is a number. `bool` is excluded."""
    return variable.type is not None and is_number(variable.type)


def is_number(typ: Type) -> bool:
    """Whether it is the type of a number. `bool` is excluded."""
    return all(array_types.is_number(item) and not is_bool(item) for item in members(typ))


def may_forget(variable: Var, known: Rebindings, seen: frozenset[Node | str] = frozenset()) -> bool:
    """Whether a variable that holds a number is bound again, perhaps to a value that mypy infers as Any."""
    return variable in known.again and variable not in seen and _is_bound_to_anything(variable, known, seen)


def _is_bound_to_anything(
    variable: Var, known: Rebindings, seen: frozenset[Node | str], line: int | None = None
) -> bool:
    """Whether a variable is bound to a value that mypy may infer as Any, above a line if one is given."""
    if variable in known.unlisted or not all(map(_is_range, known.iterated.get(variable, ()))):
        return True
    bound = known.values.get(variable, ())
    values: list[Expression | None] = [*(bound if line is None else deciding(bound, line))]
    values += known.added.get(variable, ())
    if not isinstance(variable.info, FakeInfo):
        values += known.members.get(variable.name, ())
    return any(
        _may_be_anything(value, variable.info, known, seen | {variable})
        or (value in known.unchecked and not _is_number(value, variable.info, known))
        for value in values
    )


def _may_be_anything(value: Node | None, info: TypeInfo, known: Rebindings, seen: frozenset[Node | str]) -> bool:
    """Whether mypy may infer Any for a value. None stands for a value that is not an expression.

    `info`: the class whose attribute is bound to it.
    """
    if isinstance(value, _DISPLAYS) or (isinstance(value, Expression) and is_none(value)):
        return False
    if isinstance(value, _COMPUTED):
        return any(_may_be_anything(part, info, known, seen) for part in parts(value))
    if isinstance(value, CallExpr | IndexExpr):
        functions = _called(value, info, known)
        return functions is None or any(_may_return_anything(each, value, info, known, seen) for each in functions)
    meant = _meant(value, info, known)
    if isinstance(meant, Var) and (not isinstance(value, MemberExpr) or not is_unannotated(meant)):
        if meant.type is None and (meant in known.values or meant in known.iterated):  # mypy has not checked it yet
            line = value.line if isinstance(value, NameExpr) else None
            return meant not in seen and _is_bound_to_anything(meant, known, seen, line)
        return meant not in seen and (declared_classes.declares_any(meant.type) or may_forget(meant, known, seen))
    if isinstance(value, MemberExpr) and value.name in known.members:
        others, inside = known.members[value.name], seen | {value.name}
        return value.name not in seen and any(_may_be_anything(each, info, known, inside) for each in others)
    return True


def _is_number(value: Expression | None, info: TypeInfo, known: Rebindings) -> bool:
    """Whether a value that mypy does not infer as Any is a number, None, which has no operators, or unknown yet."""
    if isinstance(value, _DISPLAYS | TupleExpr):
        return isinstance(value, _NUMBERS)
    if value is not None and is_none(value):
        return True
    if isinstance(value, _COMPUTED):
        return all(_is_number(part, info, known) for part in parts(value) if isinstance(part, Expression))
    function = _meant(value.callee if isinstance(value, CallExpr) else value, info, known)
    if isinstance(function, TypeInfo):
        return function.fullname in _NUMBER_CLASSES
    if isinstance(value, CallExpr):
        return all(map(is_number, declared_classes.results(function) or ()))
    return not isinstance(function, Var) or function.type is None or is_number(function.type)


def _may_return_anything(
    function: Node, called: CallExpr | IndexExpr, info: TypeInfo, known: Rebindings, seen: frozenset[Node | str]
) -> bool:
    results = declared_classes.results(function)
    if results is None or any(map(declared_classes.declares_any, results)):
        return True
    follows = any(isinstance(get_proper_type(result), TypeVarType) for result in results)
    if follows and isinstance(function, FuncBase) and not isinstance(function.info, FakeInfo):
        return True  # the type variable may be one of the class
    given = called.args if isinstance(called, CallExpr) else ()
    return follows and any(_may_be_anything(each, info, known, seen) for each in given)


def _called(value: CallExpr | IndexExpr, info: TypeInfo, known: Rebindings) -> Sequence[Node] | None:
    """The functions or methods that a call or an index may call."""
    if isinstance(value, CallExpr) and (function := _meant(value.callee, info, known)) is not None:
        return [function]
    return declared_classes.methods(value, known)


def _meant(expression: Node | None, info: TypeInfo, known: Rebindings) -> Node | None:
    """The symbol of a name, or of a member of `self` or of a variable."""
    match expression:
        case MemberExpr(expr=NameExpr(node=Var(is_self=True)), name=name) if not isinstance(info, FakeInfo):
            symbol = info.get(name)
            return symbol.node if symbol is not None else None
        case MemberExpr(node=None, expr=owner, name=name):
            found = declared_classes.members(owner, name, known)
            return found[0] if found is not None and len(found) == 1 else None
        case RefExpr(node=node):
            return node
        case _:
            return None


def _is_range(iterable: Expression) -> bool:
    return (
        isinstance(iterable, CallExpr) and isinstance(iterable.callee, RefExpr) and iterable.callee.fullname == _RANGE
    )
