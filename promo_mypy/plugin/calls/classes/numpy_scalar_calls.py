"""Infer calls of NumPy's and ml_dtypes' scalar classes with an array: `np.float32(x)` is then an array."""

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, OpExpr, RefExpr
from mypy.plugin import FunctionContext
from mypy.typeops import make_simplified_union
from mypy.types import Instance, LiteralType, NoneType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.reports import stored_numbers
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_floats import written_float
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.array_types import is_number, library_of, numpy_array
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.numpy.forms import CONTRACTING


def infer(ctx: FunctionContext, session: Session) -> Type:
    """An array of that dtype for an argument with dimensions; the declared type of the class for anything else.

    If the argument may have dimensions, the result may be an array. The plugin records this.
    """
    given = list(arguments(ctx))
    if len(given) != 1 or given[0].is_star or not isinstance(ctx.context, CallExpr):
        return ctx.default_return_type
    argument = get_proper_type(given[0].type)
    items = members(argument)
    if isinstance(argument, Instance) and (is_int(argument) or written_float(given[0].expression) is not None):
        dtypes = dtypes_named(ctx.context.callee, ctx.default_return_type, Library.NUMPY, session, ctx.api)
        name = ctx.context.callee.fullname if isinstance(ctx.context.callee, RefExpr) else ""
        stored_numbers.report_scalar(name, dtypes, given[0], Library.NUMPY, ctx.context, session, ctx.api)
    if all(library_of(item) is not Library.NUMPY for item in items) or _is_contracted(given[0].expression):
        declared = ctx.default_return_type
        made = declared if all(map(_has_no_dimensions, items)) else numpy_scalars.possibly_array(declared)
        return _with_mark(made, argument, session)
    dtypes = dtypes_named(ctx.context.callee, ctx.default_return_type, Library.NUMPY, session, ctx.api)
    if dtypes is None:
        return ctx.default_return_type
    made = make_simplified_union([_made_of(item, dtypes, ctx.default_return_type, session) for item in items])
    return _with_mark(made, argument, session)


def _with_mark(made: Type, given: Type, session: Session) -> Type:
    """What is made of a value. For one of type Any the stubs of ml_dtypes declare a scalar and Any, which is Any."""
    is_any = numpy_scalars.is_extension(made) and value_marks.is_marked(given)
    return session.marked(made, value_marks.marked) if is_any else made


def _is_contracted(expression: Expression) -> bool:
    """Whether the stubs and the rules infer an array, but 1-d arrays give a scalar: `x @ y`."""
    match expression:
        case OpExpr(op=op):
            return op == "@"
        case CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name)):
            return name in CONTRACTING
        case _:
            return False


def _has_no_dimensions(value: Type) -> bool:
    typ = get_proper_type(value)
    if isinstance(typ, LiteralType):
        typ = typ.fallback
    is_text = isinstance(typ, Instance) and typ.type.fullname in ("builtins.str", "builtins.bytes")
    return isinstance(typ, NoneType) or is_text or is_number(typ)


def _made_of(value: Type, dtypes: frozenset[type[dt.Shaped]], declared: Type, session: Session) -> Type:
    if value_marks.is_marked(value) and not numpy_scalars.is_extension(declared):
        # The item of an array of unknown rank, for which the stubs return Any.
        return numpy_scalars.possibly_array(declared)
    array = get_proper_type(value)
    if not isinstance(array, Instance) or library_of(array) is not Library.NUMPY:
        return declared
    rank = rank_of_shape(array)
    if rank.zero:
        return declared
    made = numpy_array(array, dtypes, session.symbols, keep_shape=True) or declared
    # The stubs declare a scalar, which it is for an array without dimensions: with a mark it fits as both.
    return session.marked(made, value_marks.marked) if not rank.positive else made
