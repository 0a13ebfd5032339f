"""Read the conditions that test the dtype of an array, and what each of them says about the dtype.

`x.dtype == jnp.float32`, `x.dtype in (torch.half, torch.float)`, `x.dtype.kind == "c"`, `jnp.iscomplexobj(x)`,
`np.issubdtype(x.dtype, np.floating)`, `x.is_floating_point()`, and `not`, `and` and `or` of them. `x.dtype` may have a
name: `d = x.dtype`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    SetExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)

from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.rules.records import record

#: A file whose text has none of these tests no dtype.
WORDS: Final = ("dtype", "iscomplexobj", "isrealobj", "is_floating_point", "is_complex")

#: Functions of an array -> the kinds for which they are true.
_OF_ARRAYS: Final[Mapping[str, str]] = {
    "iscomplexobj": "c",
    "isrealobj": "biuf",
    "is_floating_point": "f",
    "is_complex": "c",
}
#: Methods of PyTorch's tensors, and attributes of its dtypes, of these names mean the same.
_OF_TENSORS: Final = frozenset({"is_floating_point", "is_complex"})
#: The abstract classes that `issubdtype` takes, and the words of `isdtype` -> their kinds.
_CATEGORIES: Final[Mapping[str, str]] = {
    "bool": "b", "bool_": "b", "signedinteger": "i", "unsignedinteger": "u", "integer": "iu", "floating": "f",
    "complexfloating": "c", "inexact": "fc", "number": "iufc",
    "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f", "complex floating": "c",
    "numeric": "iufc",
}  # fmt: skip
_EQUAL: Final[Mapping[str, bool]] = {"==": True, "is": True, "!=": False, "is not": False}
_AMONG: Final[Mapping[str, bool]] = {"in": True, "not in": False}


@record
class DtypeClaim:
    """What a condition says about an array.

    Attributes:
        array: the array, a name or an attribute.
        holds: whether its dtype is one of these.
        kinds: the kinds of the dtypes; empty if they are named.
        names: the expressions that name the dtypes.
        of_numpy: whether NumPy tells the kind: that of the dtypes of ml_dtypes is not "f" or "i" there.
    """

    array: Expression
    holds: bool
    kinds: str = ""
    names: tuple[Expression, ...] = ()
    of_numpy: bool = False


def claims(condition: Expression, tree: MypyFile, *, holds: bool = True) -> Iterator[DtypeClaim]:
    """What a condition says about dtypes where it is true, or where it is false."""
    match condition:
        case UnaryExpr(op="not", expr=inner):
            yield from claims(inner, tree, holds=not holds)
        case OpExpr(op="and" | "or" as op, left=left, right=right):
            parts = [list(claims(each, tree, holds=holds)) for each in (left, right)]
            yield from chain(*parts) if (op == "and") is holds else _either(*parts)
        case ComparisonExpr(operators=[operator], operands=[left, right]):
            yield from _compared(left, operator, right, tree, holds)
        case CallExpr(callee=MemberExpr(name=name) | NameExpr(name=name), args=given):
            yield from _called(condition, name, given, tree, holds)
        case MemberExpr(name=name, expr=dtype) if name in _OF_TENSORS and (array := array_of(dtype, tree)) is not None:
            yield DtypeClaim(array, holds, _OF_ARRAYS[name])


def _either(some: Sequence[DtypeClaim], others: Sequence[DtypeClaim]) -> Iterator[DtypeClaim]:
    """What two conditions say where one of them is true: `x.dtype == a or x.dtype == b`."""
    if len(some) != 1 or len(others) != 1:
        return
    (one,), (other,) = some, others
    is_alike = bool(one.kinds) is bool(other.kinds) and one.of_numpy is other.of_numpy
    if one.holds and other.holds and is_alike and _is_same(one.array, other.array):
        yield DtypeClaim(one.array, one.holds, one.kinds + other.kinds, one.names + other.names, one.of_numpy)


def _is_same(one: Expression, other: Expression) -> bool:
    """Whether two expressions are the same variable, or the same attribute of one."""
    if isinstance(one, MemberExpr) and isinstance(other, MemberExpr):
        return one.name == other.name and _is_same(one.expr, other.expr)
    return isinstance(one, NameExpr) and isinstance(other, NameExpr) and one.node is other.node


def array_of(dtype: Expression, tree: MypyFile) -> Expression | None:
    """The array in `x.dtype`, or behind a name that is bound to that once; None for other expressions."""
    match dtype:
        case MemberExpr(name="dtype", expr=NameExpr(node=Var()) | MemberExpr() as array):
            return array if _is_variable(array) else None
        case NameExpr(node=Var() as variable):
            values = definitions(tree).values(variable)
            value = values[0] if values is not None and len(values) == 1 else None
            found = array_of(value, tree) if isinstance(value, MemberExpr) else None
            return found if isinstance(found, NameExpr) and _is_bound_once(found, tree) else None
        case _:
            return None


def _is_variable(expression: Expression) -> bool:
    """Whether this is a variable, or an attribute of one, and not a part of a module."""
    while isinstance(expression, MemberExpr):
        if expression.fullname:
            return False
        expression = expression.expr
    return isinstance(expression, NameExpr) and isinstance(expression.node, Var)


def _is_bound_once(array: NameExpr, tree: MypyFile) -> bool:
    """Whether nothing binds a parameter, or only one statement binds a variable: no other array has the dtype."""
    found = definitions(tree).of_variable(array.node) if isinstance(array.node, Var) else ()
    return len(found) == 1 and found[0].way in (Way.ARGUMENT, Way.VALUE)


def _compared(left: Expression, operator: str, right: Expression, tree: MypyFile, holds: bool) -> Iterator[DtypeClaim]:
    if operator in _EQUAL:
        is_positive = holds is _EQUAL[operator]
        yield from _tested(left, (right,), tree, is_positive)
        yield from _tested(right, (left,), tree, is_positive)
    elif operator in _AMONG:
        items = tuple(right.items) if isinstance(right, TupleExpr | ListExpr | SetExpr) else (right,)
        is_positive = holds is _AMONG[operator]
        if items != (right,) or isinstance(right, StrExpr):  # `x.dtype.kind in "iu"`
            yield from _tested(left, items, tree, is_positive)


def _tested(
    tested: Expression, named: tuple[Expression, ...], tree: MypyFile, is_positive: bool
) -> Iterator[DtypeClaim]:
    """What a comparison of a dtype, or of its kind or name, with some others says."""
    match tested:
        case MemberExpr(name="kind", expr=dtype):
            letters = [each.value for each in named if isinstance(each, StrExpr)]
            array = array_of(dtype, tree) if len(letters) == len(named) else None
            if array is not None:
                yield DtypeClaim(array, is_positive, "".join(letters), of_numpy=True)
        case MemberExpr(name="name", expr=dtype) | dtype:
            array = array_of(dtype, tree)
            if array is not None and not any(array_of(each, tree) is not None for each in named):
                yield DtypeClaim(array, is_positive, names=named)


def _called(
    call: CallExpr, name: str, given: Sequence[Expression], tree: MypyFile, holds: bool
) -> Iterator[DtypeClaim]:
    callee = call.callee
    library = callee.fullname.partition(".")[0] if isinstance(callee, RefExpr) else ""
    if name in _OF_ARRAYS and library and len(given) == 1 and _is_variable(given[0]):
        yield DtypeClaim(given[0], holds, _OF_ARRAYS[name])
    elif name in _OF_TENSORS and not library and not given and isinstance(callee, MemberExpr):
        if _is_variable(callee.expr):
            yield DtypeClaim(callee.expr, holds, _OF_ARRAYS[name])
    elif name in ("issubdtype", "isdtype") and len(given) == 2:
        array, kinds = array_of(given[0], tree), _kinds(given[1])
        if array is not None and kinds is None:
            yield DtypeClaim(array, holds, names=(given[1],))
        elif array is not None and kinds:
            yield DtypeClaim(array, holds, kinds, of_numpy=library == "numpy")


def _kinds(category: Expression) -> str | None:
    """The kinds of a category; empty if unknown, None for a dtype."""
    match category:
        case StrExpr(value=text):
            return _CATEGORIES.get(text, "")
        case TupleExpr(items=items):
            parts = [_kinds(each) for each in items]
            return "".join(part for part in parts if part) if all(parts) else ""
        case MemberExpr(name=name) | NameExpr(name=name):
            return _CATEGORIES.get(name) or (None if name not in ("generic", "flexible", "character") else "")
        case _:
            return ""
