"""Infer the results of operators on arrays.

Most libraries declare one signature without dtypes per operator, so a method hook computes the result. NumPy's
operators are checked through a signature hook: it fills in the result from the rules, or returns NumPy's own overloads
for operands that the rules do not cover (datetime64, str, object, unknown classes).
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context, Expression, OperatorAssignmentStmt
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    UninhabitedType,
    get_proper_type,
)

from promo_mypy.plugin.calls.arguments.length_hooks import has_length_operand, written_operands
from promo_mypy.plugin.diagnostics import costs, findings
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.marks import operator_marks
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.type_checker import has_stock_operator, stock_operator
from promo_mypy.plugin.operators import rulings
from promo_mypy.plugin.operators.combinations import (
    alternatives_of,
    answers_of,
    may_change_scalar,
    possible_dtypes,
    type_of,
)
from promo_mypy.plugin.operators.operands import repeated_operands, zero_d
from promo_mypy.plugin.operators.operands.constants import may_have_values, with_constants
from promo_mypy.plugin.operators.operands.source_form import as_written, is_rewritten
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.caches import SettledOperation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of, read, shaped_dtypes, with_dtypes
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype, returning_unknown_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch import autocast
from promo_mypy.rules.operators import Operator

with late():
    from promo_mypy.plugin.calls import autocast as regions
    from promo_mypy.plugin.calls.arguments import numpy_dimensions
    from promo_mypy.plugin.diagnostics import associativity, forbidden, portability
    from promo_mypy.plugin.mypy_api.checker import call_checking
    from promo_mypy.plugin.operators import promoted_operators
    from promo_mypy.plugin.operators.operands import none_operands, sequence_operands, time_operands, union_operands
    from promo_mypy.plugin.operators.variables import inplace_rebinding

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)

# The operators that autocast may change, and their reflected methods.
_TOUCHED: Final = autocast.OPERATORS | {method.replace("__r", "__", 1) for method in autocast.OPERATORS}


def infer_result(ctx: MethodContext, operator: Operator, session: Session) -> Type:
    """The result of an operator that its library declares; the declared type if an operand is unknown."""
    others = [types[0] for types in ctx.arg_types if types]
    if len(others) + 1 != operator.arity:
        return ctx.default_return_type  # `x.__add__()`: mypy itself reports it
    found = infer(Operation(operator, ctx.type, others, ctx.context), session, ctx.api)
    return ctx.default_return_type if found is None else found


def infer_signature(ctx: MethodSigContext, operator: Operator, session: Session) -> FunctionLike:
    """The exact signature of an operator of an ndarray or NumPy scalar for these operands."""
    others = [ctx.api.get_expression_type(args[0]) for args in ctx.args if args]
    if len(others) + 1 != operator.arity:
        return ctx.default_signature
    operation = Operation(operator, ctx.type, others, ctx.context)
    found = infer(operation, session, ctx.api)
    if found is None and operator.arity > 1 and sequence_operands.is_sequence(operation.others[0]):
        found = _with_sequence(operation, next(written_operands(ctx, operator)), session, ctx.api)
    if found is None and time_operands.report(operation, session, ctx.api):
        found = _ANY
    if found is None:
        found = _accepted(operation, ctx.api)
    has_length = operator.kind != "inplace" and has_length_operand(ctx, operator, session)
    if found is None and has_length and is_scalar_type(operation.receiver):
        found = _ANY
    if found is not None:
        answer = value_marks.marked(found, session.symbols, session.platform) if has_length else found
        return _returning(answer, ctx.default_signature, session)
    declared, operands = _declared(operation, ctx, session), operation.operands
    if operator.kind == "comparison" or not any(has_unknown_dtype(typ, session.platform) for typ in operands):
        return declared
    result = returning_unknown_dtypes(declared, possible_dtypes(operator, operands, session, ctx.api), session.platform)
    is_any = has_length or operator_marks.is_any(operator, operands, session)
    return operator_marks.returning_marks(result, session) if is_any else result


def _with_sequence(
    operation: Operation, written: Expression, session: Session, api: CheckerPluginInterface
) -> Type | None:
    """The result for an array and a list or tuple; None if the stubs should decide."""
    converted = sequence_operands.with_array(operation, written, session, api)
    found = infer(converted, session, api) if converted is not None else None
    # A marked item fits several overloads, as Any does: stock mypy infers Any.
    return _ANY if found is None and sequence_operands.holds_mark(operation.others[0]) else found


def _returning(result: Type, declared: CallableType, session: Session) -> CallableType:
    """The declared signature of an operator with that result, for any operands. Equal signatures share one object."""
    known = session.watch.types.signatures
    question = (declared.definition, len(declared.arg_types), result)
    found = known.get(question)
    if found is None:
        types: list[Type] = [AnyType(TypeOfAny.special_form) for _ in declared.arg_types]
        found = known[question] = declared.copy_modified(arg_types=types, ret_type=result, variables=[])
    return found


def _accepted(operation: Operation, api: CheckerPluginInterface) -> Type | None:
    """The result of unknown dtype for operands that NumPy's stubs reject only because the plugin knows their dtype.

    A dtype that only the plugin knows must not cause an error. None if the stubs should decide.
    """
    anything, receiver = _ANY, operation.receiver
    is_array, is_inplace = library_of(receiver) is Library.NUMPY, operation.operator.kind == "inplace"
    if value_marks.is_any_marked(operation.operands):
        # Stock mypy infers Any for that operand, and for the result.
        is_kept = is_inplace and not value_marks.is_marked(receiver)
        return receiver if is_kept else anything
    if is_scalar_type(receiver) and operation.operator.kind == "binary" and (array := _of_jax(operation.others)):
        return without_dtypes(array)
    if is_array and union_operands.meets_array_like(operation.context, api):
        # The stubs accept its strings and buffers with an array of unknown dtype, and reject them with most dtypes.
        return receiver if is_inplace else anything
    if (is_array or is_scalar_type(receiver)) and any(map(_is_foreign, operation.others)):
        # The stubs convert everything that can be converted to a NumPy array.
        return anything
    return None


def _of_jax(operands: Sequence[Type]) -> Type | None:
    """The operand that is an array of JAX: it takes over the operators of NumPy's scalars."""
    return next((each for each in operands if all(library_of(item) is Library.JAX for item in members(each))), None)


def _is_foreign(operand: Type) -> bool:
    """Whether it is, or may be, an array of another library. The stubs reject one that may be None."""
    items = members(operand)
    is_foreign = any(library_of(item) not in (None, Library.NUMPY) for item in items)
    return is_foreign and not any(isinstance(item, NoneType) for item in items)


def _declared(operation: Operation, ctx: MethodSigContext, session: Session) -> FunctionLike:
    """The operator as NumPy's stubs declare it."""
    operator, receiver = operation.operator, ctx.type
    if not isinstance(receiver, Instance) or not has_stock_operator(receiver, operator.method):
        return ctx.default_signature
    receiver = none_operands.stock_receiver(operation, ctx.api) or receiver
    if operator.kind in ("unary", "inplace"):
        stock = stock_operator(ctx.api, receiver, operator.method, ctx.context, may_reverse=False)
        return stock or ctx.default_signature
    known, question = session.watch.types.declared, (receiver, operator.method)
    if question not in known:
        known[question] = stock_operator(ctx.api, receiver, operator.method, ctx.context, may_reverse=True)
    stock = known[question]
    if stock is None:
        # No overload accepts this receiver: mypy must try the other operand, and report if that fails, too.
        return ctx.default_signature.copy_modified(arg_types=[UninhabitedType() for _ in operation.others])
    return stock


def infer(asked: Operation, session: Session, api: CheckerPluginInterface) -> Type | None:
    """The type of `receiver <operator> others`, or None if an operand or a mixture of libraries is unknown.

    Reports an operation that is rejected, and the diagnostics that the user enabled.
    """
    session.watch.follow(api)
    asked = repeated_operands.with_one_member(asked, session, api)
    memo = session.watch.types.operations
    final = memo.get((asked.operator.method, asked.receiver, *asked.others))
    if final is not None and final.is_final and not is_rewritten(asked, session):
        return final.result
    operation = with_constants(as_written(asked, session, api), session, api)
    is_inplace = operation.operator.kind == "inplace"
    question = (operation.operator.method, *operation.operands)
    known = memo.get(question)
    is_touched = _is_touched(operation) if known is None else known.is_touched
    if is_touched and regions.has_autocast(operation.context, api):
        low = regions.low_dtype(operation.context, api)
        if low is None or is_inplace:
            return None
        if operation.operator.operation == "matmul":
            return _infer(operation.mapped(lambda typ: _lowered(typ, low, session)), session, api)[0]
    if known is not None and not is_inplace:
        return known.result
    operation = operation.mapped(session.canonical)
    if known is not None:
        result = known.result
    else:
        result, reported = _infer(operation, session, api)
        if not reported and not session.has_policies and not costs.are_asked_for(session, api):
            is_final = not is_touched and not is_inplace and not may_have_values(operation, session, api)
            memo[question] = SettledOperation(result, is_touched, is_final)
    if is_inplace:
        inplace_rebinding.note(operation, result, session, api)
        return operation.receiver if result is None and inplace_rebinding.keeps_tensor(operation) else result
    return result


def _lowered(operand: Type, low: type[dt.Shaped], session: Session) -> Type:
    """A tensor as autocast casts it for a matrix product."""
    from promo_mypy.rules.functions.torch.regions import lowered  # few programs have a region

    values = read(operand, session.platform)
    if values is None or len(values) != 1 or values[0].library is not Library.TORCH:
        return operand
    dtypes = shaped_dtypes(values)
    return with_dtypes(values[0].source, lowered(dtypes, low), values[0].rank, session.symbols)


def _infer(operation: Operation, session: Session, api: CheckerPluginInterface) -> tuple[Type | None, bool]:
    """The result, and whether it must not be cached: after a report, or if it depends on the expression."""
    operator, receiver, context = operation.operator, operation.receiver, operation.context
    alternatives = alternatives_of(operation.operands, session)
    if alternatives is None:
        return promoted_operators.infer(operator, operation.in_order, session, api), False
    ruling = rulings.settled(operator, operation.operands, alternatives, session, api)
    if ruling.are_numpy_bools and not value_marks.is_any_marked(operation.operands):
        return None, False
    crosses = ruling.crosses
    if crosses:
        alternatives = zero_d.marked(operation, alternatives, session)
        ruling = rulings.ruled(operator, alternatives, session, api)
    if ruling.answers is None:
        return None, crosses
    answers = rulings.with_values(operator, ruling.answers, alternatives)
    if may_change_scalar(operator, receiver, alternatives, session, api) and not _has_dimensions(context, api):
        return _ANY, True
    refusal = findings.refusal(operator, answers, context) if ruling.is_refused else None
    if refusal is not None:
        # True: the same operands elsewhere may be all that there is.
        if union_operands.may_be_unknown(context, session, api):
            return None, True
        if _is_accepted_of_union(operation, session, api):
            # The result is that of the other members. "Ambiguous": mypy goes on with the code below.
            without = UninhabitedType()
            without.ambiguous = True
            return without, True
        type_checker.report(api, refusal, context)
    # One finding for each expression.
    reported = refusal is not None or _report_running(operator, answers, context, session, api)
    result = type_of(operator, receiver, answers, session)
    is_kept = operator.kind == "inplace" and result is receiver
    if result is not None and not is_kept:
        if refusal is not None:  # after an error stock mypy infers Any
            result = session.marked(result, value_marks.marked)
        result = operator_marks.with_marks(result, operator, operation.operands, session)
        if isinstance(get_proper_type(result), TupleType) and _is_any_to_stock(operation, session):  # `divmod`
            return result if call_checking.is_expected(result, api) else _ANY, True
    return result, reported or crosses


def _has_dimensions(context: Context, api: CheckerPluginInterface) -> bool:
    """Whether the target of an augmented assignment is certainly an array: a row of a matrix, not one number."""
    target = context.lvalue if isinstance(context, OperatorAssignmentStmt) else None
    return target is not None and numpy_dimensions.has_dimensions(target, api)


def _is_any_to_stock(operation: Operation, session: Session) -> bool:
    operands = operation.operands
    return value_marks.is_any_marked(operands) or operator_marks.is_any(operation.operator, operands, session)


def _report_running(
    operator: Operator, answers: findings.Answers, context: Context, session: Session, api: CheckerPluginInterface
) -> bool:
    """Report an operation that runs: a policy of the user, then a chain whose grouping matters, then the cost.

    Return whether there was a report.
    """
    if session.has_policies and (
        forbidden.report_operation(operator, answers, context, session, api)
        or portability.report(operator, answers, context, session, api)
    ):
        return True
    if not costs.are_asked_for(session, api):
        return False
    is_chain = len(answers) == 1 and associativity.report(operator, answers[0][0], context, session, api)
    return is_chain or costs.report(operator, answers, context, api)


def _is_accepted_of_union(operation: Operation, session: Session, api: CheckerPluginInterface) -> bool:
    """Whether mypy asks about one member of an inferred union, and the operator accepts another one."""
    whole = union_operands.with_inferred_unions(operation, api)
    if whole == operation.operands:
        return False
    alternatives = alternatives_of([session.canonical(typ) for typ in whole], session)
    answers = None if alternatives is None else answers_of(operation.operator, alternatives, session, api)
    return answers is None or not findings.is_refused(operation.operator, answers)


def _is_touched(operation: Operation) -> bool:
    """Whether this is an operator of a tensor that autocast may change."""
    method = operation.operator.method
    if method not in _TOUCHED:
        return False
    if library_of(operation.receiver) is not Library.TORCH:
        if not any(library_of(other) is Library.TORCH for other in operation.others):
            return False
        method = f"__r{method.removeprefix('__')}"
    return method in autocast.OPERATORS
