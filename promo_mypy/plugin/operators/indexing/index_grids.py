"""Infer the dtype of `np.mgrid[0:3, 0:1:5j]` and `np.ogrid[...]`: that of all the numbers in the slices."""

from collections.abc import Iterator

from mypy.nodes import Expression, SliceExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.protocols import Repeated
from promo_mypy.rules.operands import Operand, Refusal


def infer(ctx: MethodContext, session: Session) -> Type:
    """The declared array, or tuple of arrays, with the dtype. A step of `5j` counts points, and makes floats."""
    session.watch.follow(ctx.api)
    key = ctx.args[0][0] if len(ctx.args) == 1 and len(ctx.args[0]) == 1 else None
    slices = key.items if isinstance(key, TupleExpr) else [key]
    operands = [Operand(dt.py_int)]
    for part in slices:
        if not isinstance(part, SliceExpr):
            return ctx.default_return_type
        read_parts = [_operand(each, session, ctx.api) for each in _numbers(part)]
        operands += [operand for operand in read_parts if operand is not None]
        if None in read_parts:
            return ctx.default_return_type
    is_plain = all(issubclass(operand.dtype, dt.PythonScalar) for operand in operands)
    if not is_plain and not isinstance(key, TupleExpr):
        return ctx.default_return_type  # NumPy calls arange, which has rules of its own
    found = session.own_system(Library.NUMPY, ctx.api).promote(*operands)
    if isinstance(found, Refusal):
        return ctx.default_return_type
    declared = get_proper_type(ctx.default_return_type)
    is_array = isinstance(declared, Instance) and declared.type.fullname == names.NUMPY_ARRAY
    answer = found if is_array else Repeated(found)
    return typed([answer], ctx.default_return_type, Library.NUMPY, session, scalar=False)


def _numbers(part: SliceExpr) -> Iterator[Expression]:
    yield from (each for each in (part.begin_index, part.end_index, part.stride) if each is not None)


def _operand(expression: Expression, session: Session, api: CheckerPluginInterface) -> Operand | None:
    """The number as an operand; None if its dtype is unknown."""
    values = read(api.get_expression_type(expression), session.platform)
    dtypes = {dtype for value in values or () for dtype in value.dtypes}
    if len(dtypes) != 1 or values is None or any(value.is_array for value in values):
        return None
    (dtype,) = dtypes
    return Operand(dt.py_float if dtype is dt.py_complex else dtype)
