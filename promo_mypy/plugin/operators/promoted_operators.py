"""Infer operators on arrays whose dtypes are type variables: `Array[A] + Array[B]` is `Array[Promote[A, B]]`.

This holds only if the operator returns the promoted dtype for every pair of dtypes. Otherwise the dtype of the result
is unknown.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, TypeOfAny, TypeVarType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.annotations.promoted_dtypes import (
    DtypePlace,
    either,
    has_variables,
    promotion_in,
    written_dtypes,
)
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.promotion import PromotionSystem


def infer(operator: Operator, operands: Sequence[Type], session: Session, api: CheckerPluginInterface) -> Type | None:
    """The result of an operator on arrays, if the dtype of at least one of them is a type variable.

    None otherwise, if an operand is neither a number nor an array of the same library, and for operators whose stubs
    are right.
    """
    info = session.symbols.info(names.PROMOTE)
    if info is None or len(operands) != 2 or operator.kind == "inplace" or operator.operation == "divmod":
        return None
    places = [DtypePlace.of(operand) for operand in operands]
    generic_places = [place for place in places if place is not None and _has_type_variable(place)]
    if not generic_places:
        return None
    array = generic_places[0]
    others = zip(operands, places, strict=True)
    if not all(_goes_with(array.library, operand, place, session) for operand, place in others):
        return None
    if operator.kind == "comparison":
        # JAX and PyTorch declare an array, which is enough.
        truth = numpy_scalars.scalar_of(frozenset({dt.bool_}), session.symbols)
        return _of_any_shape(array, truth, session) if array.library is Library.NUMPY and truth is not None else None
    arguments = [place.argument for place in places if place is not None and place.argument is not None]
    system = session.system(array.library, api)
    known = all(_has_type_variable(place) or _is_exact(place, session) for place in places if place is not None)
    if len(arguments) == 2 and known and not system.rank_matters and _promotes(system, operator.operation):
        return _of_any_shape(array, either(Instance(info, arguments)), session)
    # NumPy's stubs reject such operands, or declare that the dtype stays. Other stubs have an unknown dtype.
    unknown = AnyType(TypeOfAny.special_form)
    return _of_any_shape(array, unknown, session) if array.library is Library.NUMPY else None


def _has_type_variable(place: DtypePlace) -> bool:
    """Whether the dtype is a type variable, or a promotion of type variables."""
    if place.argument is None:
        return False
    promotion = promotion_in(place.argument)
    if promotion is not None:
        return has_variables(promotion)
    return isinstance(get_proper_type(place.argument), TypeVarType)


def _is_exact(place: DtypePlace, session: Session) -> bool:
    dtypes = written_dtypes(place.argument, session.platform) if place.argument is not None else None
    return dtypes is not None and len(dtypes) == 1


def _goes_with(library: Library, operand: Type, place: DtypePlace | None, session: Session) -> bool:
    if place is not None:
        return place.library is library
    return read(operand, session.platform) is not None


def _of_any_shape(place: DtypePlace, argument: Type, session: Session) -> Type:
    any_type = AnyType(TypeOfAny.special_form)
    filled = place.filled(argument, session)
    if place.library is Library.NUMPY:
        any_shape = session.symbols.instance("builtins.tuple", [any_type]) or any_type
        return filled.copy_modified(args=[any_shape, filled.args[1]])
    return filled.copy_modified(args=[filled.args[0], *(any_type for _ in filled.args[1:])])


@lru_cache(maxsize=256)
def _promotes(system: PromotionSystem, operation: str) -> bool:
    """Whether an operator gives the same as `promote`, for every pair of dtypes that both accept."""
    operands = [Operand(dtype) for dtype in system.dtypes]
    answers = ((system.resolve(operation, *pair), system.promote(*pair)) for pair in product(operands, repeat=2))
    return all(result == promoted for result, promoted in answers if not _any_refused(result, promoted))


def _any_refused(*results: Result) -> bool:
    return any(isinstance(result, Refusal) for result in results)
