"""Infer the results of operators on arrays.

Most libraries declare one signature without dtypes per operator, so a method hook computes the result. NumPy's
operators are checked through a signature hook: it fills in the result from the rules, or returns NumPy's own overloads
for operands that the rules do not cover (datetime64, str, object, lists, unknown classes).
"""

import itertools
from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    UninhabitedType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.length_hooks import note_operands
from promo_mypy.plugin.calls.autocast import has_autocast
from promo_mypy.plugin.diagnostics import associativity, findings, forbidden, portability
from promo_mypy.plugin.libraries import BY_LIBRARY, Library
from promo_mypy.plugin.mypy_api.type_checker import has_stock_operator, stock_operator
from promo_mypy.plugin.operators import inplace_rebinding, promoted_operators, union_operands, zero_d
from promo_mypy.plugin.operators.source_form import as_written
from promo_mypy.plugin.promotion import Answer, answer, only_extended_by_category, result_type
from promo_mypy.plugin.state.caches import SettledOperation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value, library_of
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.union_members import members
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype, returning_open_dtypes, with_bounds
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch import autocast
from promo_mypy.rules.operands import Form
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.operators import Operator

# The operators that autocast may change, and their reflected methods.
_TOUCHED: Final = autocast.OPERATORS | {method.replace("__r", "__", 1) for method in autocast.OPERATORS}


def infer_result(ctx: MethodContext, operator: Operator, session: Session) -> Type:
    """The result of an operator that its library declares; the declared type if an operand is unknown."""
    note_operands(ctx, session)
    others = [types[0] for types in ctx.arg_types if types]
    found = infer(operator, ctx.type, others, ctx.context, session, ctx.api)
    return ctx.default_return_type if found is None else found


def infer_signature(ctx: MethodSigContext, operator: Operator, session: Session) -> FunctionLike:
    """The exact signature of an operator of an ndarray or NumPy scalar for these operands."""
    others = [ctx.api.get_expression_type(args[0]) for args in ctx.args if args]
    note_operands(ctx, session)
    found = infer(operator, ctx.type, others, ctx.context, session, ctx.api)
    if found is None:
        found = _accepted(ctx, operator, others)
    if found is not None:
        return _returning(found, ctx.default_signature, session)
    declared, operands = _declared(ctx, operator, others), (ctx.type, *others)
    if operator.kind == "comparison" or not any(has_unknown_dtype(typ, session.platform) for typ in operands):
        return declared
    return returning_open_dtypes(declared, _possible(operator, operands, session, ctx.api), session.platform)


def _returning(result: Type, declared: CallableType, session: Session) -> CallableType:
    """The declared signature of an operator with that result, for any operands. Equal signatures share one object."""
    known = session.watch.memo.signatures
    question = (declared.definition, len(declared.arg_types), result)
    found = known.get(question)
    if found is None:
        open_types: list[Type] = [AnyType(TypeOfAny.special_form) for _ in declared.arg_types]
        found = known[question] = declared.copy_modified(arg_types=open_types, ret_type=result, variables=[])
    return found


def _accepted(ctx: MethodSigContext, operator: Operator, others: Sequence[Type]) -> Type | None:
    """The result of unknown dtype for operands that NumPy's stubs reject only because the plugin knows their dtype.

    A dtype that only the plugin knows must not cause an error. None if the stubs should decide.
    """
    anything, is_array = AnyType(TypeOfAny.special_form), library_of(ctx.type) is Library.NUMPY
    if is_array and union_operands.meets_array_like(ctx.context, ctx.api):
        # The stubs accept its strings and buffers with an array of unknown dtype, and reject them with most dtypes.
        return ctx.type if operator.kind == "inplace" else anything
    if is_scalar_type(ctx.type) and union_operands.has_operand_of_ours(ctx.context, ctx.api):
        # The stubs accept a list with an array, but not with a scalar (`weights / np.sum(weights)`).
        return anything
    if (is_array or is_scalar_type(ctx.type)) and any(map(_is_foreign, others)):
        # The stubs convert everything that can be converted to a NumPy array.
        return anything
    return None


def _is_foreign(operand: Type) -> bool:
    """Whether it is, or may be, an array of another library."""
    return any(library_of(item) not in (None, Library.NUMPY) for item in members(operand))


def _declared(ctx: MethodSigContext, operator: Operator, others: Sequence[Type]) -> FunctionLike:
    """The operator as NumPy's stubs declare it."""
    if not isinstance(ctx.type, Instance) or not has_stock_operator(ctx.type, operator.method):
        return ctx.default_signature
    may_reverse = operator.kind not in ("unary", "inplace")
    stock = stock_operator(ctx.api, ctx.type, operator.method, ctx.context, may_reverse=may_reverse)
    if stock is None and may_reverse:
        # No overload accepts this receiver: mypy must try the other operand, and report if that fails, too.
        return ctx.default_signature.copy_modified(arg_types=[UninhabitedType() for _ in others])
    return stock or ctx.default_signature


def infer(
    operator: Operator,
    receiver: Type,
    others: Sequence[Type],
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> Type | None:
    """The type of `receiver <operator> others`, or None if an operand or a mixture of libraries is unknown.

    Reports an operation that is rejected, and the diagnostics that the user enabled.
    """
    session.watch.follow(api)
    operator, receiver, others = as_written(operator, receiver, others, context, session, api)
    memo, question = session.watch.memo.operations, (operator.method, receiver, *others)
    known = memo.get(question)
    is_touched = _is_touched(operator, receiver, others) if known is None else known.is_touched
    if is_touched and has_autocast(context, api):
        return None
    if known is not None and operator.kind != "inplace":
        return known.result
    receiver, others = session.canonical(receiver), [session.canonical(other) for other in others]
    if known is not None:
        result = known.result
    else:
        result, reported = _infer(operator, receiver, others, context, session, api)
        if not reported and not session.has_policies and not findings.costs_are_asked_for(session, api):
            memo[question] = SettledOperation(result, is_touched)
    if operator.kind == "inplace":
        inplace_rebinding.note(operator, receiver, others, result, context, session, api)
    return result


def _infer(
    operator: Operator,
    receiver: Type,
    others: Sequence[Type],
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> tuple[Type | None, bool]:
    """The result, and whether it must not be cached: after a report, or if it depends on the expression."""
    alternatives = _alternatives((receiver, *others), session)
    if alternatives is None:
        in_order = (*others, receiver) if operator.kind == "reflected" else (receiver, *others)
        return promoted_operators.infer(operator, in_order, session, api), False
    if _are_numpy_bools(alternatives):
        return None, False
    crosses = zero_d.crosses(alternatives)
    if crosses:
        alternatives = zero_d.marked(operator, alternatives, context, session)
    answers = _answers(operator, alternatives, session, api)
    if answers is None or any(only_extended_by_category(found, values) for found, values in answers):
        return None, crosses
    refusal = findings.refusal(operator, answers)
    if refusal is not None:
        if union_operands.may_be_unknown(context, session, api):
            return None, True  # True: the same operands elsewhere may be all that there is
        findings.report(refusal, context, api)
    # One finding for each expression: an operation that cannot run, then a policy of the user, then a chain whose
    # grouping matters, then the cost.
    reported = (
        refusal is not None
        or (
            session.has_policies
            and (
                forbidden.report_operation(operator, answers, context, session, api)
                or portability.report(operator, answers, context, session, api)
            )
        )
        or (
            findings.costs_are_asked_for(session, api)
            and (
                (len(answers) == 1 and associativity.report(operator, answers[0][0], context, session, api))
                or findings.report_cost(operator, answers, context, api)
            )
        )
    )
    return _type_of(operator, receiver, answers, session), reported or crosses


def _is_touched(operator: Operator, receiver: Type, others: Sequence[Type]) -> bool:
    """Whether this is an operator of a tensor that autocast may change."""
    method = operator.method
    if method not in _TOUCHED:
        return False
    if library_of(receiver) is not Library.TORCH:
        if not any(library_of(other) is Library.TORCH for other in others):
            return False
        method = f"__r{method.removeprefix('__')}"
    return method in autocast.OPERATORS


def _alternatives(operands: Sequence[Type], session: Session) -> Sequence[Sequence[Value]] | None:
    """The possible values of each operand; None if an operand is unknown."""
    alternatives = [session.values(typ) for typ in operands]
    known = [values for values in alternatives if values is not None]
    return known if len(known) == len(alternatives) else None


def _answers(
    operator: Operator, alternatives: Sequence[Sequence[Value]], session: Session, api: CheckerPluginInterface
) -> list[tuple[Answer, Sequence[Value]]] | None:
    """The result of the operator for every combination; None if the rules do not apply to one of them.

    `alternatives`: the possible values of the receiver and of the other operand.
    """
    in_order = alternatives[::-1] if operator.kind == "reflected" else alternatives
    answers: list[tuple[Answer, Sequence[Value]]] = []
    for values in itertools.product(*in_order):
        # An augmented assignment to a number replaces it.
        operation = operator.operation if values[0].is_array else IN_PLACE.get(operator.operation, operator.operation)
        found = answer(operation, values, session, api)
        if found is None:
            return None
        answers.append((found, values))
    return answers


def _possible(
    operator: Operator, operands: Sequence[Type], session: Session, api: CheckerPluginInterface
) -> frozenset[type[dt.Shaped]] | None:
    """Every dtype that the result may have, with each type variable replaced by its bound."""
    alternatives = _alternatives([with_bounds(typ) for typ in operands], session)
    answers = None if alternatives is None else _answers(operator, alternatives, session, api)
    if answers is None or any(found.dtypes is None for found, _ in answers):
        return None
    return frozenset().union(*(found.dtypes or () for found, _ in answers))


def _are_numpy_bools(alternatives: Sequence[Sequence[Value]]) -> bool:
    """Whether all operands are scalars of numpy.bool, for which NumPy's stubs know the value itself."""
    return all(
        value.library is Library.NUMPY and value.form is Form.SCALAR and value.dtypes == {dt.bool_}
        for values in alternatives
        for value in values
    )


def _type_of(
    operator: Operator, receiver: Type, answers: Sequence[tuple[Answer, Sequence[Value]]], session: Session
) -> Type | None:
    allowed = [(found, values) for found, values in answers if found.dtypes is None or found.dtypes]
    if operator.kind == "inplace" and not any(
        found.rebinds or not BY_LIBRARY[found.library].writes or found.library is not values[0].library
        for found, values in answers
    ):
        # The library writes into the target: its dtype stays, even after a rejected operation.
        return receiver
    if not allowed or any(found.dtypes is None for found, _ in allowed):
        return _unknown(answers)
    types = [result_type(found, values, session) for found, values in allowed]
    known = [typ for typ in types if typ is not None]
    if len(known) != len(types):
        return None
    result: Type = make_simplified_union(known)
    if operator.operation == "divmod":
        pair = session.symbols.instance("builtins.tuple", [result])
        return TupleType([result, result], pair) if pair is not None else None
    return result


def _unknown(answers: Sequence[tuple[Answer, Sequence[Value]]]) -> Type:
    """An array of unknown dtype of the library that computes the result."""
    found, values = answers[0]
    any_type = AnyType(TypeOfAny.special_form)
    for value in values:
        if value.library is found.library and value.is_array:
            return value.source.copy_modified(args=_open_arguments(value.source))
    return any_type


def _open_arguments(array: Instance) -> list[Type]:
    any_type = AnyType(TypeOfAny.special_form)
    dtype = get_proper_type(array.args[-1])
    if array.type.fullname == names.NUMPY_ARRAY and isinstance(dtype, Instance):
        return [any_type, dtype.copy_modified(args=[any_type])]
    return [any_type for _ in array.args]
