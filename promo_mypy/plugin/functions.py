"""Calls of functions and methods that the registry has, to the type of their result."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from mypy.nodes import CallExpr, Context, MemberExpr, RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, LiteralType, NoneType, Type, UnionType, get_proper_type

from promo_mypy.plugin import mypy_internals
from promo_mypy.plugin.answers import typed
from promo_mypy.plugin.arguments import Argument, CallContext, arguments
from promo_mypy.plugin.array_types import read
from promo_mypy.plugin.call_arguments import CallReader, without_rank
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.function_rows import FunctionRows
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.session import Session, system_name
from promo_mypy.rules import diagnostics, functions
from promo_mypy.rules.functions.arguments import Arguments, Value
from promo_mypy.rules.functions.rows import Answer, Row
from promo_mypy.rules.functions.signatures import signature
from promo_mypy.rules.promotion import Operand, Refusal
from promo_mypy.rules.ranks import UNKNOWN_RANK
from promo_mypy.rules.systems import root_of


def infer_function(ctx: FunctionContext, row: Row, session: Session) -> Type:
    """A function that is called by its name."""
    return _infer(ctx, row, None, session)


def infer_method(ctx: MethodContext, row: Row, session: Session) -> Type:
    """A method of an array."""
    return _infer(ctx, row, ctx.type, session)


def infer_member(ctx: MethodContext, row: Row, session: Session) -> Type:
    """A method of an object that is no array: a generator of random numbers."""
    return _infer(ctx, row, ctx.type, session)


def infer_object(ctx: MethodContext, rows: FunctionRows, session: Session) -> Type:
    """The call of an object that stands for a function, or of its method: `np.add(x, y)`, `np.add.reduce(x)`.

    The function is the one that the code names; an object in a variable is not followed.
    """
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    row = None
    if isinstance(callee, RefExpr) and callee.fullname:
        row = rows.function(callee.fullname)
    elif isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) and callee.expr.fullname:
        row = rows.method_of_function(callee.expr.fullname, callee.name)
    return ctx.default_return_type if row is None else _infer(ctx, row, None, session)


def _infer(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> Type:
    session.watch.follow(ctx.api)
    declared = ctx.default_return_type
    given = list(arguments(ctx))
    # einops has functions for the arrays of any library.
    library = BY_PACKAGE.get(row.library) or _library_of_arrays(given, session)
    if library is None:
        return declared
    system = session.system(library, ctx.api)
    if not _follows_its_library(session, ctx.api, library):
        return declared
    combinations = CallReader(row, library, system, session, ctx.api).combinations(given, receiver)
    if combinations is None:
        return declared
    found = {combination: functions.resolve_call(system, row, combination) for combination in combinations}
    refusals = [answer for answer in found.values() if isinstance(answer, Refusal)]
    if refusals and len(refusals) == len(found):
        _report(refusals[0], row, ctx.context, ctx.api)
        return declared
    if system.rank_matters and _depends_on_rank(found):
        return declared
    answers = [answer for answer in found.values() if not isinstance(answer, Refusal)]
    return typed(answers, declared, library, UNKNOWN_RANK, session, scalar=_is_scalar(row, given))


def _depends_on_rank(found: Mapping[Arguments, Answer | Refusal]) -> bool:
    """Whether calls that differ only in ranks, which are not known then, give different dtypes."""
    answers: defaultdict[Arguments, set[Answer | None]] = defaultdict(set)
    for combination, answer in found.items():
        answers[without_rank(combination)].add(None if isinstance(answer, Refusal) else answer)
    return any(len(different) > 1 for different in answers.values())


def _library_of_arrays(given: Sequence[Argument], session: Session) -> Library | None:
    """The one library that the arrays among the arguments belong to; None if that is not known."""
    found = {
        value.library for argument in given for value in read(argument.type, session.platform) or () if value.is_array
    }
    return found.pop() if len(found) == 1 else None


def _follows_its_library(session: Session, api: CheckerPluginInterface, library: Library) -> bool:
    """Whether the rules of the module are the library's own, or made of them: functions are the library's."""
    return root_of(system_name(session.options(api), library)).startswith(library.value)


def _is_scalar(row: Row, given: Sequence[Argument]) -> bool | None:
    """Whether NumPy reduces the array to a scalar; None if the rank decides, which NumPy's types do not have.

    An axis that is given leaves other axes, or there was no reason to name it.
    """
    parameters = {parameter.name: parameter for parameter in signature(row.signature).parameters}
    if "keepdims" not in parameters or "axis" not in parameters:
        return False
    keeps = next((argument for argument in given if argument.keyword == "keepdims"), None)
    if keeps is not None and not _is_literal(keeps.type, False):
        return False if _is_literal(keeps.type, True) else None
    positions = [name for name, parameter in parameters.items() if parameter.positional]
    place = positions.index("axis") if "axis" in positions else len(given)
    named = next((argument for argument in given if argument.keyword == "axis"), None)
    axis = named or (given[place] if place < len(given) and given[place].keyword is None else None)
    if axis is None:
        return parameters["axis"].default == Value(None)
    typ = get_proper_type(axis.type)
    if isinstance(typ, NoneType):
        return True
    return None if isinstance(typ, AnyType | UnionType) else False


def _is_literal(typ: Type, value: bool) -> bool:
    proper = get_proper_type(typ)
    known = proper.last_known_value if isinstance(proper, Instance) else proper
    return isinstance(known, LiteralType) and known.value is value


def _report(refusal: Refusal, row: Row, context: Context, api: CheckerPluginInterface) -> None:
    operands = ", ".join(_named(operand) for operand in refusal.operands)
    text = diagnostics.UNDEFINED.text.format(
        operands=f"{row.full_name}({operands})", system=refusal.system, reason=refusal.reason, remedy=refusal.remedy
    )
    mypy_internals.report(api, text, context, CODES[diagnostics.UNDEFINED])


def _named(operand: Operand) -> str:
    return f"weak {operand.name.rstrip('*')}" if operand.name.endswith("*") else operand.name
