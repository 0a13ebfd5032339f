"""Infer built-ins that call an operator of an array: `abs(x)`, `divmod(x, y)`, `pow(x, y)`, `max(x, y)`, `1 == x`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FloatExpr,
    GeneratorExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    RefExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodSigContext
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.type_checker import has_stock_operator, stock_operator
from promo_mypy.plugin.operators import operator_results, sums
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_arguments import positional
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.container_types import holds_array, or_anything
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype, with_unknown_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.operators import OPERATORS, Operator

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking
    from promo_mypy.plugin.operators.indexing import iteration

#: function -> the operator of its first argument
BUILTINS: Final[Mapping[str, Operator]] = {
    "builtins.abs": OPERATORS["__abs__"],
    "builtins.divmod": OPERATORS["__divmod__"],
    "builtins.pow": OPERATORS["__pow__"],
}
_REFLECTED: Final = {"__divmod__": "__rdivmod__", "__pow__": "__rpow__"}

#: Functions that return one of their arguments, one of its items, or a sum of its items.
CHOOSING: Final = ("builtins.max", "builtins.min", "builtins.sorted", "builtins.sum")


def infer_call(ctx: FunctionContext, operator: Operator, session: Session) -> Type:
    """The result of the call if an argument is an array; mypy's own type otherwise."""
    given = [types[0] for types in ctx.arg_types if types]
    if len(given) != operator.arity:
        return ctx.default_return_type
    # For a union typeshed's protocol for `abs` gives what its members have in common, which has no dtype.
    several = members(given[0]) if operator.kind == "unary" else ()
    if len(several) > 1 and all(library_of(member) is not None for member in several):
        each = (
            operator_results.infer(Operation(operator, typ, (), ctx.context), session, ctx.api)
            or with_unknown_dtypes(typ)
            for typ in several
        )
        return make_simplified_union(list(each))
    if len(several) > 1 and any(map(numpy_scalars.is_scalar_type, several)) and _is_object(ctx.default_return_type):
        return AnyType(TypeOfAny.implementation_artifact)  # an int beside a NumPy scalar: mypy's join has no operators
    if len(given) > 1 and value_marks.is_marked(given[1]) and _is_number(given[0]):
        # By its promotion a marked value fits the operator of the number, which gives numbers of its own class.
        operator, given = OPERATORS[_REFLECTED[operator.method]], given[::-1]
    elif not any(library_of(typ) is not None for typ in given):
        return _of_other_values(ctx, given)
    found = operator_results.infer(Operation(operator, given[0], given[1:], ctx.context), session, ctx.api)
    if found is not None:
        return found
    declared = _declared(ctx, operator, given[0])
    is_guess = any(has_unknown_dtype(typ, session.platform) for typ in given)
    return with_unknown_dtypes(declared) if is_guess else declared


def _of_other_values(ctx: FunctionContext, given: Iterable[Type]) -> Type:
    """The declared result, unless it is a guess: `pow` of a lambda's parameter fits the first overload, that of int."""
    is_guess = is_int(ctx.default_return_type) and any(
        isinstance(each, AnyType) for each in map(get_proper_type, given)
    )
    return AnyType(TypeOfAny.implementation_artifact) if is_guess else ctx.default_return_type


def _is_number(typ: Type) -> bool:
    """Whether this is a number of Python or a scalar of NumPy."""
    return is_python_number(typ) or numpy_scalars.is_scalar_type(typ)


def _is_object(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.object"


def _declared(ctx: FunctionContext, operator: Operator, first: Type) -> Type:
    array = get_proper_type(first)
    if operator.kind == "unary" and isinstance(array, Instance) and has_stock_operator(array, operator.method):
        # `abs` takes a protocol, and for ndarray's operator of Any the protocol returns Any.
        stock = stock_operator(ctx.api, array, operator.method, ctx.context, may_reverse=False)
        return stock.items[0].ret_type if stock is not None else ctx.default_return_type
    return ctx.default_return_type


def take_any_array(ctx: FunctionSigContext, session: Session) -> FunctionLike:  # noqa: ARG001 (as every feature)
    """`abs(z)` where an array is expected: by typeshed's protocol `z` would have to return its own dtype."""
    call_checking.drop_array_context(ctx.api, names.NUMPY_ARRAYS)
    return ctx.default_signature


#: Operators of Python's scalars. mypy looks them up before those of the array on the right, `object.__eq__` accepts
#: anything, and the reflected operator of a union of arrays cannot have a hook.
SCALARS: Final[Mapping[str, Operator]] = {
    f"builtins.{scalar}.{operator.method}": operator
    for scalar in ("bool", "int", "float", "complex")
    for operator in OPERATORS.values()
    if operator.kind in ("binary", "comparison")
}


def infer_scalar_signature(ctx: MethodSigContext, operator: Operator, session: Session) -> FunctionLike:
    """The signature of `1 + x`: exact for an array or a union of arrays; Python's own for anything else."""
    if not ctx.args or not ctx.args[0] or isinstance(ctx.args[0][0], IntExpr | FloatExpr):
        return ctx.default_signature
    other = ctx.api.get_expression_type(ctx.args[0][0])
    is_mixed = any(library_of(item) is None and not value_marks.is_marked(item) for item in members(other))
    if is_mixed and not value_marks.is_marked(other):
        return ctx.default_signature
    if is_mixed:
        beside_any = _of_marked_beside_any(ctx, operator, other, session)
        if beside_any is not None:
            return beside_any
        # By its promotion a marked scalar fits the operator of the number, which gives the wrong dtype. Rejected here,
        # mypy asks for each member of the union.
        return ctx.default_signature.copy_modified(
            arg_types=[UninhabitedType() for _ in ctx.default_signature.arg_types]
        )
    return operator_results.infer_signature(ctx, operator, session)


def _of_marked_beside_any(
    ctx: MethodSigContext, operator: Operator, other: Type, session: Session
) -> FunctionLike | None:
    """The signature of `1 + x` for a union of marked values with Any; None if there is another value, or no dtype.

    mypy would use the operator that NumPy declares for the class of the mark: it asks no hook about one of a union.
    """
    known = [item for item in members(other) if not isinstance(item, AnyType)]
    if not all(map(value_marks.is_marked, known)):
        return None
    operation = Operation(operator, ctx.type, [UnionType.make_union(known)], ctx.context)
    found = operator_results.infer(operation, session, ctx.api)
    if found is None:
        return None
    any_type = AnyType(TypeOfAny.special_form)
    return ctx.default_signature.copy_modified(
        arg_types=[any_type for _ in ctx.default_signature.arg_types], ret_type=or_anything(found), variables=[]
    )


def choose_by_arguments(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`max(x, 1)` in the context of a tensor: the context must not make mypy reject the number.

    mypy joins NumPy arrays in one display to objects, and scalars to numbers. The type of the chosen item, or of the
    sum, is unknown then.
    """
    call_checking.drop_array_context(ctx.api)
    call, signature = ctx.context, ctx.default_signature
    if not isinstance(call, CallExpr) or not call.args:
        return signature
    among = _among_marked(call, ctx, signature) if len(call.args) > 1 else None
    if among is not None:
        return among
    if not isinstance(call.args[0], _DISPLAYS):
        return _of_items(call, ctx, session)
    item = call_checking.item_of(ctx.api, type_checker.quiet_type(ctx.api, call.args[0]), call)
    # By its promotion a marked item fits the first overload of `sum`, which takes ints.
    is_marked = value_marks.is_marked(item) or _has_marked_item(call.args[0], ctx.api)
    any_type = AnyType(TypeOfAny.implementation_artifact)
    if isinstance(call.callee, RefExpr) and call.callee.fullname == "builtins.sorted":
        # Sorted items keep their mark. A marked one beside another would be joined to a number.
        if is_marked and not (item is not None and all(map(value_marks.is_marked, members(item)))):
            return _with_any_items(signature)
        is_marked = False
    if item is None or not (is_marked or _is_joined(item, call.args[0], ctx.api, session)):
        return signature
    result: Type = item if is_marked and value_marks.is_marked(item) else any_type
    if result is item and isinstance(call.callee, RefExpr) and call.callee.fullname == sums.SUM:
        result = (sums.marked_sum(item, ctx, session) if len(call.args) == 1 else None) or any_type
    return signature.copy_modified(arg_types=[any_type for _ in signature.arg_types], ret_type=result, variables=[])


def _with_any_items(signature: CallableType) -> CallableType:
    """The signature of a function that returns a list, with items of type Any, as of a list of Any."""
    any_type, result = AnyType(TypeOfAny.implementation_artifact), get_proper_type(signature.ret_type)
    items = result.copy_modified(args=[any_type]) if isinstance(result, Instance) and result.args else any_type
    return signature.copy_modified(arg_types=[any_type for _ in signature.arg_types], ret_type=items, variables=[])


def _of_items(call: CallExpr, ctx: FunctionSigContext, session: Session) -> CallableType:
    """`max(x)` returns one of the items of an array."""
    signature = ctx.default_signature
    name = call.callee.fullname.rpartition(".")[2] if isinstance(call.callee, RefExpr) else None
    if name not in ("max", "min") or len(call.args) != 1 or not positional(call):
        return signature
    item = iteration.items_of(type_checker.quiet_type(ctx.api, call.args[0]), session)
    if item is None:
        return signature
    any_type = AnyType(TypeOfAny.implementation_artifact)
    return signature.copy_modified(arg_types=[any_type for _ in signature.arg_types], ret_type=item, variables=[])


def _has_marked_item(display: Expression, api: CheckerPluginInterface) -> bool:
    return value_marks.is_any_marked(_written_items(display, api))


def _written_items(display: Expression, api: CheckerPluginInterface) -> Iterator[Type]:
    items = display.items if isinstance(display, ListExpr | TupleExpr) else []
    return (type_checker.quiet_type(api, item) for item in items)


def _among_marked(call: CallExpr, ctx: FunctionSigContext, signature: CallableType) -> CallableType | None:
    """`max(x[0], 1)` returns one of its arguments. By typeshed's protocol the scalar would be a number."""
    name = call.callee.fullname.rpartition(".")[2] if isinstance(call.callee, RefExpr) else None
    types = [type_checker.quiet_type(ctx.api, argument) for argument in call.args]
    if name == "sorted" or not value_marks.is_any_marked(types):
        return None
    any_type = AnyType(TypeOfAny.implementation_artifact)
    is_one = name in ("max", "min") and len(positional(call)) == len(call.args)
    # Stock mypy infers Any: beside the marked arguments the others count as unknown.
    chosen = [typ if value_marks.is_marked(typ) else any_type for typ in types]
    result = UnionType.make_union(list(dict.fromkeys(chosen))) if is_one else any_type
    return signature.copy_modified(arg_types=[any_type for _ in signature.arg_types], ret_type=result, variables=[])


_DISPLAYS: Final = (ListExpr, TupleExpr, GeneratorExpr, ListComprehension)


def _is_joined(item: Type, display: Expression, api: CheckerPluginInterface, session: Session) -> bool:
    """Whether mypy joins arrays of a display to objects, or scalars to a class of several dtypes."""
    proper = get_proper_type(item)
    if not isinstance(proper, Instance):
        return False
    if proper.type.fullname == "builtins.object":
        return any(map(holds_array, _written_items(display, api)))
    scalar = numpy_scalars.is_scalar(proper) and numpy_scalars.dtypes_of_scalar(proper, session.platform)
    return bool(scalar) and len(scalar or ()) > 1
