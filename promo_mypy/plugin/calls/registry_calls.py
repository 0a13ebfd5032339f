"""Infer the results of calls of registry functions and methods."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls import ambiguous_overloads, drawn_numbers
from promo_mypy.plugin.calls.arguments.ranked_arguments import rank_of_call
from promo_mypy.plugin.calls.arguments.spread_arguments import with_items
from promo_mypy.plugin.calls.cache_key import question_of
from promo_mypy.plugin.calls.fill import Receiver, array_behind, declared_type, filled, without_dtypes_and_ranks
from promo_mypy.plugin.calls.function_rows import FunctionRows
from promo_mypy.plugin.calls.named_tuples import undeclared_tuple
from promo_mypy.plugin.calls.preserved_dtype import by_parameter, kept_array, types_by_parameter
from promo_mypy.plugin.calls.reports import (
    index_dtypes,
    lossy_writes,
    operator_findings,
    stored_numbers,
    unconvertible_arrays,
    unsigned_differences,
)
from promo_mypy.plugin.calls.resolution import CallAnswers, answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.calls.written_dtypes import with_written_dtype
from promo_mypy.plugin.diagnostics import costs
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument, CallContext, arguments
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.caches import KnownCall
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number, read
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.rules.functions.exports import gives_numpy
from promo_mypy.rules.functions.integer_parameters import integer_parameters
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.several_results import Listed
from promo_mypy.rules.functions.language.vocabulary import Asked
from promo_mypy.rules.functions.numpy.forms import CASTING_SCALARS, INDICES
from promo_mypy.rules.functions.stored_numbers import ITEMS, STORED
from promo_mypy.rules.functions.torch import autocast
from promo_mypy.rules.operands import Refusal
from promo_mypy.rules.ranks import RankFacts
from promo_mypy.rules.records import record

with late():
    from promo_mypy.plugin.calls import autocast as regions
    from promo_mypy.plugin.calls import empty_sequences
    from promo_mypy.plugin.calls.arguments import complex_numbers, numpy_dimensions, unit_axes
    from promo_mypy.plugin.calls.reports import integer_arguments, policy_checks, rejected_calls
    from promo_mypy.plugin.diagnostics import union_arguments

_NUMPY: Final = Library.NUMPY.value
_TORCH: Final = Library.TORCH.value
_EINSUM: Final = "einsum"


def infer_function(ctx: FunctionContext, row: Row, session: Session) -> Type:
    """Infer the call of a function by its name."""
    return infer_call(ctx, row, None, session)


def infer_method(ctx: MethodContext, row: Row, session: Session) -> Type:
    """Infer the call of an array's method. `x.at[i]` stands for `x`."""
    return infer_call(ctx, row, array_behind(ctx.type, session) or ctx.type, session)


def infer_object(
    ctx: MethodContext, rows: FunctionRows, otherwise: Callable[[CallContext, Session], Type], session: Session
) -> Type:
    """Infer the call of an object that stands for a function, or of its method: `np.add(x, y)`, `np.add.reduce(x)`.

    The name in the code tells the function. `otherwise` infers the call of an object in a variable.
    """
    row = rows.called(ctx.context)
    return otherwise(ctx, session) if row is None else infer_call(ctx, row, None, session)


def infer_call(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> Type:
    """Infer a call by the row of its function, or of the method of a receiver."""
    watch = session.watch
    if watch.leaves_alone(ctx.api):
        return ctx.default_return_type
    if row.library == _TORCH and autocast.touches(row.name) and regions.has_autocast(ctx.context, ctx.api):
        from promo_mypy.rules.functions.torch.regions import in_region  # few programs have a region

        low = regions.low_dtype(ctx.context, ctx.api)
        inside = None if low is None else in_region(row, low)
        if inside is None:
            return ctx.default_return_type
        row = inside
    _look_at_arguments(ctx, row, receiver, session)
    memo, question = watch.memo, None
    if not session.has_policies:  # a policy may report any call
        # The question of a call with an exact signature has a form of its own: only such calls share a result.
        exact = memo.exact_question if ctx.context is memo.exact_call else None
        question = exact or question_of(ctx, row, receiver, session)
    calls = watch.types.calls
    known = None if question is None else calls.get(question)
    result = None if known is None else known.results.get(ctx.default_return_type)
    if result is None:
        given = list(with_items(row, list(arguments(ctx)), receiver, ctx.api))
        # A call with a report is not cached, so that each such call gets its report.
        is_reported = known is None and _is_reported(ctx, row, given, receiver, session)
        facts = None if known is None else known.facts
        result, is_final, facts = _inferred(ctx, row, given, receiver, session, facts)
        if question is not None and is_final and not is_reported:
            known = calls.setdefault(question, KnownCall({}))
            known.facts = known.facts or facts
            known.results[ctx.default_return_type] = result
    return with_written_dtype(ctx, row, receiver, result, session) if row.library == _NUMPY else result


def _look_at_arguments(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> None:
    """Note and report what the cache of results cannot decide: it does not tell marked types from others."""
    if session.notes.if_empty is not None:
        empty_sequences.note(row, list(arguments(ctx)), receiver, ctx.context, session, ctx.api)
    if row.name in STORED.get(row.library, ()):
        given = list(arguments(ctx))
        if stored_numbers.has_constant(row, given, receiver, ctx.api):
            stored_numbers.report(row, given, receiver, ctx.context, session, ctx.api)
    if integer_parameters(row):
        integer_arguments.report(row, list(arguments(ctx)), receiver, ctx.context, session, ctx.api)


def _is_reported(
    ctx: CallContext, row: Row, given: Sequence[Argument], receiver: Type | None, session: Session
) -> bool:
    """Report what the values of the arguments show. Return whether there was a report."""
    is_reported = stored_numbers.report(row, given, receiver, ctx.context, session, ctx.api)
    is_reported |= unconvertible_arrays.report(row, given, ctx.context, session, ctx.api)
    if costs.are_asked_for(session, ctx.api):
        is_reported |= unsigned_differences.report(row, given, receiver, ctx.context, session, ctx.api)
        is_reported |= not is_reported and lossy_writes.report(row, given, receiver, ctx.context, session, ctx.api)
    if row.name == ITEMS and receiver is not None and given:
        key = given[0]
        is_reported |= index_dtypes.report(receiver, key.expression, key.type, ctx.context, session, ctx.api)
    return is_reported


@record
class _Facts:
    """The facts about a call that do not depend on the declared type of its result.

    Attributes:
        rank: the rank of the result.
        kept: the array whose dtype the result has.
        is_kept: whether that decides the result.
        found: the answers of the rules; None if they have none, or were not asked.
        is_guess: see `_is_guess`.
    """

    rank: RankFacts
    kept: Receiver | None
    is_kept: bool
    found: CallAnswers | None = None
    is_guess: bool = False


def _facts(ctx: CallContext, row: Row, given: Sequence[Argument], receiver: Type | None, session: Session) -> _Facts:
    rank = rank_of_call(row, given, receiver, ctx.api)
    kept = kept_array(row, given, receiver)
    # A policy does not concern a dtype that a method keeps: the array existed before the call.
    if kept is not None and not row.rule.checks and (receiver is not None or not session.has_policies):
        return _Facts(rank, kept, is_kept=True)
    found = answers_of(row, given, receiver, session, ctx.api)
    is_kept = found is None and kept is not None
    return _Facts(rank, kept, is_kept, found, _is_guess(row, given, receiver, session))


def _inferred(
    ctx: CallContext,
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    session: Session,
    facts: _Facts | None = None,
) -> tuple[Type, bool, _Facts | None]:
    """The type of the result, and whether to cache it: not after a report."""
    operator = operator_findings.operator_of(row, given, receiver)
    asks = operator is not None and operator_findings.is_asked_for(given, session, ctx.api)
    declared = ctx.default_return_type
    if ctx.context is session.watch.memo.exact_call and not session.has_policies and not asks:
        # Inferred already, before the overloads. For most of these calls the overloads return Any.
        return declared, True, facts
    if row.library not in BY_PACKAGE:
        # Functions for arrays of any library are declared to return the type of their argument.
        declared = without_dtypes_and_ranks(declared)
    is_misdeclared = drawn_numbers.is_misdeclared(row, given, receiver, declared, session)
    if is_misdeclared:
        declared = drawn_numbers.anything()
        if not drawn_numbers.draws_array(row, given, receiver, session):
            return declared, False, None
    facts = facts or _facts(ctx, row, given, receiver, session)
    if facts.is_kept and facts.kept is not None:
        return _with_kept(ctx, row, facts.kept, facts.rank, session), True, facts
    found = facts.found
    if found is None:
        unanswered = typed((), declared, Library.NUMPY, session, scalar=None, is_guess=facts.is_guess, rank=facts.rank)
        return unanswered, True, facts
    if found.refusal is not None:
        return _refused(ctx, row, found.refusal, given, receiver, session), False, None
    if isinstance(get_proper_type(declared), AnyType) and union_arguments.is_of_unknown_union(given, session, ctx.api):
        return declared, False, None  # stock mypy infers Any for the other members, too
    types = [*([] if receiver is None else [receiver]), *(argument.type for argument in given)]
    reported = (
        operator is not None
        and asks
        and operator_findings.report(operator, types, found, ctx.context, session, ctx.api)
    )
    if session.has_policies and not reported:
        policy_checks.check(ctx, row, found, given, session)
    scalar = False if is_misdeclared else found.scalar
    result = ambiguous_overloads.infer(row, found, given, receiver, session) or _answered(
        row, found, declared, facts, scalar, session
    )
    return result, not reported, None if reported else facts


def _answered(
    row: Row, found: CallAnswers, declared: Type, facts: _Facts, scalar: bool | None, session: Session
) -> Type:
    """The declared type with the answers of the rules."""
    return typed(
        found.answers,
        declared,
        Library.NUMPY if gives_numpy(row.library, row.name) else found.library,
        session,
        scalar=scalar,
        is_guess=facts.is_guess,
        rank=facts.rank,
        named=undeclared_tuple(row, session.symbols),
    )


def _refused(
    ctx: CallContext, row: Row, refusal: Refusal, given: Sequence[Argument], receiver: Type | None, session: Session
) -> Type:
    """The type of the result of a call that the library rejects, after the report."""
    types = types_by_parameter(row, given, receiver)
    if any(_holds_numbers(typ) for name, typ in types.items() if name.strip("*") not in _SIZES):
        # To mypy `total` stays a float in `total = 0.0; total = total + x`, and the items of a list stay floats. If
        # a list is wrong here, mypy itself reports it.
        return ctx.default_return_type
    may_be_scalars = row.name in CASTING_SCALARS and any(_may_be_scalar(each, ctx) for each in given)
    may_run = row.library == _TORCH and _may_run(row, given, ctx)
    is_reported = row.library == _NUMPY and _is_reported_by_stubs(row, given, receiver, ctx, session)
    may_be_scalars = may_be_scalars or is_reported
    is_certain = not may_be_scalars and not may_run and not union_arguments.is_of_one_member(ctx, given, session)
    if is_certain:
        rejected_calls.report_refusal(refusal, row, ctx.context, ctx.api)
    kept = kept_array(row, given, receiver)
    if kept is not None:
        return _with_kept(ctx, row, kept, rank_of_call(row, given, receiver, ctx.api), session)
    if row.rule.goes_on is None or may_run:
        declared = ctx.default_return_type
        return without_dtypes_and_ranks(declared) if is_certain else declared  # one error for one mistake
    return _inferred(ctx, replace(row, rule=row.rule.goes_on), given, receiver, session)[0]


def _may_be_scalar(argument: Argument, ctx: CallContext) -> bool:
    """Whether an argument is an array, or a scalar that the library casts."""
    is_marked = value_marks.is_any_marked([argument.type])
    return is_marked and not numpy_dimensions.has_dimensions(argument.expression, ctx.api)


def _is_reported_by_stubs(
    row: Row, given: Sequence[Argument], receiver: Type | None, ctx: CallContext, session: Session
) -> bool:
    """Whether NumPy's stubs reject an index, too: stock mypy knows that it is an array of floats."""
    index = by_parameter(row, given, receiver).get(INDICES.get(row.name.rpartition(".")[2], ""))
    if index is None:
        return False
    values, stock = read(index.type, session.platform) or (), session.watch.stock(ctx.api)
    is_inexact = any(dtype.kind in "fc" for value in values for dtype in value.dtypes)
    return is_inexact and stock is not None and not stock.has_unknown_dtype(index.expression)


def _may_run(row: Row, given: Sequence[Argument], ctx: CallContext) -> bool:
    """Whether the values of the arguments may make PyTorch accept a call that it rejects for others."""
    if row.name == _EINSUM:
        tree = type_checker.tree(ctx.api)
        return any(unit_axes.may_have_unit_axis(argument.expression, tree) for argument in given)
    return any(map(complex_numbers.may_be_real, given))


#: Parameters whose numbers are not data.
_SIZES: Final = frozenset({"shape", "size", "axis", "dim", "indices", "condition"})


def _is_guess(row: Row, given: Sequence[Argument], receiver: Type | None, session: Session) -> bool:
    """Whether mypy chose the first overload that fits arguments of unknown dtype, or one that is not always right."""
    if row.rule.is_last_word:
        return True
    if row.library != _NUMPY or row.rule.is_of_one_class:
        return False
    types = types_by_parameter(row, given, receiver)
    if isinstance(row.rule, Asked) and row.rule.name in types:  # then the dtype of the array does not matter
        return has_unknown_dtype(types[row.rule.name], session.platform)
    every = [argument.type for argument in given] + ([] if receiver is None else [receiver])
    return any(has_unknown_dtype(typ, session.platform) for typ in every)


def _holds_numbers(typ: Type) -> bool:
    """Whether this is a list or another sequence of Python numbers."""
    proper = get_proper_type(typ)
    is_sequence = isinstance(proper, Instance) and proper.type.fullname in names.SEQUENCES
    return isinstance(proper, Instance) and is_sequence and any(map(is_python_number, proper.args))


def _with_kept(ctx: CallContext, row: Row, kept: Receiver, rank: RankFacts, session: Session) -> Type:
    declared = ctx.default_return_type
    if kept.dtypes is not None:
        declared = declared_type(declared, kept.library, session, several=isinstance(row.rule, Listed))
    return filled(declared, kept.argument, rank, session)
