"""Read operands as the library that computes the result receives them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.mixing import CONVERTIBLE, EXPONENTS, SCALARS, Mixture, StandIn
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.possibilities import resolve_sets
from promo_mypy.rules.promotion import PromotionSystem

#: How libraries read NumPy's scalars, and the exponents of powers.
STAND_INS: Final = {library: SCALARS[library.value] for library in Library if library.value in SCALARS}
_EXPONENTS: Final = {library: EXPONENTS[library.value] for library in Library if library.value in EXPONENTS}


def is_numpy_scalar(value: Value) -> bool:
    """Whether this is certainly a NumPy scalar, not an array."""
    return value.library is Library.NUMPY and value.form is Form.SCALAR


def with_python_scalars(values: Sequence[Value], libraries: Sequence[Library]) -> Sequence[Value]:
    """The values, with NumPy's scalars as the Python scalars that the other library treats them as.

    Empty if a scalar was not measured.
    """
    stands_for = next((STAND_INS[library] for library in libraries if library in STAND_INS), None)
    if stands_for is None:
        return values
    arrays = [value.dtypes for value in values if value.is_array]
    beside = frozenset(dtype for dtypes in arrays for dtype in dtypes if issubclass(dtype, dt.Shaped))
    read = [_python_scalar(value, beside, stands_for) if is_numpy_scalar(value) else value for value in values]
    known = [value for value in read if value is not None]
    return known if len(known) == len(read) else []


def _python_scalar(value: Value, beside: frozenset[type[dt.Shaped]], stands_for: StandIn) -> Value | None:
    found = [stands_for(dtype, beside) for dtype in value.dtypes if issubclass(dtype, dt.Shaped)]
    scalars = frozenset(scalar for scalar in found if scalar is not None)
    return Value(Library.PYTHON, scalars, Form.PYTHON, value.source) if None not in found else None


def with_exponent(operation: str, values: Sequence[Value]) -> Sequence[Value]:
    """The values, with the exponent of a power as the library of the base reads it."""
    if operation != "pow" or not values or not values[0].is_array or values[0].library not in _EXPONENTS:
        return values
    base, exponent = values
    read = _EXPONENTS[base.library]
    dtypes = read(base.dtypes, exponent.dtypes, is_numpy_scalar(exponent), exponent.literal)
    if dtypes == exponent.dtypes:
        return values
    return [base, replace(exponent, library=Library.PYTHON, dtypes=dtypes, form=Form.PYTHON, may_be_array=False)]


def as_received(
    values: Sequence[Value], mixture: Mixture, session: Session, api: CheckerPluginInterface
) -> Sequence[Value] | None:
    """The values as the computing library receives them; None if that was not measured."""
    if mixture.convertible is not None:
        return _adopted(values, mixture.convertible, mixture)
    if mixture.reciprocal:
        values = [values[0], _reciprocal(values[1], session.system(Library.TORCH, api))]
    if mixture.wrapped and not all(CONVERTIBLE.issuperset(value.dtypes) for value in values if value.is_array):
        return None
    return values


def _adopted(
    values: Sequence[Value], convertible: frozenset[type[dt.Shaped]], mixture: Mixture
) -> Sequence[Value] | None:
    """The values, with NumPy's values as the other library converts them."""
    library = Library(mixture.result)
    adopted = next((value.dtypes for value in values if value.library is library), None)
    converted = []
    for value in values:
        if value.library is not Library.NUMPY:
            converted.append(value)
            continue
        dtypes = adopted if mixture.adopts else value.dtypes
        if not convertible.issuperset(value.dtypes) or dtypes is None or (mixture.adopts and len(dtypes) > 1):
            return None
        converted.append(replace(value, library=library, dtypes=dtypes, form=Form.ARRAY))
    return converted


def _reciprocal(value: Value, system: PromotionSystem) -> Value:
    """The value `1 / value`."""
    ones = frozenset({Operand(dt.py_float)})
    results = resolve_sets(system, "truediv", ones, frozenset(Operand(dtype, value.form) for dtype in value.dtypes))
    return replace(value, dtypes=results.results)
