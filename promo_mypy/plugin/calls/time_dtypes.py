"""Read dtypes of times and durations by their text, `x.astype("datetime64[h]")`, for which NumPy's stubs declare Any.

The promotion rules have no such dtypes. NumPy's stubs declare what its operators give for them.
"""

from mypy.nodes import StrExpr
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.preserved_dtype import by_parameter
from promo_mypy.plugin.mypy_api.arguments import CallContext, arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules.dtype_names import time_class
from promo_mypy.rules.functions.language.rows import Row


def with_time_dtype(ctx: CallContext, row: Row, receiver: Type | None, result: Type, session: Session) -> Type:
    """The result with the dtype of times or durations that the call names; any other result as it is."""
    array = get_proper_type(result)
    if not isinstance(array, Instance) or array.type.fullname != names.NUMPY_ARRAY:
        return result
    dtype = get_proper_type(array.args[1])
    if not isinstance(dtype, Instance) or not dtype.args or not isinstance(get_proper_type(dtype.args[0]), AnyType):
        return result
    asked = by_parameter(row, list(arguments(ctx)), receiver).get("dtype")
    name = time_class(asked.expression.value) if asked is not None and isinstance(asked.expression, StrExpr) else None
    scalar = session.symbols.instance(f"numpy.{name}", [AnyType(TypeOfAny.special_form)]) if name is not None else None
    if scalar is None:
        return result
    return array.copy_modified(args=[array.args[0], dtype.copy_modified(args=[scalar])])
