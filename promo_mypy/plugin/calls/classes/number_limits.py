"""Infer `finfo(dtype)` of NumPy and ml_dtypes, which `jax.numpy` has, too: its fields are scalars of that dtype.

The stubs know the dtype of NumPy's classes only. They do not know that of `x.dtype`, of a text or of `jnp.bfloat16`.
"""

from mypy.plugin import FunctionContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.rules import dtypes as dt


def infer(ctx: FunctionContext, session: Session) -> Type:
    """The declared class with the scalar type of its fields, for an argument that names one inexact dtype."""
    given, declared = list(arguments(ctx)), get_proper_type(ctx.default_return_type)
    if len(given) != 1 or given[0].is_star or not isinstance(declared, Instance) or len(declared.args) != 1:
        return ctx.default_return_type
    session.watch.follow(ctx.api)
    # Without x64, too, JAX's own float64 has the limits of NumPy's.
    named = dtypes_named(given[0].expression, given[0].type, Library.NUMPY, session, ctx.api, makes_array=False)
    if named is None or not all(issubclass(dtype, dt.Inexact) for dtype in named):
        return ctx.default_return_type
    fields = numpy_scalars.scalar_of(frozenset(dt.REAL_PARTS.get(dtype, dtype) for dtype in named), session.symbols)
    is_rejected = declared.type.fullname in names.NUMPY_FLOAT_LIMITS and fields and numpy_scalars.is_extension(fields)
    if fields is None or is_rejected:
        return ctx.default_return_type
    return declared.copy_modified(args=[fields])
