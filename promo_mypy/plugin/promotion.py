"""Compute the result of an operator on two array values: the library that computes it, the dtypes, or the refusals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.libraries import GENERIC, Library
from promo_mypy.plugin.operand_conversion import (
    STAND_INS,
    as_received,
    is_numpy_scalar,
    with_exponent,
    with_python_scalars,
)
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import Value, numpy_array, with_dtypes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.mixing import Mixture, mix, wrapped
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.possibilities import Outcome, operands, resolve_sets
from promo_mypy.rules.promotion import Number, PromotionSystem
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts, broadcast, product
from promo_mypy.rules.records import record

#: Operations that reject 0-d arrays.
_PRODUCTS: Final = ("matmul", "imatmul")
# Libraries whose array types have a rank.
_RANKED: Final = frozenset(row.library for row in GENERIC if row.ranked)


@record
class Answer:
    """The result of an operation on known values.

    Attributes:
        system: the promotion system.
        library: the library that computes the result.
        dtypes: empty if every combination is rejected; None if the dtype depends on an unknown rank.
        refusals: the reasons for rejected combinations.
        rank: what is known about the rank of the result.
        rebinds: whether an augmented assignment replaces its target.
    """

    system: PromotionSystem
    library: Library
    dtypes: frozenset[type[dt.Shaped]] | None
    refusals: tuple[Refusal, ...]
    rank: RankFacts = UNKNOWN_RANK
    rebinds: bool = False


def answer(operation: str, values: Sequence[Value], session: Session, api: CheckerPluginInterface) -> Answer | None:
    """The result of an operation on one combination of values; None if the rules do not apply.

    They do not if no value is an array or an array scalar, or if this mixture of libraries was not measured.
    """
    libraries = _libraries(values)
    if not libraries:
        return None
    if any(value.may_be_scalar for value in values):
        return _in_either_form(operation, values, session, api)
    form_decides = any(value.may_be_array for value in values) and _form_decides(operation, libraries, session, api)
    read = with_exponent(operation, with_python_scalars(values, libraries))
    libraries = _libraries(read)
    mixture = _mixture(operation, libraries[0], libraries[-1]) if libraries else None
    if mixture is None:
        return None
    library, system = Library(mixture.result), session.system(Library(mixture.rules), api)
    takes_operands = mixture.takes_scalars and all(
        is_numpy_scalar(value) for value in read if value.library is Library.NUMPY
    )
    if takes_operands and any(value.may_be_array for value in read):
        return Answer(system, library, None, ())
    if mixture.refused is not None and not takes_operands:
        refusal = Refusal(system.name, operation, tuple(map(_operand, read)), mixture.refused, Remedy(mixture.remedy))
        return Answer(system, library, frozenset(), (refusal,))
    if form_decides:
        return Answer(system, library, None, ())
    converted = as_received(read, mixture, session, api)
    return None if converted is None else _promoted(mixture, system, converted, _result_rank(operation, read))


@cache
def _mixture(operation: str, left: Library, right: Library) -> Mixture | None:
    return mix(operation, left.value, right.value)


def _libraries(values: Sequence[Value]) -> list[Library]:
    return [value.library for value in values if value.library is not Library.PYTHON]


def _promoted(mixture: Mixture, system: PromotionSystem, values: Sequence[Value], rank: RankFacts) -> Answer | None:
    """The dtypes by the rules; unknown if they depend on an unknown rank."""
    library = Library(mixture.result)
    combinations = _form_combinations(mixture.operation, values, system)
    asked = [_outcome(system, mixture.operation, values, combination) for combination in combinations]
    outcomes = [outcome for outcome in asked if outcome is not None]
    if len(outcomes) < len(asked):
        return Answer(system, library, None, (), rank)
    results = outcomes[0].results
    if len({outcome.results for outcome in outcomes}) > 1:
        if len({frozenset(dtype.strong for dtype in outcome.results) for outcome in outcomes}) > 1:
            return Answer(system, library, None, (), rank)
        # They differ only in weakness, as powers in JAX do: the result may be weak.
        results = frozenset().union(*(outcome.results for outcome in outcomes))
    if mixture.taken_over and not results:
        return None
    if mixture.wrapped:
        results = frozenset(map(wrapped, results))
    return Answer(system, library, results, outcomes[0].refusals, rank, rebinds=mixture.wrapped)


def _outcome(
    system: PromotionSystem, operation: str, values: Sequence[Value], combination: Sequence[frozenset[Operand]]
) -> Outcome | None:
    """The results for every operand; beside a Python number they may depend on its value. None if it is unknown."""
    plain = IN_PLACE.get(operation, operation)
    examples = system.examples_of(plain)
    places = [place for place, value in enumerate(values) if _numbers(value, examples)] if examples else []
    if len(values) != 2 or len(places) != 1:
        return resolve_sets(system, operation, *combination)
    (place,), found = places, []
    for beside in combination[1 - place]:
        pairs = [
            (frozenset({beside}), frozenset({system.operator_literal(plain, beside, number, reflected=place == 0)}))
            for number in _numbers(values[place], examples)
        ]
        outcomes = [resolve_sets(system, operation, *(pair if place == 1 else reversed(pair))) for pair in pairs]
        if len({outcome.results for outcome in outcomes}) > 1:
            return None
        found.append(outcomes[0])
    return Outcome(
        frozenset().union(*(each.results for each in found)), tuple(each for one in found for each in one.refusals)
    )


def _numbers(value: Value, examples: Mapping[type[dt.PythonScalar], Sequence[Number]]) -> Sequence[Number]:
    """The values of a Python number that decide dtypes; none where no value does."""
    (dtype,) = value.dtypes if len(value.dtypes) == 1 else (None,)
    if dtype is None or not issubclass(dtype, dt.PythonScalar) or dtype not in examples:
        return ()
    if value.magnitude is not None:
        return (complex(value.magnitude) if dtype is dt.py_complex else value.magnitude,)
    return examples[dtype] if value.literal is None else (value.literal,)


def _in_either_form(
    operation: str, values: Sequence[Value], session: Session, api: CheckerPluginInterface
) -> Answer | None:
    """The result for NumPy arrays that may be scalars: of unknown dtype if arrays and scalars differ."""
    as_arrays = [replace(value, may_be_scalar=False) for value in values]
    as_scalars = [
        replace(value, form=Form.SCALAR, may_be_scalar=False) if value.may_be_scalar else value for value in values
    ]
    of_arrays = answer(operation, as_arrays, session, api)
    of_scalars = answer(operation, as_scalars, session, api)
    if of_arrays is None or of_scalars is None or of_arrays.dtypes == of_scalars.dtypes:
        return of_arrays and of_scalars
    return replace(of_arrays, dtypes=None, refusals=())


def _form_decides(operation: str, libraries: Sequence[Library], session: Session, api: CheckerPluginInterface) -> bool:
    """Whether a NumPy scalar gives another dtype than an array, or only one of the two is rejected."""
    if set(libraries) == {Library.NUMPY}:
        return session.system(Library.NUMPY, api).rank_decides(operation)
    return operation == "pow" or any(library in STAND_INS for library in libraries)


def result_type(found: Answer, values: Sequence[Value], session: Session) -> Type | None:
    """The mypy type of an answer whose dtypes are known; None if a class for it is missing from the build."""
    assert found.dtypes
    arrays = [value for value in values if value.library is found.library and value.is_array]
    if found.library is Library.NUMPY and not arrays:
        scalar = numpy_scalars.scalar_of(found.dtypes, session.symbols)
        return (
            numpy_scalars.possibly_array(scalar) if scalar and any(value.may_be_array for value in values) else scalar
        )
    first, known = arrays[0], session.watch.types.arrays
    template, rank = first.source, found.rank
    keep_shape = not [value for value in values if value.form is Form.ARRAY and value is not first]
    question = (template, found.dtypes, keep_shape, rank.exact, rank.positive)
    if question not in known:
        known[question] = (
            numpy_array(template, found.dtypes, session.symbols, keep_shape=keep_shape)
            if found.library is Library.NUMPY
            else with_dtypes(template, found.dtypes, rank, session.symbols)
        )
    return known[question]


def only_extended_by_category(found: Answer, values: Sequence[Value]) -> bool:
    """Whether an extended precision is among the results only because an operand has any width.

    `np.floating` includes longdouble, but few users mean that. `np.floating * float64` is then not float64, nor should
    longdouble be reported: NumPy's own overloads decide.
    """
    extended = {dt.float128, dt.complex256}
    if not found.dtypes or extended.isdisjoint(found.dtypes) or found.dtypes in numpy_scalars.CATEGORIES.values():
        return False
    return any(len(value.dtypes) > 1 and not extended.isdisjoint(value.dtypes) for value in values)


def _operand(value: Value) -> Operand:
    dtype = min(value.dtypes, key=lambda dtype: dtype.__name__)
    return Operand(dtype, value.form)


def _form_combinations(
    operation: str, values: Sequence[Value], system: PromotionSystem
) -> list[list[frozenset[Operand]]]:
    # One entry for every assignment of 0-d or n-d to the operands whose rank matters and is unknown.
    asked = system.rank_decides(operation)
    combinations: list[list[frozenset[Operand]]] = [[]]
    for value in values:
        forms = [value.form]
        if value.is_array and asked and (value.library in _RANKED or not system.rank_matters):
            if value.rank.zero:
                forms = [Form.ZERO_D]
            elif not value.rank.positive and operation not in _PRODUCTS:
                forms = [Form.ARRAY, Form.ZERO_D]
        combinations = [[*combination, operands(value.dtypes, form)] for combination in combinations for form in forms]
    return combinations


def _result_rank(operation: str, values: Sequence[Value]) -> RankFacts:
    ranks = [value.rank if value.is_array else RankFacts.of(0) for value in values]
    if operation in _PRODUCTS:
        return product(*ranks)
    if operation.startswith("i") and operation != "invert":
        return ranks[0]
    return broadcast(*ranks)
