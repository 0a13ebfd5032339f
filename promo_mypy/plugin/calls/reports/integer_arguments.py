"""Report a float where a library takes nothing but integers: sizes and axes, and the ends of slices.

Examples: `np.zeros(np.ceil(n / 2))`, `x[: n / 2]`. Where stock mypy knows that the argument is a float, it reports it
itself, unless the types of the library accept anything.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    Expression,
    FloatExpr,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.plugin.calls.preserved_dtype import placed
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_LIBRARY, BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type, tree
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import Value, library_of, read
from promo_mypy.rules.functions.integer_parameters import REMEDY, SLICED, UNTYPED, integer_parameters, reason
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.operands import Form
from promo_mypy.rules.wording.reasons import spelled

with late():
    from promo_mypy.plugin.calls.reports import rejected_calls

_FLOAT: Final = "builtins.float"
_PACKAGES: Final = {library: package for package, library in BY_PACKAGE.items()}
#: Functions of `math` that do not always return a float, although some are declared so.
_NOT_FLOATS: Final = frozenset({"math.prod", "math.sumprod"})


def report(
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report a float for a parameter that takes integers. Return whether there was a report."""
    names = integer_parameters(row)
    if not names or any(argument.is_star for argument in given):
        return False
    library = BY_PACKAGE[row.library]
    by_place = [(place.name, argument) for place, argument in placed(row, given, receiver)]
    for name, argument in [*by_place, *((each.keyword, each) for each in given if each.keyword is not None)]:
        if name not in names:
            continue
        is_untyped = library is Library.JAX and row.name in UNTYPED.get(name, ())
        for part, typ in _parts(argument.expression, argument.type, api):
            found = _float(part, typ, session, api, is_untyped=is_untyped)
            if found is not None:
                _report(f"{row.full_name}({found})", library, found, name, context, session, api)
                return True
    return False


def report_slices(
    array: Type, index: Expression, context: Context, session: Session, api: CheckerPluginInterface
) -> bool:
    """Report a float as the start, end or step of a slice of an array. Return whether there was a report."""
    library = library_of(array)
    if library is None or _PACKAGES.get(library) not in SLICED:
        return False
    for part in index.items if isinstance(index, TupleExpr) else (index,):
        ends = (part.begin_index, part.end_index, part.stride) if isinstance(part, SliceExpr) else ()
        for end in ends:
            typ = expression_type(checker(api), end) if end is not None else None
            found = _float(end, typ, session, api, is_untyped=True) if end is not None and typ is not None else None
            if found is not None:
                sliced = _shown(array, session) or BY_LIBRARY[library].array
                _report(f"{sliced}[:{found}]", library, found, "", context, session, api)
                return True
    return False


def _parts(expression: Expression, typ: Type, api: CheckerPluginInterface) -> Iterator[tuple[Expression, Type]]:
    """The items of a tuple or list that is written out, or the argument itself."""
    if not isinstance(expression, TupleExpr | ListExpr):
        yield expression, typ
        return
    for item in expression.items:
        found = expression_type(checker(api), item)
        if found is not None:
            yield item, found


def _float(
    expression: Expression, typ: Type, session: Session, api: CheckerPluginInterface, *, is_untyped: bool
) -> str | None:
    """The dtype of an argument that is certainly a float or complex number, and that mypy does not report."""
    proper = get_proper_type(typ)
    if isinstance(proper, AnyType):
        return "float" if is_untyped and _is_part_of_length(expression, api) else None
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname == _FLOAT:
        return "float" if is_untyped and _is_float(expression, api, set()) else None
    if not is_untyped and not value_marks.is_marked(proper):
        return None
    values = read(proper, session.platform)
    dtypes = {dtype for value in values or () for dtype in value.dtypes if value.form is not Form.PYTHON}
    if not dtypes or any(dtype.kind not in "fc" for dtype in dtypes):
        return None
    return min(map(_name, values or ()))


def _name(value: Value) -> str:
    return min(spelled(dtype) for dtype in value.dtypes)


def _is_float(expression: Expression, api: CheckerPluginInterface, seen: set[Var]) -> bool:
    """Whether an expression that mypy knows as `float` is not an int, which a parameter of that type may be."""
    match expression:
        case FloatExpr():
            return True
        case UnaryExpr(op="-" | "+", expr=operand):
            return _is_float(operand, api, seen)
        case OpExpr(op="/"):
            return True
        case OpExpr(op="+" | "-" | "*" | "//" | "%", left=left, right=right):
            return _is_float(left, api, seen) or _is_float(right, api, seen)
        case CallExpr(callee=RefExpr(fullname=name)):
            return name == _FLOAT or (name.startswith("math.") and name not in _NOT_FLOATS)
        case NameExpr(node=Var() as variable):
            if variable in seen or not is_unannotated(variable):
                return False
            seen.add(variable)
            values = definitions(tree(api)).values(variable)
            return bool(values) and all(_is_float(value, api, seen) for value in values or ())
        case _:
            return False


def _is_part_of_length(expression: Expression, api: CheckerPluginInterface) -> bool:
    """Whether a number is a length divided by a number, such as `x.shape[0] / 2`. To stock mypy it may be Any."""
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        values = definitions(tree(api)).values(expression.node) or ()
        return len(values) == 1 and not isinstance(values[0], NameExpr) and _is_part_of_length(values[0], api)
    return isinstance(expression, OpExpr) and expression.op == "/" and _is_length(expression.left, api)


def _is_length(expression: Expression, api: CheckerPluginInterface) -> bool:
    match expression:
        case IndexExpr(base=MemberExpr(expr=array, name="shape")) | MemberExpr(expr=array, name="size" | "ndim"):
            typ = expression_type(checker(api), array)
            return typ is not None and library_of(typ) is not None
        case OpExpr(op="+" | "-" | "*" | "//", left=left):
            return _is_length(left, api)
        case _:
            return False


def _shown(array: Type, session: Session) -> str:
    """The dtypes of an array; empty if they are unknown."""
    dtypes = {spelled(dtype) for value in read(array, session.platform) or () for dtype in value.dtypes}
    return " | ".join(sorted(dtypes))


def _report(
    called: str,
    library: Library,
    given: str,
    parameter: str,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> None:
    system = session.own_system(library, api)
    what = reason(system.dialect.library, given, parameter)
    rejected_calls.report_call(called, system, what, REMEDY, context, api)
