"""Infer calls of `np.vectorize(f, otypes=[...])`: arrays of these dtypes, which the object's type remembers."""

from typing import Final

from mypy.nodes import Expression, ListExpr, StrExpr, TupleExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.arguments.pytrees import tuple_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import CallContext, for_parameter
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import numpy_array

_RESULT: Final = "__promo_otypes"


def remember_otypes(ctx: FunctionContext, session: Session) -> Type:
    """Store the dtypes of `np.vectorize(f, otypes=...)` in its type."""
    made, given = get_proper_type(ctx.default_return_type), for_parameter(ctx, "otypes")
    if not isinstance(made, Instance) or given is None:
        return ctx.default_return_type
    arrays = [_array(item, ctx, session) for item in _items(given.expression)]
    known = [array for array in arrays if array is not None]
    if not known or len(known) != len(arrays):
        return made
    return made.copy_with_extra_attr(_RESULT, known[0] if len(known) == 1 else tuple_of(known, ctx.api))


def infer_call(ctx: MethodContext, session: Session) -> Type:  # noqa: ARG001 -- features are called alike
    """The call returns one array, of rank 0 for scalars, or one array for each of the otypes."""
    attributes = ctx.type.extra_attrs.attrs if isinstance(ctx.type, Instance) and ctx.type.extra_attrs else {}
    return attributes.get(_RESULT, ctx.default_return_type)


def _items(otypes: Expression) -> list[Expression]:
    """The expressions for one dtype each: the items of a list, or a string of a single letter."""
    if isinstance(otypes, StrExpr):
        return [otypes] if len(otypes.value) == 1 else []
    return otypes.items if isinstance(otypes, ListExpr | TupleExpr) else []


def _array(dtype: Expression, ctx: CallContext, session: Session) -> Type | None:
    typ = expression_type(checker(ctx.api), dtype)
    named = dtypes_named(dtype, typ, Library.NUMPY, session, ctx.api) if typ is not None else None
    array = session.symbols.instance(names.NUMPY_ARRAY)
    return numpy_array(array, named, session.symbols, keep_shape=False) if named and array is not None else None
