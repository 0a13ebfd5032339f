"""Infer operators of masked arrays with numbers: `np.ma` makes an array of a number, which does not yield to another.

A float32 masked array times 2 is float64, and NumPy's stubs say float32. Source: running NumPy 2.4.
"""

from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import is_python_number


def infer(ctx: MethodContext, session: Session) -> Type:  # noqa: ARG001 (every feature has it)
    """The declared result, of unknown dtype beside a number."""
    result = get_proper_type(ctx.default_return_type)
    given = ctx.arg_types[0][0] if ctx.arg_types and ctx.arg_types[0] else None
    if given is None or not is_python_number(given) or not isinstance(result, Instance) or len(result.args) < 2:
        return ctx.default_return_type
    shape, dtype = result.args[0], get_proper_type(result.args[1])
    if not isinstance(dtype, Instance) or dtype.type.fullname != names.NUMPY_DTYPE:
        return ctx.default_return_type
    return result.copy_modified(args=[shape, dtype.copy_modified(args=[AnyType(TypeOfAny.special_form)])])
