"""Replace NumPy's overloads by one exact signature for the arguments of a call, before mypy tries the overloads.

mypy compares the arguments with one overload after another, each full of unions and protocols. For `np.where` that
takes ten times as long as finding the dtype. Arguments of any shape have an Any in their types, with which mypy tries
even the overloads after one that fits. So the first overload gets the exact signature, and the others accept no
arguments. Only calls are replaced whose arguments are quick to check twice, and whose results need no shapes from the
overloads. Everything else goes to the overloads, and so do calls that the rules do not know, or reject.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    SymbolNode,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.types import AnyType, CallableType, FunctionLike, Instance, NoneType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments import length_hooks
from promo_mypy.plugin.calls.function_rows import FunctionRows
from promo_mypy.plugin.calls.resolution import CallAnswers, answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.caches import Question
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_floats import written_float
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.integer_types import is_bool, is_int
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.ranks import UNKNOWN_RANK

_ANY: Final = AnyType(TypeOfAny.special_form)
#: Functions with exact signatures that are not ufuncs.
_NAMES: Final = frozenset(name.rpartition(".")[2] for name in names.EXACT_FUNCTIONS)


class ExactSignatures:
    """Gives calls exact signatures. It keeps the result of the current call: mypy asks again for every overload."""

    def __init__(self, rows: FunctionRows) -> None:
        self._rows = rows
        self._call: Context | None = None
        self._first: SymbolNode | None = None
        self._result: Type | None = None

    def infer_signature(
        self, ctx: FunctionSigContext | MethodSigContext, arguments: int, session: Session
    ) -> FunctionLike:
        """The signature of one overload: exact, or without arguments. NumPy's own if the result is unknown.

        `arguments`: the number of positional arguments. A call with another number keeps NumPy's overloads.
        """
        signature = ctx.default_signature
        # The first overload of the same call again: mypy checks a loop twice, and the types may differ then.
        if ctx.context is not self._call or signature.definition is None or signature.definition is self._first:
            self._call, self._first = ctx.context, signature.definition
            self._result = self._infer(ctx, arguments, session)
            return signature if self._result is None else _exact(signature, self._result)
        return signature if self._result is None else CallableType([], [], [], _ANY, signature.fallback)

    def _infer(self, ctx: FunctionSigContext | MethodSigContext, arguments: int, session: Session) -> Type | None:
        call = ctx.context
        if not isinstance(call, CallExpr) or call.arg_kinds.count(ARG_POS) != arguments:
            return None
        row = self._rows.called(call)
        if row is None:
            return None
        session.watch.follow(ctx.api)
        memo = session.watch.memo
        result, memo.exact_question = _result(call, row, session, ctx.api)
        memo.exact_call = call if result is not None else None
        return result


def _exact(signature: CallableType, result: Type) -> CallableType:
    return CallableType([_ANY, _ANY], [ARG_STAR, ARG_STAR2], [None, None], result, signature.fallback)


def _result(
    call: CallExpr, row: Row, session: Session, api: CheckerPluginInterface
) -> tuple[Type | None, Question | None]:
    """The type of the result, and what it depends on, if types and numbers say it."""
    given = _arguments(call, session, api)
    if given is None:
        return None, None
    memo, asked = session.watch.types.exact_results, list[object]()
    for each in given:
        if isinstance(each.expression, UnaryExpr):
            # The rules need the number in `-1`, which its type does not show.
            return _found(given, row, session, api), None
        # The type of a float does not show its value.
        asked.append((each.keyword, session.canonical(each.type), written_float(each.expression)))
    question = (row, *asked)
    if question not in memo:
        memo[question] = _found(given, row, session, api)
    return memo[question], question


def _read(typ: Type, session: Session) -> object:
    """What the rules read of an argument of that type: facts of an array, and the whole type of anything else."""
    return typ if library_of(typ) is None else session.facts(typ)


def _found(given: Sequence[Argument], row: Row, session: Session, api: CheckerPluginInterface) -> Type | None:
    if not all(map(_is_fitting, given)):
        return None
    # Marked and unmarked types of one dtype have the same answers.
    known = session.watch.types.exact_answers
    question = (row, *((each.keyword, _read(each.type, session), written_float(each.expression)) for each in given))
    if question not in known:
        known[question] = _answered(given, row, session, api)
    result = known[question]
    return None if result is None else _marked(result, row, given, session)


def _answered(given: Sequence[Argument], row: Row, session: Session, api: CheckerPluginInterface) -> Type | None:
    """The type of the result, without marks; None if the rules do not give one array or scalar."""
    found = answers_of(row, given, None, session, api)
    if found is None or found.refusal is not None or not _is_one_array(found):
        return None
    result = typed(found.answers, _ANY, found.library, session, scalar=found.scalar)
    return None if isinstance(get_proper_type(result), AnyType) else result


def _marked(result: Type, row: Row, given: Sequence[Argument], session: Session) -> Type:
    """The result, with marks for what NumPy's stubs do not give."""
    if _is_any_to_stubs(result, row, given):
        return session.marked(result, value_marks.marked)
    if library_of(result) is not None:
        return session.marked(result, value_marks.with_marked_dtypes)
    return result


def _is_any_to_stubs(result: Type, row: Row, given: Sequence[Argument]) -> bool:
    """Whether the stubs return Any.

    They do for a reduction along an axis, for a ufunc of scalars, for arguments of type Any, and for a scalar of an
    array of unknown dtype, where the overloads differ by dtype.
    """
    types = [argument.type for argument in given]
    axes = [argument.type for argument in given if argument.keyword == "axis"]
    if any(not isinstance(get_proper_type(axis), NoneType) for axis in axes) or value_marks.is_any_marked(types):
        return True
    if row.name not in _NAMES and all(library_of(typ) is None for typ in types):
        return True
    return library_of(result) is None and any(map(value_marks.has_marked_dtype, types))


def _is_one_array(found: CallAnswers) -> bool:
    return found.scalar is not None and all(isinstance(answer, type) for answer in found.answers)


def _arguments(call: CallExpr, session: Session, api: CheckerPluginInterface) -> list[Argument] | None:
    """The arguments with their types; None if one of them is slow to check, or is `*args` or `**kwargs`."""
    if not all(map(_is_quick, call.args)):
        return None
    given = []
    for expression, kind, name in zip(call.args, call.arg_kinds, call.arg_names, strict=True):
        if kind not in (ARG_POS, ARG_NAMED) or (name is not None and name not in ("axis", "keepdims")):
            return None
        typ = length_hooks.with_lengths(expression, api.get_expression_type(expression), session, api)
        given.append(Argument(name, kind, expression, typ))
    return given


def _is_quick(expression: Expression) -> bool:
    match expression:
        case NameExpr() | IntExpr() | FloatExpr():
            return True
        case MemberExpr() | UnaryExpr():
            return _is_quick(expression.expr)
        case IndexExpr(base=MemberExpr(name="shape", expr=array)):
            return _is_quick(array) and _is_quick(expression.index)
        case ComparisonExpr():
            return len(expression.operands) == 2 and all(map(_is_quick, expression.operands))
        case _:
            return False


def _is_fitting(argument: Argument) -> bool:
    """Whether this is a number or an array of unknown shape. A keyword argument must be an int, a bool or None."""
    typ = get_proper_type(argument.type)
    if argument.keyword is not None:
        return isinstance(typ, NoneType) or is_int(typ) or is_bool(typ)
    if not isinstance(typ, Instance):
        return False
    if typ.type.fullname != names.NUMPY_ARRAY:
        return is_number(typ)
    return rank_of_shape(typ) == UNKNOWN_RANK
