"""Infer `np.dtype(x)` for an x whose type mypy has rejected, or is an alias of Any.

mypy takes the first overload for both, which is of float64.
"""

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.calls import written_dtypes
from promo_mypy.plugin.state.session import Session


def infer(ctx: FunctionContext, session: Session) -> Type:
    """A dtype object of unknown dtype for an Any, and one with the fields that a text or list names."""
    given = ctx.arg_types[0] if ctx.arg_types else []
    argument = get_proper_type(given[0]) if given else None
    declared = get_proper_type(ctx.default_return_type)
    if not isinstance(argument, AnyType) or not isinstance(declared, Instance):
        return written_dtypes.infer_dtype(ctx, session)
    return declared.copy_modified(args=[AnyType(TypeOfAny.from_error) for _ in declared.args])
