"""Infer casts of masked arrays, and their operators with numbers: a number does not yield to a masked array.

A float32 masked array times 2 is float64, and NumPy's stubs say float32. So do its mean and deviation, which the stubs
do not know: a cast stays a masked array. Source: running NumPy 2.4.
"""

from collections.abc import Mapping
from typing import Final

from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.rules import dtypes as dt

#: Class of a number -> the dtypes of results that are at least as wide as the array of the number: the stubs are right.
_AS_WIDE: Final[Mapping[str, numpy_scalars.DTypeSet]] = {
    "builtins.int": frozenset({dt.int64, dt.float64, dt.complex128}),
    "builtins.float": frozenset({dt.float64, dt.complex128}),
    "builtins.complex": frozenset({dt.complex128}),
}


def infer(ctx: MethodContext, session: Session) -> Type:
    """The declared result, of unknown dtype beside a number that may be wider."""
    result = get_proper_type(ctx.default_return_type)
    given = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    if given is None or not is_python_number(given) or not isinstance(result, Instance) or len(result.args) < 2:
        return ctx.default_return_type
    shape, dtype = result.args[0], get_proper_type(result.args[1])
    if not isinstance(dtype, Instance) or dtype.type.fullname != names.NUMPY_DTYPE:
        return ctx.default_return_type
    dtypes = numpy_scalars.dtypes_of_scalar(dtype.args[0], session.platform)
    as_wide = _AS_WIDE.get(given.type.fullname) if isinstance(given, Instance) else None
    if dtypes and as_wide and dtypes <= as_wide:
        return ctx.default_return_type
    return result.copy_modified(args=[shape, dtype.copy_modified(args=[AnyType(TypeOfAny.special_form)])])


def infer_cast(ctx: MethodContext, session: Session) -> Type:
    """`astype`, for which the stubs declare an ndarray."""
    declared = get_proper_type(ctx.default_return_type)
    if not isinstance(declared, Instance) or declared.type.fullname != names.NUMPY_ARRAY:
        return ctx.default_return_type
    return session.symbols.instance(names.MASKED_ARRAY, declared.args) or declared
